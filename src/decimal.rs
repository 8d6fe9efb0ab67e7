//! Exact decimals: [parsed](mod@parse) and [printed](mod@print) without losing a digit, [computed](mod@amount) exactly and rounded
//! once (D8, D18).
//!
//! The value type is [`Decimal`](rust_decimal::Decimal): 96 bits and 0 to 28 fraction digits. Its own operators round when a result
//! doesn't fit, so this crate does not use them.

mod amount;
mod notation;
mod parse;
mod print;
mod sum;

pub use amount::{Amount, Rounding};
pub(crate) use amount::{divide, has_more_fraction_digits, is_negative, multiply};
pub use notation::DecimalNotation;
pub(crate) use parse::{NotADecimal, read_decimal};
pub use parse::{ParseDecimalError, parse_decimal};
pub(crate) use print::{push_digits, push_integer, push_plain, significant_digits, to_plain_string};
pub use sum::DecimalSum;

#[cfg(test)]
mod tests;
