//! Exact arithmetic: sums and products have all their digits until the one rounding (D18).
//!
//! Such a value has up to [38 digits](MAX): enough for an amount with a tax compounded on a tax. What has more is an issue of
//! the order, `amount_out_of_range`.

use std::cmp::Ordering;

use rust_decimal::Decimal;

use super::format::push_digits;
use super::parts::{from_mantissa, is_negative, mantissa};
use super::rounding::Rounding;

/// The largest integer of 38 digits.
const MAX: u128 = 10_u128.pow(38) - 1;

/// Returns the exact sum of two amounts at the larger of their scales; `None` if it doesn't fit or an amount is
/// negative.
///
/// `Decimal`'s own operators would drop digits instead.
pub(crate) fn add(left: Decimal, right: Decimal) -> Option<Decimal> {
    Exact::new(left)?.plus(&Exact::new(right)?)?.into_decimal()
}

/// Returns the exact difference of two amounts at the larger of their scales; `None` if it doesn't fit, or if an amount
/// or the difference is negative.
pub(crate) fn subtract(left: Decimal, right: Decimal) -> Option<Decimal> {
    let (left, right) = (Exact::new(left)?, Exact::new(right)?);
    let scale = left.scale.max(right.scale);
    let mantissa = left.units_at(scale)?.checked_sub(right.units_at(scale)?)?;
    from_mantissa(false, mantissa, scale)
}

/// Returns the product, `None` if it has more than 38 digits (D18).
pub(crate) fn multiply(left: u128, right: u128) -> Option<u128> {
    left.checked_mul(right).filter(|product| *product <= MAX)
}

/// A value that is not negative, before its one rounding. Its integer has at most 38 digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Exact {
    mantissa: u128,
    scale: u32,
}

impl Exact {
    pub(crate) const ZERO: Self = Self { mantissa: 0, scale: 0 };

    /// Returns `None` if the value is negative: such a value breaks a rule, so no amount is computed from it.
    pub(crate) fn new(value: Decimal) -> Option<Self> {
        (!is_negative(value)).then(|| Self { mantissa: mantissa(&value), scale: value.scale() })
    }

    /// Returns `units` × 10^-`scale`.
    pub(crate) fn from_units(units: u128, scale: u32) -> Self {
        Self { mantissa: units, scale }
    }

    /// Returns the product of two values, `None` if one is negative or the product has more than 38 digits.
    pub(crate) fn product(left: Decimal, right: Decimal) -> Option<Self> {
        Self::new(left)?.times(right)
    }

    /// Returns the product with a factor, `None` if the factor is negative or the product has more than 38 digits.
    pub(crate) fn times(&self, factor: Decimal) -> Option<Self> {
        let factor = Self::new(factor)?;
        let mantissa = multiply(self.mantissa, factor.mantissa)?;
        Some(Self { mantissa, scale: self.scale + factor.scale })
    }

    /// Returns the sum at the larger of the two scales, `None` if it has more than 38 digits.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let mantissa = self.units_at(scale)?.checked_add(other.units_at(scale)?)?;
        (mantissa <= MAX).then_some(Self { mantissa, scale })
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
            more => multiply(self.mantissa, 10_u128.checked_pow(more)?),
        }
    }

    /// Returns the number of fraction digits.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// Rounds the value once (D18). The flag is true if it was exactly halfway between two units, where the modes
    /// differ.
    ///
    /// Returns `None` if the result doesn't fit a decimal.
    pub(crate) fn round(&self, scale: u32, mode: Rounding) -> Option<(Decimal, bool)> {
        let Some(dropped @ 1..) = self.scale.checked_sub(scale) else {
            return Some((self.at_scale(scale)?, false));
        };
        let (units, to_half) = match 10_u128.checked_pow(dropped) {
            Some(unit) => {
                let remainder = self.mantissa % unit;
                (self.mantissa / unit, remainder.cmp(&(unit - remainder)))
            }
            // 38 digits are less than half of 10^39.
            None => (0, Ordering::Less),
        };
        let units = units + u128::from(mode.rounds_up(to_half, units % 2 == 1));
        Some((from_mantissa(false, units, scale)?, to_half.is_eq()))
    }

    /// Returns the value as a decimal of a scale; `None` if that would take rounding, or if it doesn't fit.
    pub(crate) fn at_scale(&self, scale: u32) -> Option<Decimal> {
        from_mantissa(false, self.units_at(scale)?, scale)
    }

    fn into_decimal(self) -> Option<Decimal> {
        from_mantissa(false, self.mantissa, self.scale)
    }

    /// Returns the value in plain notation, with all its fraction digits.
    pub(crate) fn into_plain_string(self) -> String {
        let mut out = String::new();
        push_digits(&mut out, self.mantissa, self.scale);
        out
    }
}
