//! Values rounded once (D18).

use rust_decimal::Decimal;

use super::amount::Amount;
use super::exact::Exact;
use super::integer::{divide, multiply_small, small_power, ten_to_the};
use super::parts::small_mantissa;
use super::rounding_mode::Rounding;

/// Rounds a product once, to the nearest unit of a scale (D18); returns `None` if a factor is negative, if the product has more than
/// 38 digits, or if a decimal can't hold the result.
pub(crate) fn rounded_product(left: Decimal, right: Decimal, mode: Rounding, scale: u32) -> Option<Amount> {
    rounded_small_product(left, right, mode, scale)
        .or_else(|| Exact::product(left, right)?.rounded(mode, scale))
}

/// Returns `None` too if 64 bits do not suffice, or if the scale is larger than that of the product.
fn rounded_small_product(left: Decimal, right: Decimal, mode: Rounding, scale: u32) -> Option<Amount> {
    let product = multiply_small(small_mantissa(left)?, small_mantissa(right)?)?;
    let unit = small_power((left.scale() + right.scale()).checked_sub(scale)?)?;
    let units = product.checked_div(unit)?;
    Amount::new(nearest(units.into(), (product - units * unit).into(), unit.into(), mode), scale)
}

/// Returns the number nearest to `units` + `remainder` ÷ `unit`.
fn nearest(units: u128, remainder: u128, unit: u128, mode: Rounding) -> u128 {
    let rest = unit - remainder;
    let is_up = match mode {
        _ if remainder != rest => remainder > rest,
        Rounding::HalfUp => true,
        Rounding::HalfEven => units % 2 == 1,
        Rounding::HalfDown => false,
    };
    units + u128::from(is_up)
}

impl Exact {
    /// Rounds the value once, to the nearest unit of a scale (D18); returns `None` if a decimal can't hold it.
    pub(crate) fn rounded(&self, mode: Rounding, scale: u32) -> Option<Amount> {
        let Some(dropped @ 1..) = self.scale.checked_sub(scale) else {
            return Amount::new(self.units_at(scale)?, scale);
        };
        // 38 digits are less than half of 10^39.
        let Some(unit) = ten_to_the(dropped) else { return Amount::new(0, scale) };
        let (units, remainder) = divide(self.mantissa, unit)?;
        Amount::new(nearest(units, remainder, unit, mode), scale)
    }
}
