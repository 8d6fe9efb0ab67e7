//! The sums of estimated taxes over lines: at both levels, under every rounding mode (D12, D18, D19).

use crate::decimal::{Amount, Exact, PerRounding, Rounding, multiply};
use crate::options::{TaxRate, TaxRounding};

use super::input::LineInput;
use super::tax_rate::TaxableLine;

/// The sums of each tax over lines, under every rounding mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaxSums(pub(super) Vec<PerRounding<TaxSum>>);

/// The sum of one tax under one rounding mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TaxSum {
    /// The sum of the taxes that are rounded on each line, in units of the currency; `None` if one does not fit a decimal.
    pub(super) rounded: Option<u128>,
    /// `None` if it has more than 38 digits.
    pub(super) exact: Option<Exact>,
}

impl TaxSums {
    pub(super) fn none(rates: &[TaxRate]) -> Self {
        Self(rates.iter().map(|_| PerRounding::all(TaxSum::ZERO)).collect())
    }

    /// Adds the taxes of a line to the sums of the mode `only`, or of every mode if that is `None`.
    pub(super) fn add(
        &mut self,
        rates: &[TaxRate],
        line: &LineInput,
        taxable: Exact,
        scale: u32,
        only: Option<Rounding>,
    ) {
        let Some((quantity, _)) = line.priced else { return };
        let line = TaxableLine::new(rates, quantity, taxable, line.catalog_item_id);
        for (rate, sums) in rates.iter().zip(&mut self.0) {
            if line.as_ref().is_some_and(|line| !line.has(rate)) {
                continue;
            }
            let exact = line.as_ref().and_then(|line| line.tax(rate));
            let nearest = exact.and_then(|tax| tax.nearest(scale));
            for (mode, sum) in sums.each_mut() {
                if only.is_none_or(|only| only == mode) {
                    let fits = nearest.filter(|nearest| nearest.amount(mode, scale).is_some());
                    *sum = sum.plus(&TaxSum { rounded: fits.map(|nearest| nearest.units(mode)), exact });
                }
            }
        }
    }

    /// Returns the sum of each tax under a rounding mode.
    pub(super) fn of_mode(&self, mode: Rounding) -> impl Iterator<Item = &TaxSum> {
        self.0.iter().map(move |sums| sums.get(mode))
    }

    /// Returns all taxes together, rounded at a level; `None` if one of them or their sum does not fit.
    pub(super) fn total(&self, level: TaxRounding, mode: Rounding, scale: u32) -> Option<Amount> {
        let mut taxes = self.of_mode(mode);
        taxes.try_fold(Amount::zero(scale), |sum, tax| sum.plus(tax.total(level, mode, scale)?, scale))
    }
}

impl TaxSum {
    const ZERO: Self = Self { rounded: Some(0), exact: Some(Exact::ZERO) };

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            rounded: self.rounded.zip(other.rounded).and_then(|(sum, by)| sum.checked_add(by)),
            exact: self.exact.zip(other.exact).and_then(|(sum, by)| sum.plus(&by)),
        }
    }

    /// Returns the tax, rounded at a level; `None` if it does not fit, or can't be allocated to the lines (D17).
    pub(super) fn total(&self, level: TaxRounding, mode: Rounding, scale: u32) -> Option<Amount> {
        match level {
            TaxRounding::Line => Amount::new(self.rounded?, scale),
            TaxRounding::Tax => {
                let total = self.rounded_once(mode, scale)?;
                multiply(total.units(), self.exact?.units())?;
                Some(total)
            }
        }
    }

    /// Returns the tax, rounded once over all lines; `None` if it does not fit.
    pub(super) fn rounded_once(&self, mode: Rounding, scale: u32) -> Option<Amount> {
        self.exact?.nearest(scale)?.amount(mode, scale)
    }
}
