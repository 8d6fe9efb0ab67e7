//! Amounts: values that a [`Decimal`] can hold.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use crate::json::{ToJson, Writer};

use super::exact::Exact;
use super::format::PlainDigits;
use super::parts::{fits, from_fitting};

/// An amount that is not negative and fits a [`Decimal`]: at most 96 bits, and 0 to 28 fraction digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    /// The units of the last digit: nearly always these 64 bits alone.
    low: u64,
    high: u32,
    scale: u32,
}

impl Amount {
    /// Returns `units` × 10^-`scale`, `None` if a decimal can't hold it.
    #[expect(clippy::cast_possible_truncation, reason = "what fits has no other bits")]
    pub(crate) fn new(units: u128, scale: u32) -> Option<Self> {
        let fits = fits(units) && scale <= Decimal::MAX_SCALE;
        fits.then_some(Self { low: units as u64, high: (units >> 64) as u32, scale })
    }

    /// Returns `None` if the value is negative: such a value breaks a rule, so no amount is computed from it.
    pub(crate) fn of(value: Decimal) -> Option<Self> {
        let Exact { mantissa, scale } = Exact::new(value)?;
        Self::new(mantissa, scale)
    }

    /// Returns zero with the fraction digits of a currency.
    pub(crate) fn zero(scale: u32) -> Self {
        Self { low: 0, high: 0, scale }
    }

    /// Returns the amount as a value to compute with.
    pub(crate) fn exact(self) -> Exact {
        Exact::from_units(self.units(), self.scale)
    }

    pub(crate) fn units(self) -> u128 {
        u128::from(self.low) | u128::from(self.high) << 64
    }

    pub(crate) fn scale(self) -> u32 {
        self.scale
    }

    pub(crate) fn is_zero(self) -> bool {
        self.units() == 0
    }

    /// Returns the exact sum at the larger of the two scales. If a decimal can't hold it, adds both without their trailing zeros
    /// beyond `scale`; returns `None` if it can't hold that sum either.
    pub(crate) fn plus(self, other: Self, scale: u32) -> Option<Self> {
        if let Some((own, other)) = self.small_units(other)
            && let Some(low) = own.checked_add(other)
        {
            return Some(Self { low, ..self });
        }
        let (own, other) = (self.exact(), other.exact());
        let sum = own.plus(&other).and_then(Exact::into_amount);
        sum.or_else(|| own.trimmed(scale).plus(&other.trimmed(scale))?.into_amount())
    }

    /// Returns the exact difference at the larger of the two scales; `None` if it is negative, or a decimal can't hold it.
    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        if let Some((own, other)) = self.small_units(other) {
            return Some(Self { low: own.checked_sub(other)?, ..self });
        }
        self.exact().less(&other.exact())?.into_amount()
    }

    /// Returns the same amount with at least `scale` fraction digits, or unchanged if they don't fit.
    pub(crate) fn padded(self, scale: u32) -> Self {
        let padded = self.exact().units_at(scale).and_then(|units| Self::new(units, scale));
        padded.unwrap_or(self)
    }

    /// Compares by value, whatever the scales.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        if let Some((own, other)) = self.small_units(other) {
            return own.cmp(&other);
        }
        let scale = self.scale.max(other.scale);
        match (self.exact().units_at(scale), other.exact().units_at(scale)) {
            (Some(own), Some(others)) => own.cmp(&others),
            // An amount that does not fit at the larger scale is larger than the one that has this scale.
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
        }
    }

    /// Returns the units of both if 64 bits hold them and their scales are the same, as those of nearly all amounts are.
    fn small_units(self, other: Self) -> Option<(u64, u64)> {
        (self.scale == other.scale && self.high | other.high == 0).then_some((self.low, other.low))
    }

    pub(crate) fn into_decimal(self) -> Decimal {
        from_fitting(false, self.units(), self.scale)
    }

    /// Returns the digits of the amount, to print them.
    #[must_use]
    pub fn digits(self) -> PlainDigits {
        PlainDigits::of(self.units(), self.scale)
    }

    /// Returns the amount in plain notation, with all its fraction digits.
    pub(crate) fn to_plain_string(self) -> String {
        self.exact().into_plain_string()
    }
}

impl Exact {
    /// Returns the value as an amount; `None` if a decimal can't hold it.
    pub(crate) fn into_amount(self) -> Option<Amount> {
        Amount::new(self.mantissa, self.scale)
    }
}

impl ToJson for Amount {
    fn write(&self, out: &mut Writer) {
        out.decimal(&self.into_decimal());
    }
}
