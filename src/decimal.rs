//! Exact decimals: [parsed](mod@parse) and [printed](mod@format) without losing a digit, [computed](mod@exact) exactly and
//! [rounded](mod@rounding) once (D8, D18).
//!
//! The value type is [`Decimal`]: 96 bits and 0 to 28 fraction digits. Its own operators round when a result doesn't fit,
//! so this crate does not use them.

mod amount;
mod exact;
mod format;
mod integer;
mod notation;
mod parse;
mod parts;
mod rounding;
mod rounding_mode;
mod sum;

use rust_decimal::Decimal;

use crate::json::Digits;

use format::PlainDigits;
use parts::mantissa;

pub use amount::Amount;
pub(crate) use exact::Exact;
pub(crate) use format::{push_digits, push_integer, push_plain, to_plain_string};
pub(crate) use integer::{divide, multiply};
pub use notation::DecimalNotation;
pub(crate) use parse::{NotADecimal, read_decimal};
pub use parse::{ParseDecimalError, parse_decimal};
pub(crate) use parts::is_negative;
pub(crate) use rounding::rounded_product;
pub use rounding_mode::Rounding;
pub use sum::DecimalSum;

/// Returns the decimal of a few digits.
#[expect(clippy::cast_possible_truncation, reason = "each part is 32 of the 64 bits")]
pub(crate) fn from_digits(Digits { units, scale }: Digits) -> Decimal {
    Decimal::from_parts(units as u32, (units >> 32) as u32, 0, false, scale)
}

/// Returns the number of digits without leading and trailing zeros.
pub(crate) fn significant_digits(value: &Decimal) -> usize {
    let digits = PlainDigits::of(mantissa(value), value.scale());
    digits.count - (0..digits.count).take_while(|place| digits.digit(*place) == b'0').count()
}

/// Returns true if a value has more fraction digits than the limit, without zeros at its end.
pub(crate) fn has_more_fraction_digits(value: Decimal, limit: u32) -> bool {
    value.scale() > limit && Exact::from_units(mantissa(&value), value.scale()).trimmed(limit).scale() > limit
}

#[cfg(test)]
mod tests;
