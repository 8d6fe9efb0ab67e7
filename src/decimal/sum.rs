//! Sums of decimals, exact whatever their size and number (D58).

use std::fmt;

use rust_decimal::Decimal;

use super::amount::{is_negative, mantissa};
use super::print::push_digits;

/// The exact sum of any number of decimals. Two sums are compared by value.
///
/// The operators of [`Decimal`] round a sum that does not fit; this one always fits. It is displayed in plain notation, with as many
/// fraction digits as the decimal that has the most.
///
/// ```
/// use sales_order_intake::{DecimalSum, parse_decimal};
///
/// let sum: DecimalSum = [parse_decimal("39.98")?, parse_decimal("-0.5")?].into_iter().collect();
/// assert_eq!(sum.to_string(), "39.48");
/// assert!(sum < DecimalSum::from(parse_decimal("100.00")?));
/// assert_eq!(DecimalSum::default().to_string(), "0");
/// # Ok::<(), sales_order_intake::ParseDecimalError>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct DecimalSum {
    /// The largest integer that is not above the sum.
    whole: i128,
    /// The rest, in units of 10^-28.
    rest: u128,
    scale: u32,
}

/// The units of a whole. A decimal has at most 28 fraction digits.
const WHOLE: u128 = 10_u128.pow(Decimal::MAX_SCALE);

/// Returns 10 to the power of an exponent that is at most 28.
fn power(exponent: u32) -> u128 {
    10_u128.pow(exponent)
}

impl From<Decimal> for DecimalSum {
    fn from(value: Decimal) -> Self {
        let scale = value.scale();
        let unit = power(scale);
        let (whole, rest) = (mantissa(&value) / unit, mantissa(&value) % unit);
        let sum = Self { whole: whole.cast_signed(), rest: rest * power(Decimal::MAX_SCALE - scale), scale };
        if is_negative(value) { sum.negated() } else { sum }
    }
}

impl DecimalSum {
    /// Adds a decimal.
    pub fn add(&mut self, value: Decimal) {
        let value = Self::from(value);
        self.whole += value.whole;
        self.rest += value.rest;
        if self.rest >= WHOLE {
            self.whole += 1;
            self.rest -= WHOLE;
        }
        self.scale = self.scale.max(value.scale);
    }

    fn negated(self) -> Self {
        match self.rest {
            0 => Self { whole: -self.whole, ..self },
            rest => Self { whole: -1 - self.whole, rest: WHOLE - rest, ..self },
        }
    }

    /// Returns the sum in plain notation.
    pub(crate) fn to_plain_string(self) -> String {
        let mut out = String::new();
        let positive = if self.whole < 0 {
            out.push('-');
            self.negated()
        } else {
            self
        };
        push_digits(&mut out, positive.whole.unsigned_abs(), 0);
        if self.scale > 0 {
            let mut fraction = String::new();
            push_digits(&mut fraction, positive.rest / power(Decimal::MAX_SCALE - self.scale), self.scale);
            out.push_str(fraction.trim_start_matches('0'));
        }
        out
    }
}

impl PartialEq for DecimalSum {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for DecimalSum {}

impl PartialOrd for DecimalSum {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for DecimalSum {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.whole, self.rest).cmp(&(other.whole, other.rest))
    }
}

impl FromIterator<Decimal> for DecimalSum {
    fn from_iter<I: IntoIterator<Item = Decimal>>(values: I) -> Self {
        values.into_iter().fold(Self::default(), |mut sum, value| {
            sum.add(value);
            sum
        })
    }
}

impl fmt::Display for DecimalSum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.to_plain_string())
    }
}
