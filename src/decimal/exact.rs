//! Exact arithmetic: sums and products have all their digits until the one rounding (D18).
//!
//! Such a value has up to [38 digits](MAX): enough for an amount with a tax compounded on a tax. A value with more digits is
//! an issue of the order, `amount_out_of_range`.

use rust_decimal::Decimal;

use super::format::push_digits;
use super::integer::{MAX, divide, multiply, ten_to_the};
use super::parts::{is_negative, mantissa};

/// A value that is not negative, before its one rounding. Its integer has at most 38 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exact {
    pub(super) mantissa: u128,
    pub(super) scale: u32,
}

impl Exact {
    pub(crate) const ZERO: Self = Self { mantissa: 0, scale: 0 };

    /// Returns `None` if the value is negative: such a value breaks a rule, so no amount is computed from it.
    #[inline(always)]
    pub(crate) fn new(value: Decimal) -> Option<Self> {
        (!is_negative(value)).then(|| Self { mantissa: mantissa(&value), scale: value.scale() })
    }

    /// Returns `units` × 10^-`scale`.
    pub(crate) const fn from_units(units: u128, scale: u32) -> Self {
        Self { mantissa: units, scale }
    }

    /// Returns the product of two values, `None` if one is negative or the product has more than 38 digits.
    pub(crate) fn product(left: Decimal, right: Decimal) -> Option<Self> {
        Self::new(left)?.times(&Self::new(right)?)
    }

    /// Returns the product with a factor, `None` if it has more than 38 digits. Trailing zeros do not count: they are removed
    /// from a product that does not fit 64 bits.
    #[inline(never)]
    pub(crate) fn times(&self, factor: &Self) -> Option<Self> {
        match self.multiplied(factor) {
            Some(product) if product.mantissa <= u64::MAX.into() => Some(product),
            _ => Some(self.trimmed(0).multiplied(&factor.trimmed(0))?.trimmed(0)),
        }
    }

    #[inline(never)]
    fn multiplied(&self, factor: &Self) -> Option<Self> {
        Some(Self { mantissa: multiply(self.mantissa, factor.mantissa)?, scale: self.scale + factor.scale })
    }

    /// Returns the value without the trailing zeros that it has beyond a scale.
    #[inline(never)]
    pub(super) fn trimmed(mut self, scale: u32) -> Self {
        while self.scale > scale
            && let Some((mantissa, 0)) = divide(self.mantissa, 10)
        {
            self = Self { mantissa, scale: self.scale - 1 };
        }
        self
    }

    /// Returns the sum at the larger of the two scales, `None` if it has more than 38 digits.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let mantissa = if self.scale == other.scale {
            self.mantissa.checked_add(other.mantissa)?
        } else {
            self.units_at(scale)?.checked_add(other.units_at(scale)?)?
        };
        (mantissa <= MAX).then_some(Self { mantissa, scale })
    }

    /// Returns the difference at the larger of the two scales, `None` if it is negative or does not fit.
    pub(crate) fn less(&self, subtrahend: &Self) -> Option<Self> {
        let scale = self.scale.max(subtrahend.scale);
        let mantissa = self.units_at(scale)?.checked_sub(subtrahend.units_at(scale)?)?;
        Some(Self { mantissa, scale })
    }

    /// Returns a hundredth of the value: a percentage as a fraction.
    pub(crate) fn percent(self) -> Self {
        Self { scale: self.scale + 2, ..self }
    }

    /// Returns the value in units of the last digit at a scale; `None` if the scale is smaller than its own, or if the
    /// units have more than 38 digits.
    pub(crate) fn units_at(&self, scale: u32) -> Option<u128> {
        match scale.checked_sub(self.scale)? {
            0 => Some(self.mantissa),
            _ if self.mantissa == 0 => Some(0),
            more => multiply(self.mantissa, ten_to_the(more)?),
        }
    }

    /// Returns the value in units of its last digit.
    pub(crate) fn units(&self) -> u128 {
        self.mantissa
    }

    /// Returns the number of fraction digits.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// Returns the value in plain notation, with all its fraction digits.
    pub(crate) fn into_plain_string(self) -> String {
        let mut out = String::new();
        push_digits(&mut out, self.mantissa, self.scale);
        out
    }
}
