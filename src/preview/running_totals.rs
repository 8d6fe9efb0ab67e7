//! The sums of lines, for all rounding modes at once.
//!
//! The host stores the sums as strings, and adds and subtracts lines exactly: prices and rounded taxes are whole units at the
//! scale of the currency, exact taxes have all their digits, and there is a sum for each rounding mode.

use crate::decimal::{Amount, Exact, Nearest, PerRounding, Rounding, push_digits};
use crate::options::{TaxRate, TaxRounding};
use crate::order::order;
use crate::record::Record;

use super::input::LineInput;
use super::tax_sums::{TaxSum, TaxSums};

/// The sums of lines, for each rounding mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunningTotals {
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

/// Printed instead of a sum that does not fit.
const OUT_OF_RANGE: &str = "-";

/// Running totals are malformed, or more was subtracted than added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidTotals;

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
    #[must_use]
    pub fn none(rates: Option<&[TaxRate]>) -> Self {
        Self { taxes: TaxSums::none(rates.unwrap_or_default()), ..Self::default() }
    }

    /// Returns the running totals of one line; `item` is `None` if it could not be read.
    pub(crate) fn of_item(item: Option<Record<'_, '_>>, scale: u32, rates: Option<&[TaxRate]>) -> Self {
        let mut totals = Self::none(rates);
        totals.add_line(&LineInput::of_item(item, rates, scale), scale, rates);
        totals
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

    /// Returns true if the prices and taxes of all lines, and so those of each line, fit under every rounding. A sum keeps
    /// the largest scale of all lines that it ever had, so it may not fit although the sum of its current lines would.
    pub(super) fn fit(&self, scale: u32) -> bool {
        Rounding::ALL.iter().all(|mode| {
            TaxRounding::ALL.iter().all(|level| {
                let tax = self.taxes.total(*level, *mode, scale);
                self.sum(*mode, scale).zip(tax).and_then(|(price, tax)| price.plus(tax, scale)).is_some()
            })
        })
    }

    /// Applies a term: `+` or `-` and the totals of a line.
    pub fn apply(mut self, term: &str) -> Result<Self, InvalidTotals> {
        type Apply = (fn(u128, u128) -> Option<u128>, fn(&TaxSum, &TaxSum) -> TaxSum);
        let (totals, (apply, apply_tax)): (_, Apply) = match term.split_at_checked(1) {
            Some(("+", totals)) => (totals, (u128::checked_add, TaxSum::plus)),
            Some(("-", totals)) => (totals, (u128::checked_sub, TaxSum::minus)),
            _ => return Err(InvalidTotals),
        };
        let by = Self::parse(totals, self.taxes.0.len())?;
        for (number, by) in self.numbers_mut().into_iter().zip(by.numbers()) {
            *number = apply(*number, by).ok_or(InvalidTotals)?;
        }
        for (sums, by) in self.taxes.0.iter_mut().zip(&by.taxes.0) {
            for ((_, sum), by) in sums.each_mut().into_iter().zip(by.each()) {
                *sum = apply_tax(sum, by);
            }
        }
        Ok(self)
    }

    fn numbers(&self) -> [u128; 6] {
        let [half_up, half_even, half_down] = self.prices.each().map(|sum| *sum);
        [half_up, half_even, half_down, self.ties, self.unpriced, self.out_of_range]
    }

    fn numbers_mut(&mut self) -> [&mut u128; 6] {
        let Self { prices, ties, unpriced, out_of_range, .. } = self;
        let [half_up, half_even, half_down] = prices.each_mut().map(|(_, sum)| sum);
        [half_up, half_even, half_down, ties, unpriced, out_of_range]
    }

    /// Prints the six numbers, and three for each tax and mode (rounded sum, digits and scale of the exact one), with spaces
    /// between them. Sums that do not fit are printed as `-`.
    #[must_use]
    pub fn to_text(&self) -> String {
        let mut text = String::new();
        let mut push = |number| {
            text.push_str(if text.is_empty() { "" } else { " " });
            match number {
                Some(number) => push_digits(&mut text, number, 0),
                None => text.push_str(OUT_OF_RANGE),
            }
        };
        self.numbers().into_iter().for_each(|number| push(Some(number)));
        for sum in self.taxes.0.iter().flat_map(PerRounding::each) {
            push(sum.rounded);
            push(sum.exact.map(|exact| exact.units()));
            push(sum.exact.map(|exact| exact.scale().into()));
        }
        text
    }

    /// Returns false if a sum of taxes did not fit, so that no line can be subtracted from it.
    #[must_use]
    pub fn can_be_subtracted_from(&self) -> bool {
        self.taxes
            .0
            .iter()
            .flat_map(PerRounding::each)
            .all(|sum| sum.rounded.is_some() && sum.exact.is_some())
    }

    fn parse(text: &str, taxes: usize) -> Result<Self, InvalidTotals> {
        let mut totals = Self { taxes: TaxSums(vec![PerRounding::default(); taxes]), ..Self::default() };
        let mut numbers = text.split(' ').map(|digits| match digits {
            OUT_OF_RANGE => Ok(None),
            // `parse` would accept it.
            _ if digits.starts_with('+') => Err(InvalidTotals),
            // Nearly every number fits 64 bits, and WebAssembly multiplies larger ones many times more slowly.
            _ => match digits.parse::<u64>() {
                Ok(number) => Ok(Some(number.into())),
                Err(_) => digits.parse::<u128>().map(Some).map_err(|_| InvalidTotals),
            },
        });
        let mut next = || numbers.next().unwrap_or(Err(InvalidTotals));
        for number in totals.numbers_mut() {
            *number = next()?.ok_or(InvalidTotals)?;
        }
        for (_, sum) in totals.taxes.0.iter_mut().flat_map(PerRounding::each_mut) {
            sum.rounded = next()?;
            let (digits, scale) = (next()?, next()?);
            let scale = scale.map(u32::try_from).transpose().map_err(|_| InvalidTotals)?;
            sum.exact = digits.zip(scale).map(|(digits, scale)| Exact::from_units(digits, scale));
        }
        if numbers.next().is_some() { Err(InvalidTotals) } else { Ok(totals) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_that_is_added_and_subtracted_leaves_the_totals_as_they_were() {
        let start = RunningTotals::parse("10 10 9 1 0 0", 0).unwrap();
        let after = start.clone().apply("+5 4 4 1 0 0").unwrap();
        assert_eq!(after.to_text(), "15 14 13 2 0 0");
        assert_eq!(after.apply("-5 4 4 1 0 0"), Ok(start));
    }

    #[test]
    fn a_tax_that_is_added_and_subtracted_leaves_its_sums_as_they_were() {
        let tax = |numbers: &str| format!("1 1 1 0 0 0 {}", [numbers; 3].join(" "));
        let start = RunningTotals::parse(&tax("7 7125 3"), 1).unwrap();
        let line = tax("0 12345 5");
        let after = start.clone().apply(&format!("+{line}")).unwrap();
        assert_eq!(after.to_text(), format!("2 2 2 0 0 0 {}", ["7 724845 5"; 3].join(" ")));
        assert_eq!(after.apply(&format!("-{line}")).unwrap().to_text(), tax("7 712500 5"));
        let without = start.apply(&format!("+{}", tax("0 - -"))).unwrap();
        assert!(!without.can_be_subtracted_from());
        assert_eq!(without.to_text(), format!("2 2 2 0 0 0 {}", ["7 - -"; 3].join(" ")));
    }

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
        let start = RunningTotals::parse("10 10 9 1 0 0", 0).unwrap();
        assert_eq!(start.apply("-11 10 9 1 0 0"), Err(InvalidTotals));
    }
}
