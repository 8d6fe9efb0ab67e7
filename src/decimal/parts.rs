//! The parts of a [`Decimal`]: sign, digits and scale.

use rust_decimal::Decimal;

use super::u512::U512;

/// Returns true if the value is less than 0; −0 is not.
pub(crate) fn is_negative(value: Decimal) -> bool {
    value.is_sign_negative() && !value.is_zero()
}

/// Returns the digits of a decimal without its point and sign.
pub(super) fn mantissa(value: &Decimal) -> U512 {
    let parts = value.unpack();
    U512::from_parts([parts.lo, parts.mid, parts.hi])
}

/// Returns `None` if the mantissa has more than 96 bits or the scale is above 28.
pub(super) fn from_mantissa(negative: bool, mantissa: &U512, scale: u32) -> Option<Decimal> {
    let [low, middle, high] = mantissa.to_parts()?;
    (scale <= Decimal::MAX_SCALE).then(|| Decimal::from_parts(low, middle, high, negative, scale))
}
