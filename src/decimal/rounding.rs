//! A value rounded to whole units, before ties are decided by a rounding mode (D18).

use rust_decimal::Decimal;

use super::amount::Amount;
use super::exact::Exact;
use super::integer::{divide, multiply_small, small_power, ten_to_the};
use super::parts::small_mantissa;
use super::rounding_mode::Rounding;

/// The whole number of units that is nearest to a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Nearest {
    /// The nearest number; the lower one if the value is a tie.
    down: u128,
    /// True if the value is exactly halfway between two units, where the modes differ.
    is_tie: bool,
}

impl Nearest {
    /// Rounds a product once, to the nearest unit of a scale (D18); returns `None` if a factor is negative, or if the product or
    /// its units have more than 38 digits.
    pub(crate) fn of_product(left: Decimal, right: Decimal, scale: u32) -> Option<Self> {
        Self::of_small_product(left, right, scale).or_else(|| Exact::product(left, right)?.nearest(scale))
    }

    /// Returns `None` too if 64 bits do not suffice, or if the scale is larger than that of the product.
    fn of_small_product(left: Decimal, right: Decimal, scale: u32) -> Option<Self> {
        let product = multiply_small(small_mantissa(left)?, small_mantissa(right)?)?;
        let unit = small_power((left.scale() + right.scale()).checked_sub(scale)?)?;
        let units = product.checked_div(unit)?;
        Some(Self::of_quotient(units.into(), (product - units * unit).into(), unit.into()))
    }

    pub(super) fn whole(units: u128) -> Self {
        Self { down: units, is_tie: false }
    }

    /// Returns the number nearest to `units` + `remainder` ÷ `unit`.
    pub(super) fn of_quotient(units: u128, remainder: u128, unit: u128) -> Self {
        let rest = unit - remainder;
        Self { down: units + u128::from(remainder > rest), is_tie: remainder == rest }
    }

    /// Returns true if the value is exactly halfway between two units.
    pub(crate) fn is_tie(&self) -> bool {
        self.is_tie
    }

    /// Returns the amount under a rounding mode, `None` if a decimal can't hold it.
    pub(crate) fn amount(&self, mode: Rounding, scale: u32) -> Option<Amount> {
        Amount::new(self.units(mode), scale)
    }

    /// Returns the number of units under a rounding mode.
    pub(crate) fn units(&self, mode: Rounding) -> u128 {
        let is_up = match mode {
            Rounding::HalfUp => true,
            Rounding::HalfEven => self.down % 2 == 1,
            Rounding::HalfDown => false,
        };
        self.down + u128::from(self.is_tie && is_up)
    }
}

impl Exact {
    /// Rounds the value once, to the nearest unit of a scale (D18); returns `None` if the units have more than 38 digits.
    pub(crate) fn nearest(&self, scale: u32) -> Option<Nearest> {
        let Some(dropped @ 1..) = self.scale.checked_sub(scale) else {
            return Some(Nearest::whole(self.units_at(scale)?));
        };
        // 38 digits are less than half of 10^39.
        let Some(unit) = ten_to_the(dropped) else { return Some(Nearest::whole(0)) };
        let (units, remainder) = divide(self.mantissa, unit)?;
        Some(Nearest::of_quotient(units, remainder, unit))
    }
}
