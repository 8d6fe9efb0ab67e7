//! The totals of estimated taxes, without the amounts of lines: at both levels, under every rounding mode (D12, D18, D19).

use std::cell::OnceCell;

use rust_decimal::Decimal;

use crate::decimal::{Exact, Nearest, Rounding, add, multiply};
use crate::options::{TaxRate, TaxRounding};

use super::allocate::discount_shares;
use super::input::LineInput;
use super::log::Log;
use super::price::extended_prices;
use super::rounder::Rounder;
use super::running_totals::{RunningTotals, extended};
use super::tax_rate::TaxableLine;

/// The rates and the lines of an estimate.
pub(super) struct Estimate<'i> {
    rates: &'i [TaxRate],
    lines: Vec<LineInput>,
    /// The sums over the lines whose price is the same under every mode, if no discount reduces it; without the other lines.
    without_ties: OnceCell<Option<TaxSums>>,
}

/// The sums of each tax over the lines.
#[derive(Clone)]
pub(super) struct TaxSums(Vec<TaxSum>);

#[derive(Clone)]
struct TaxSum {
    /// Each tax of a line rounded, under every mode.
    rounded: RunningTotals,
    /// `None` if it has more than 38 digits.
    exact: Option<Exact>,
}

impl<'i> Estimate<'i> {
    pub(super) fn new(rates: &'i [TaxRate], lines: Vec<LineInput>) -> Self {
        Self { rates, lines, without_ties: OnceCell::new() }
    }

    /// Sums the taxes on the prices after a discount; returns `None` if a price is unknown, or if a tax has more than 38 digits.
    pub(super) fn sums(&self, discount: Decimal, rounder: &Rounder) -> Option<TaxSums> {
        if discount.is_zero() {
            let mut sums = self.without_ties.get_or_init(|| self.sums_without_ties(rounder)).clone()?;
            for line in &self.lines {
                let price = price(line, rounder)?;
                if price.is_tie() {
                    self.add(
                        line,
                        Exact::from_units(price.units(rounder.mode), rounder.scale),
                        rounder,
                        &mut sums,
                    )?;
                }
            }
            return Some(sums);
        }
        let log = &mut Log::new(false);
        let prices = extended_prices(&self.lines, &mut Rounder { ..*rounder }, log);
        let shares = discount_shares(discount, &prices, rounder, log)?;
        let mut sums = TaxSums::none(self.rates);
        for (line, share) in self.lines.iter().zip(shares) {
            let price = Exact::from_units(price(line, rounder)?.units(rounder.mode), rounder.scale);
            self.add(line, price.minus(share)?, rounder, &mut sums)?;
        }
        Some(sums)
    }

    fn sums_without_ties(&self, rounder: &Rounder) -> Option<TaxSums> {
        let mut sums = TaxSums::none(self.rates);
        for line in &self.lines {
            let price = price(line, rounder)?;
            if !price.is_tie() {
                self.add(
                    line,
                    Exact::from_units(price.units(rounder.mode), rounder.scale),
                    rounder,
                    &mut sums,
                )?;
            }
        }
        Some(sums)
    }

    /// Adds the taxes of a line.
    fn add(&self, line: &LineInput, taxable: Exact, rounder: &Rounder, sums: &mut TaxSums) -> Option<()> {
        let (quantity, _) = line.priced?;
        let line = TaxableLine::new(self.rates, quantity, taxable, line.catalog_item_id)?;
        for (rate, sum) in self.rates.iter().zip(&mut sums.0).filter(|(rate, _)| line.has(rate)) {
            let tax = line.tax(rate)?;
            sum.rounded.add(tax.nearest(rounder.scale));
            sum.exact = sum.exact.and_then(|sum| sum.plus(&tax));
        }
        Some(())
    }
}

/// Returns the extended price of a line before ties are decided.
fn price(line: &LineInput, rounder: &Rounder) -> Option<Nearest> {
    let (quantity, unit_price) = line.priced?;
    extended(quantity, unit_price, rounder.scale)
}

impl TaxSums {
    fn none(rates: &[TaxRate]) -> Self {
        Self(vec![TaxSum { rounded: RunningTotals::default(), exact: Some(Exact::ZERO) }; rates.len()])
    }

    /// Returns the total of each tax, rounded at a level; `None` if one does not fit.
    pub(super) fn taxes(&self, level: TaxRounding, rounder: &Rounder) -> Option<Vec<Decimal>> {
        let Rounder { mode, scale, .. } = *rounder;
        let mut taxes = Vec::with_capacity(self.0.len());
        for sum in &self.0 {
            taxes.push(match level {
                TaxRounding::Line => sum.rounded.total(mode, scale)?,
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
    /// Returns `None` too if the total can't be allocated to the lines (D17).
    fn rounded_once(&self, mode: Rounding, scale: u32) -> Option<Decimal> {
        let exact = self.exact?;
        let (total, _) = exact.round(scale, mode)?;
        multiply(Exact::new(total)?.units_at(scale)?, exact.units_at(exact.scale())?)?;
        Some(total)
    }
}
