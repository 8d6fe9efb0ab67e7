//! The parts of a [`Decimal`]: sign, digits and scale.

use rust_decimal::Decimal;

/// Returns true if the value is less than 0; −0 is not.
pub(crate) fn is_negative(value: Decimal) -> bool {
    value.is_sign_negative() && !value.is_zero()
}

/// Returns the digits of a decimal without its point and sign.
pub(super) fn mantissa(value: &Decimal) -> u128 {
    value.mantissa().unsigned_abs()
}

/// Returns `None` if the mantissa has more than 96 bits or the scale is above 28.
#[expect(clippy::cast_possible_truncation, reason = "each part is 32 of the 96 bits")]
pub(super) fn from_mantissa(negative: bool, mantissa: u128, scale: u32) -> Option<Decimal> {
    let [low, middle, high] = [mantissa, mantissa >> 32, mantissa >> 64].map(|bits| bits as u32);
    let fits = mantissa >> 96 == 0 && scale <= Decimal::MAX_SCALE;
    fits.then(|| Decimal::from_parts(low, middle, high, negative, scale))
}
