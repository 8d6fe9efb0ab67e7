//! The sums of lines, for all rounding modes at once.

use crate::decimal::{Amount, Exact, Nearest, PerRounding, Rounding};
use crate::options::TaxRate;
use crate::order::order;
use crate::record::Record;

use super::input::LineInput;
use super::tax_sums::TaxSums;

/// The sums of lines, for each rounding mode.
#[derive(Default)]
pub(super) struct RunningTotals {
    /// The extended prices in units of the currency.
    prices: PerRounding<u128>,
    /// How many prices are exactly halfway between two units, so that the modes differ.
    ties: u128,
    /// How many lines have no valid price.
    unpriced: u128,
    /// How many lines have a price that does not fit a decimal, even rounded down.
    out_of_range: u128,
    /// The estimated taxes without a discount; empty if none are estimated, or the order has a discount.
    pub(super) taxes: TaxSums,
}

impl RunningTotals {
    /// Returns the running totals of all lines of an order, `None` if it has none. `rates` are those of an estimate without a
    /// discount.
    pub(super) fn of_order(order: Record<'_, '_>, scale: u32, rates: Option<&[TaxRate]>) -> Option<Self> {
        if order.entries(&order::ITEMS).len() == 0 {
            return None;
        }
        let mut totals = Self::none(rates);
        for line in LineInput::of_order(order, rates, scale) {
            totals.add_line(&line, scale, rates);
        }
        Some(totals)
    }

    /// Returns the running totals of no lines, for as many taxes as there are rates.
    fn none(rates: Option<&[TaxRate]>) -> Self {
        Self { taxes: TaxSums::none(rates.unwrap_or_default()), ..Self::default() }
    }

    fn add_line(&mut self, line: &LineInput, scale: u32, rates: Option<&[TaxRate]>) {
        match line.priced {
            Some(_) => self.add(line.price, scale),
            None => self.unpriced += 1,
        }
        if let (Some(rates), Some(price)) = (rates, line.price) {
            let taxable = |mode| Exact::from_units(price.units(mode), scale);
            // Most prices are the same under every mode.
            if price.is_tie() {
                for mode in Rounding::ALL {
                    self.taxes.add(rates, line, taxable(*mode), scale, Some(*mode));
                }
            } else {
                self.taxes.add(rates, line, taxable(Rounding::HalfUp), scale, None);
            }
        }
    }

    /// Adds an amount, rounded in every mode (D18); `None` has more than 38 digits.
    fn add(&mut self, amount: Option<Nearest>, scale: u32) {
        match amount {
            Some(amount) if amount.amount(Rounding::HalfDown, scale).is_some() => {
                for (mode, sum) in self.prices.each_mut() {
                    *sum += amount.units(mode);
                }
                self.ties += u128::from(amount.is_tie());
            }
            _ => self.out_of_range += 1,
        }
    }

    /// Returns the sum, `None` if a line has no price or the sum does not fit a decimal.
    pub(super) fn total(&self, mode: Rounding, scale: u32) -> Option<Amount> {
        self.sum(mode, scale).filter(|_| self.unpriced == 0 && self.out_of_range == 0)
    }

    /// Returns the sum of the lines that have a price, `None` if it does not fit a decimal.
    fn sum(&self, mode: Rounding, scale: u32) -> Option<Amount> {
        Amount::new(*self.prices.get(mode), scale)
    }

    /// Returns true if the price of a line, or the sum of all that have one, does not fit a decimal.
    pub(super) fn is_out_of_range(&self, mode: Rounding, scale: u32) -> bool {
        self.out_of_range != 0 || self.sum(mode, scale).is_none()
    }

    pub(super) fn has_tie(&self) -> bool {
        self.ties != 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_price_that_fits_only_rounded_down_has_a_total_only_under_half_down() {
        let mut totals = RunningTotals::default();
        // 2^96 − 0.5
        totals.add(Exact::from_units(10 * ((1 << 96) - 1) + 5, 1).nearest(0), 0);
        assert_eq!(
            Rounding::ALL.iter().map(|mode| totals.total(*mode, 0)).collect::<Vec<_>>(),
            [None, None, Amount::new((1 << 96) - 1, 0)]
        );
    }

    #[test]
    fn a_price_that_does_not_fit_a_decimal_is_counted_and_not_summed() {
        let mut totals = RunningTotals::default();
        totals.add(Exact::from_units(1 << 96, 0).nearest(0), 0);
        assert_eq!((totals.out_of_range, totals.total(Rounding::HalfUp, 0)), (1, None));
    }
}
