//! Exact decimals: [parsed](mod@parse) and [printed](mod@format) without losing a digit, [computed](mod@exact) exactly and
//! [rounded](mod@rounding) once (D8, D18).
//!
//! The value type is [`Decimal`]: 96 bits and 0 to 28 fraction digits. Its own operators round when a result doesn't fit,
//! so this crate does not use them.

mod exact;
mod format;
mod parse;
mod rounding;
mod u512;

use rust_decimal::Decimal;

pub(crate) use exact::{Exact, add, subtract};
pub use format::to_plain_string;
pub(crate) use format::{push_digits, push_integer, push_plain};
pub use parse::{ParseDecimalError, parse_decimal};
pub use rounding::Rounding;
pub(crate) use u512::U512;

/// Returns true if the value is less than 0; −0 is not.
pub(crate) fn is_negative(value: Decimal) -> bool {
    value.is_sign_negative() && !value.is_zero()
}

/// Returns zero with `scale` fraction digits.
pub(crate) fn zero(scale: u32) -> Decimal {
    Decimal::from_parts(0, 0, 0, false, scale)
}

/// Returns the same amount with at least `scale` fraction digits, or unchanged if they don't fit.
pub(crate) fn pad(value: Decimal, scale: u32) -> Decimal {
    if value.scale() >= scale {
        return value;
    }
    let padded = Exact::new(value).and_then(|exact| exact.at_scale(scale));
    padded.unwrap_or(value)
}

/// Returns the number of digits without leading and trailing zeros.
pub(crate) fn significant_digits(value: &Decimal) -> usize {
    let digits = mantissa(value).into_digits();
    digits.len() - digits.iter().take_while(|digit| **digit == 0).count()
}

/// Returns the digits of a decimal without its point and sign.
fn mantissa(value: &Decimal) -> U512 {
    let parts = value.unpack();
    U512::from_parts([parts.lo, parts.mid, parts.hi])
}

/// Returns `None` if the mantissa has more than 96 bits or the scale is above 28.
fn from_mantissa(negative: bool, mantissa: &U512, scale: u32) -> Option<Decimal> {
    let [low, middle, high] = mantissa.to_parts()?;
    (scale <= Decimal::MAX_SCALE).then(|| Decimal::from_parts(low, middle, high, negative, scale))
}

#[cfg(test)]
mod tests;
