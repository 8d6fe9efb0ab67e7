//! The sums of lines, for all rounding modes at once.
//!
//! The host stores the sums as strings, and adds and subtracts lines exactly: they are whole units at the scale of the
//! currency, one sum for each rounding mode.

use std::str::FromStr;

use rust_decimal::Decimal;

use crate::check::priced;
use crate::decimal::{Exact, Nearest, Rounding, push_digits};
use crate::order::order;
use crate::record::Record;

/// The sums of lines, for each rounding mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunningTotals {
    half_up: u128,
    half_even: u128,
    half_down: u128,
    /// How many prices are exactly halfway between two units, so that the modes differ.
    ties: u128,
    /// How many lines have no valid price.
    unpriced: u128,
    /// How many lines have a price that does not fit a decimal, even rounded down.
    out_of_range: u128,
}

/// Running totals are malformed, or more was subtracted than added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTotals;

impl RunningTotals {
    /// Returns the running totals of all lines of an order, `None` if it has none.
    pub(super) fn of_order(order: Record<'_, '_>, scale: u32) -> Option<Self> {
        let mut totals = Self::default();
        let items = order.entries(&order::ITEMS);
        if items.len() == 0 {
            return None;
        }
        for item in items {
            totals.add_item(item.record, scale);
        }
        Some(totals)
    }

    /// Returns the running totals of one line; `item` is `None` if it could not be read.
    pub(crate) fn of_item(item: Option<Record<'_, '_>>, scale: u32) -> Self {
        let mut totals = Self::default();
        totals.add_item(item, scale);
        totals
    }

    fn add_item(&mut self, item: Option<Record<'_, '_>>, scale: u32) {
        match item.and_then(priced) {
            Some((quantity, unit_price)) => self.add(extended(quantity, unit_price, scale)),
            None => self.unpriced += 1,
        }
    }

    /// Adds an amount, rounded in every mode (D18); `None` has more than 38 digits.
    pub(super) fn add(&mut self, amount: Option<Nearest>) {
        match amount {
            Some(amount) if amount.fits_decimal(Rounding::HalfDown) => {
                self.half_up += amount.units(Rounding::HalfUp);
                self.half_even += amount.units(Rounding::HalfEven);
                self.half_down += amount.units(Rounding::HalfDown);
                self.ties += u128::from(amount.is_tie());
            }
            _ => self.out_of_range += 1,
        }
    }

    /// Returns the sum, `None` if a line has no price or the sum does not fit a decimal.
    pub(super) fn total(&self, mode: Rounding, scale: u32) -> Option<Decimal> {
        if self.unpriced != 0 || self.out_of_range != 0 {
            return None;
        }
        self.sum(mode, scale)
    }

    fn sum(&self, mode: Rounding, scale: u32) -> Option<Decimal> {
        let units = match mode {
            Rounding::HalfUp => self.half_up,
            Rounding::HalfEven => self.half_even,
            Rounding::HalfDown => self.half_down,
        };
        Exact::from_units(units, scale).at_scale(scale)
    }

    /// Returns true if the price of a line, or the sum of all that have one, does not fit a decimal.
    pub(super) fn is_out_of_range(&self, mode: Rounding, scale: u32) -> bool {
        self.out_of_range != 0 || self.sum(mode, scale).is_none()
    }

    pub(super) fn has_tie(&self) -> bool {
        self.ties != 0
    }

    /// Applies a term: `+` or `-` and the totals of a line.
    pub fn apply(self, term: &str) -> Result<Self, InvalidTotals> {
        let (totals, apply): (_, fn(u128, u128) -> Option<u128>) = match term.split_at_checked(1) {
            Some(("+", totals)) => (totals, u128::checked_add),
            Some(("-", totals)) => (totals, u128::checked_sub),
            _ => return Err(InvalidTotals),
        };
        let by = totals.parse::<Self>()?;
        let mut applied = self;
        for (number, by) in applied.numbers_mut().into_iter().zip(by.numbers()) {
            *number = apply(*number, by).ok_or(InvalidTotals)?;
        }
        Ok(applied)
    }

    fn numbers(&self) -> [u128; 6] {
        let Self { half_up, half_even, half_down, ties, unpriced, out_of_range } = *self;
        [half_up, half_even, half_down, ties, unpriced, out_of_range]
    }

    fn numbers_mut(&mut self) -> [&mut u128; 6] {
        let Self { half_up, half_even, half_down, ties, unpriced, out_of_range } = self;
        [half_up, half_even, half_down, ties, unpriced, out_of_range]
    }

    /// Prints the six numbers with spaces between them.
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        for number in self.numbers() {
            text.push_str(if text.is_empty() { "" } else { " " });
            push_digits(&mut text, number, 0);
        }
        text
    }
}

impl FromStr for RunningTotals {
    type Err = InvalidTotals;

    fn from_str(text: &str) -> Result<Self, InvalidTotals> {
        let mut totals = Self::default();
        let mut numbers = text.split(' ');
        for number in totals.numbers_mut() {
            let digits = numbers.next().ok_or(InvalidTotals)?;
            // `parse` would accept it.
            if digits.starts_with('+') {
                return Err(InvalidTotals);
            }
            *number = digits.parse().map_err(|_| InvalidTotals)?;
        }
        if numbers.next().is_some() { Err(InvalidTotals) } else { Ok(totals) }
    }
}

/// Returns quantity × unit price, `None` if it has more than 38 digits.
pub(super) fn extended(quantity: Decimal, unit_price: Decimal, scale: u32) -> Option<Nearest> {
    Nearest::of_product(quantity, unit_price, scale)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_added_and_subtracted_leaves_the_totals_as_they_were() {
        let start: RunningTotals = "10 10 9 1 0 0".parse().unwrap();
        let after = start.clone().apply("+5 4 4 1 0 0").unwrap();
        assert_eq!(after.to_text(), "15 14 13 2 0 0");
        assert_eq!(after.apply("-5 4 4 1 0 0"), Ok(start));
    }

    #[test]
    fn a_price_that_fits_only_rounded_down_has_a_total_only_under_half_down() {
        let mut totals = RunningTotals::default();
        // 2^96 − 0.5
        totals.add(Exact::from_units(10 * ((1 << 96) - 1) + 5, 1).nearest(0));
        assert_eq!(
            Rounding::ALL.iter().map(|mode| totals.total(*mode, 0)).collect::<Vec<_>>(),
            [None, None, Some(Decimal::MAX)]
        );
    }

    #[test]
    fn a_price_that_does_not_fit_a_decimal_is_counted_and_not_summed() {
        let mut totals = RunningTotals::default();
        totals.add(Exact::from_units(1 << 96, 0).nearest(0));
        assert_eq!(totals.to_text(), "0 0 0 0 0 1");
    }

    #[test]
    fn malformed_totals_are_an_error_and_not_zero() {
        let start = RunningTotals::default();
        for term in [
            "",
            "5 4 4 1 0 0",
            "+",
            "+1 2 3",
            "+1 2 3 4 5 6 7",
            "+1 2 3 4 5 x",
            "+1  2 3 4 5",
            "++1 2 3 4 5 6",
            "é",
        ] {
            assert_eq!(start.clone().apply(term), Err(InvalidTotals), "{term:?}");
        }
    }

    #[test]
    fn subtracting_more_than_was_added_is_an_error_and_not_zero() {
        let start: RunningTotals = "10 10 9 1 0 0".parse().unwrap();
        assert_eq!(start.apply("-11 10 9 1 0 0"), Err(InvalidTotals));
    }
}
