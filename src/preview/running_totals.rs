//! The sums of lines that are calculated one by one (see [`crate::incremental`]).
//!
//! The host stores the sums as strings, and adds and subtracts lines exactly: they are whole units at the scale of the
//! currency, one sum for each rounding mode.

use std::str::FromStr;

use rust_decimal::Decimal;

use crate::check::priced;
use crate::decimal::{Exact, Rounding, push_digits};
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
    /// How many lines have a price that does not fit a decimal.
    out_of_range: u128,
}

/// Running totals are malformed, or more was subtracted than added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTotals;

impl RunningTotals {
    /// Returns the running totals of one line.
    pub(crate) fn of_item(item: Record<'_, '_>, scale: u32) -> Self {
        let Some((quantity, unit_price)) = priced(item) else { return Self::unpriced() };
        let exact = Exact::product(quantity, unit_price);
        let totals = exact.and_then(|exact| Self::of_price(&exact, scale));
        totals.unwrap_or_else(|| Self { out_of_range: 1, ..Self::default() })
    }

    /// Returns the running totals of one line without a valid price.
    pub(crate) fn unpriced() -> Self {
        Self { unpriced: 1, ..Self::default() }
    }

    /// Rounds an extended price in every mode (D18).
    fn of_price(exact: &Exact, scale: u32) -> Option<Self> {
        let units = |mode| Exact::new(exact.round(scale, mode)?.0)?.units_at(scale);
        let (_, is_tie) = exact.round(scale, Rounding::HalfUp)?;
        Some(Self {
            half_up: units(Rounding::HalfUp)?,
            half_even: units(Rounding::HalfEven)?,
            half_down: units(Rounding::HalfDown)?,
            ties: is_tie.into(),
            ..Self::default()
        })
    }

    /// Returns the subtotal, `None` if a line has no price or the sum does not fit a decimal.
    pub(super) fn subtotal(&self, mode: Rounding, scale: u32) -> Option<Decimal> {
        if self.unpriced != 0 || self.out_of_range != 0 {
            return None;
        }
        let units = match mode {
            Rounding::HalfUp => self.half_up,
            Rounding::HalfEven => self.half_even,
            Rounding::HalfDown => self.half_down,
        };
        Exact::from_units(units, scale).at_scale(scale)
    }

    /// Returns true if the price of a line, or the sum of all, does not fit a decimal.
    pub(super) fn is_out_of_range(&self, subtotal: Option<Decimal>) -> bool {
        self.out_of_range != 0 || self.unpriced == 0 && subtotal.is_none()
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
