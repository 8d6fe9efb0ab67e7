//! The parts of a [`Decimal`]: sign, digits and scale.

use rust_decimal::Decimal;

/// Returns true if the value is less than 0; −0 is not.
pub(crate) fn is_negative(value: Decimal) -> bool {
    value.is_sign_negative() && !value.is_zero()
}

/// Returns the digits of a decimal without its point and sign.
pub(super) fn mantissa(value: &Decimal) -> u128 {
    let parts = value.unpack();
    let low = u64::from(parts.lo) | u64::from(parts.mid) << 32;
    u128::from(low) | u128::from(parts.hi) << 64
}

/// Returns the digits if they fit 64 bits and the value is not negative.
pub(super) fn small_mantissa(value: Decimal) -> Option<u64> {
    let parts = value.unpack();
    (parts.hi == 0 && !parts.negative).then_some(u64::from(parts.lo) | u64::from(parts.mid) << 32)
}

/// Returns true if an integer has at most 96 bits.
pub(super) fn fits(mantissa: u128) -> bool {
    mantissa >> 96 == 0
}

/// Returns `None` if the mantissa has more than 96 bits or the scale is above 28.
pub(super) fn from_mantissa(negative: bool, mantissa: u128, scale: u32) -> Option<Decimal> {
    (fits(mantissa) && scale <= Decimal::MAX_SCALE).then(|| from_fitting(negative, mantissa, scale))
}

/// Returns the decimal of a mantissa that [fits](fits), and a scale of at most 28.
#[expect(clippy::cast_possible_truncation, reason = "each part is 32 of the 96 bits")]
pub(super) fn from_fitting(negative: bool, mantissa: u128, scale: u32) -> Decimal {
    let [low, middle, high] = [mantissa, mantissa >> 32, mantissa >> 64].map(|bits| bits as u32);
    Decimal::from_parts(low, middle, high, negative, scale)
}
