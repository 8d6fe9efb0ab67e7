//! The totals of estimated taxes, without the amounts of lines: at both levels, under every rounding mode (D12, D18, D19).

use rust_decimal::Decimal;

use crate::decimal::{Exact, Rounding, add, multiply};
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
    pub(super) rates: &'i [TaxRate],
    pub(super) lines: Vec<LineInput>,
}

/// The sums of each tax over the lines.
pub(super) struct TaxSums(Vec<TaxSum>);

#[derive(Clone)]
struct TaxSum {
    /// Each tax of a line rounded, under every mode.
    rounded: RunningTotals,
    /// `None` if it has more than 38 digits.
    exact: Option<Exact>,
}

impl Estimate<'_> {
    /// Sums the taxes on the prices after a discount; returns `None` if a price is unknown, or if a tax has more than 38 digits.
    pub(super) fn sums(&self, discount: Decimal, rounder: &Rounder) -> Option<TaxSums> {
        let mut shares = self.discount_shares(discount, rounder)?.into_iter();
        let mut sums =
            vec![TaxSum { rounded: RunningTotals::default(), exact: Some(Exact::ZERO) }; self.rates.len()];
        for line in &self.lines {
            let (quantity, _) = line.priced?;
            let mut taxable = price(line, rounder)?;
            if let Some(share) = shares.next() {
                taxable = taxable.minus(share)?;
            }
            let line = TaxableLine::new(self.rates, quantity, taxable, line.catalog_item_id)?;
            for (rate, sum) in self.rates.iter().zip(&mut sums).filter(|(rate, _)| line.has(rate)) {
                let tax = line.tax(rate)?;
                sum.rounded.add(tax.nearest(rounder.scale));
                sum.exact = sum.exact.and_then(|sum| sum.plus(&tax));
            }
        }
        Some(TaxSums(sums))
    }

    /// Returns each line's share of the discount (D17); none if the discount is zero.
    fn discount_shares(&self, discount: Decimal, rounder: &Rounder) -> Option<Vec<Decimal>> {
        if discount.is_zero() {
            return Some(Vec::new());
        }
        let log = &mut Log::new(false);
        let prices = extended_prices(&self.lines, &mut Rounder { ..*rounder }, log);
        discount_shares(discount, &prices, rounder, log)
    }
}

/// Returns the extended price of a line.
fn price(line: &LineInput, rounder: &Rounder) -> Option<Exact> {
    let (quantity, unit_price) = line.priced?;
    let units = extended(quantity, unit_price, rounder.scale)?.units(rounder.mode);
    Some(Exact::from_units(units, rounder.scale))
}

impl TaxSums {
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
    taxes.iter().try_fold(rounder.zero(), |sum, tax| add(sum, *tax))
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
