//! The totals of estimated taxes, without the amounts of lines: at both levels, under every rounding mode (D12, D18, D19).

use std::borrow::Cow;
use std::cell::OnceCell;

use rust_decimal::Decimal;

use crate::decimal::{Exact, Nearest, Rounding, add, multiply};
use crate::options::{TaxRate, TaxRounding};

use super::allocate::discount_shares;
use super::input::LineInput;
use super::log::Log;
use super::price::extended_prices;
use super::rounder::Rounder;
use super::tax_rate::TaxableLine;

/// The rates and the lines of an estimate.
pub(super) struct Estimate<'i> {
    rates: &'i [TaxRate],
    /// `None` if they were summed before.
    lines: Option<Vec<LineInput>>,
    undiscounted: OnceCell<TaxSums>,
}

/// The sums of each tax over lines, under every rounding mode.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct TaxSums(pub(super) Vec<[TaxSum; Rounding::ALL.len()]>);

/// The sum of one tax under one rounding mode.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct TaxSum {
    /// The sum of the taxes that are rounded on each line; `None` if one does not fit a decimal.
    pub(super) rounded: Option<u128>,
    /// `None` if it has more than 38 digits.
    pub(super) exact: Option<Exact>,
}

impl<'i> Estimate<'i> {
    pub(super) fn new(rates: &'i [TaxRate], lines: Vec<LineInput>) -> Self {
        Self { rates, lines: Some(lines), undiscounted: OnceCell::new() }
    }

    /// Estimates the taxes from the sums of lines without a discount.
    pub(super) fn of_sums(rates: &'i [TaxRate], sums: TaxSums) -> Self {
        Self { rates, lines: None, undiscounted: sums.into() }
    }

    /// Returns true if the taxes come from sums, and only the lines say what does not fit.
    pub(super) fn needs_lines(&self, fits: impl Fn(&TaxSums) -> bool) -> bool {
        self.lines.is_none() && self.undiscounted.get().is_some_and(|sums| !fits(sums))
    }

    /// Sums the taxes on the prices after a discount; all prices are known. Returns `None` if the shares of the lines in the
    /// discount are unknown.
    pub(super) fn sums(&self, discount: Decimal, rounder: &Rounder) -> Option<Cow<'_, TaxSums>> {
        let (rates, scale) = (self.rates, rounder.scale);
        if discount.is_zero() {
            let sums = || {
                let mut sums = TaxSums::none(rates);
                self.lines.iter().flatten().for_each(|line| sums.add_line(rates, line, scale));
                sums
            };
            return Some(Cow::Borrowed(self.undiscounted.get_or_init(sums)));
        }
        let lines = self.lines.as_ref()?;
        let log = &mut Log::new(false);
        let prices = extended_prices(lines, &mut Rounder { ..*rounder }, log);
        let shares = discount_shares(discount, &prices, rounder, log)?;
        let mut sums = TaxSums::none(rates);
        for (line, share) in lines.iter().zip(shares) {
            let price = Exact::from_units(price(line, scale)?.units(rounder.mode), scale);
            // Without a tie, prices and shares are the same under every mode, and the range reads the taxes of all.
            sums.add(rates, line, price.minus(share)?, scale, Rounding::ALL);
        }
        Some(Cow::Owned(sums))
    }
}

/// Returns the extended price of a line before ties are decided.
fn price(line: &LineInput, scale: u32) -> Option<Nearest> {
    let (quantity, unit_price) = line.priced?;
    Nearest::of_product(quantity, unit_price, scale)
}

impl TaxSums {
    pub(super) fn none(rates: &[TaxRate]) -> Self {
        Self(vec![[TaxSum::ZERO; Rounding::ALL.len()]; rates.len()])
    }

    /// Adds the taxes of a line that no discount reduces; a line without a valid price has none.
    pub(super) fn add_line(&mut self, rates: &[TaxRate], line: &LineInput, scale: u32) {
        let Some(price) = price(line, scale) else { return };
        // Most prices are the same under every mode.
        let all =
            if price.is_tie() { Rounding::ALL.chunks(1) } else { Rounding::ALL.chunks(Rounding::ALL.len()) };
        for modes in all {
            let Some(mode) = modes.first() else { continue };
            self.add(rates, line, Exact::from_units(price.units(*mode), scale), scale, modes);
        }
    }

    /// Adds the taxes of a line, whose taxable amount is the same under these modes.
    fn add(&mut self, rates: &[TaxRate], line: &LineInput, taxable: Exact, scale: u32, modes: &[Rounding]) {
        let Some((quantity, _)) = line.priced else { return };
        let line = TaxableLine::new(rates, quantity, taxable, line.catalog_item_id);
        for (rate, sums) in rates.iter().zip(&mut self.0) {
            if line.as_ref().is_some_and(|line| !line.has(rate)) {
                continue;
            }
            let tax = line.as_ref().and_then(|line| line.tax(rate));
            let nearest = tax.and_then(|tax| tax.nearest(scale));
            for (mode, sum) in Rounding::ALL.iter().zip(sums).filter(|(mode, _)| modes.contains(mode)) {
                let units =
                    nearest.filter(|nearest| nearest.fits_decimal(*mode)).map(|nearest| nearest.units(*mode));
                *sum = sum.plus(&TaxSum { rounded: units, exact: tax });
            }
        }
    }

    /// Returns the total of each tax, rounded at a level; `None` if one does not fit.
    pub(super) fn taxes(&self, level: TaxRounding, rounder: &Rounder) -> Option<Vec<Decimal>> {
        let Rounder { mode, scale, .. } = *rounder;
        let mut taxes = Vec::with_capacity(self.0.len());
        for sums in &self.0 {
            let (_, sum) = Rounding::ALL.iter().zip(sums).find(|(its, _)| **its == mode)?;
            taxes.push(match level {
                TaxRounding::Line => Exact::from_units(sum.rounded?, scale).at_scale(scale)?,
                TaxRounding::Tax => sum.rounded_once(mode, scale)?,
            });
        }
        Some(taxes)
    }
}

/// Returns all taxes together; `None` if they do not fit.
pub(super) fn total(taxes: &[Decimal], rounder: &Rounder) -> Option<Decimal> {
    taxes.iter().try_fold(rounder.zero(), |sum, tax| add(sum, *tax, rounder.scale))
}

impl TaxSum {
    pub(super) const ZERO: Self = Self { rounded: Some(0), exact: Some(Exact::ZERO) };

    pub(super) fn plus(&self, other: &Self) -> Self {
        Self {
            rounded: self.rounded.zip(other.rounded).and_then(|(sum, by)| sum.checked_add(by)),
            exact: self.exact.zip(other.exact).and_then(|(sum, by)| sum.plus(&by)),
        }
    }

    pub(super) fn minus(&self, other: &Self) -> Self {
        Self {
            rounded: self.rounded.zip(other.rounded).and_then(|(sum, by)| sum.checked_sub(by)),
            exact: self.exact.zip(other.exact).and_then(|(sum, by)| sum.less(&by)),
        }
    }

    /// Returns `None` too if the total can't be allocated to the lines (D17).
    fn rounded_once(&self, mode: Rounding, scale: u32) -> Option<Decimal> {
        let exact = self.exact?;
        let (total, _) = exact.round(scale, mode)?;
        multiply(Exact::new(total)?.units_at(scale)?, exact.units_at(exact.scale())?)?;
        Some(total)
    }
}
