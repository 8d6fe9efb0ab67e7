//! The totals of an order without the amounts of its lines, under any rounding mode (D18, D19).

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::Rounding;
use crate::options::{TaxRate, TaxRounding};
use crate::order::order;
use crate::record::Record;

use super::detail::LineDetail;
use super::discount;
use super::input::{DiscountInput, Input, LineInput, TaxInput};
use super::log::{Location, Log};
use super::rounder::Rounder;
use super::running_totals::RunningTotals;
use super::tax_totals::{self, Estimate, TaxSums};
use super::total::total;

/// What the totals depend on, whatever the rounding mode.
pub(super) struct OrderTotals<'i> {
    /// `None` if there are no lines.
    prices: Option<RunningTotals>,
    discount: &'i DiscountInput,
    /// `None` if no taxes are estimated.
    estimate: Option<Estimate<'i>>,
}

/// The totals under one rounding mode.
pub(super) struct ModeTotals<'t> {
    pub(super) subtotal: Option<Decimal>,
    pub(super) discount: Option<Decimal>,
    pub(super) discount_entries: Vec<Option<Decimal>>,
    /// `None` if no taxes are estimated, or if they are unknown.
    pub(super) taxes: Option<Cow<'t, TaxSums>>,
}

impl<'i> OrderTotals<'i> {
    /// Sums the prices of the lines, unless that was done before.
    pub(super) fn new(
        order: Record<'_, '_>,
        input: &'i Input,
        rates: Option<&'i [TaxRate]>,
        scale: u32,
        detail: LineDetail<'_>,
    ) -> Self {
        let estimated = rates.filter(|_| matches!(input.taxes, TaxInput::Absent));
        let has_no_discount = matches!(&input.discount, DiscountInput::Entries(terms) if terms.is_empty());
        let estimate = estimated.and_then(|rates| match detail {
            // The shares of the lines in a discount, and so their taxes, are unknown.
            LineDetail::Precomputed(totals) => {
                has_no_discount.then(|| Estimate::of_sums(rates, totals.taxes.clone()))
            }
            _ => Some(Estimate::new(rates, LineInput::of_order(order, Some(rates)))),
        });
        let prices = match detail {
            LineDetail::Precomputed(totals) => Some(totals.clone()),
            _ => RunningTotals::of_order(order, scale),
        };
        Self { prices, discount: &input.discount, estimate }
    }

    /// Calculates the totals under one rounding mode. `rounder` meets the ties of prices and discounts, but not those of taxes,
    /// which are summed for all modes.
    pub(super) fn under(&self, rounder: &mut Rounder, log: &mut Log) -> ModeTotals<'_> {
        let subtotal = self.prices.as_ref().and_then(|prices| subtotal(prices, rounder, log));
        let (discount, discount_entries) = discount::discount(self.discount, subtotal, rounder, log);
        let taxes = match (&self.estimate, discount) {
            (Some(estimate), Some(discount)) => {
                let needs_lines = estimate.needs_lines(|sums| self.fits(sums, rounder));
                if needs_lines {
                    log.report(Location::Member(&order::ITEMS), IssueCode::AmountOutOfRange);
                }
                estimate.sums(discount, rounder).filter(|_| subtotal.is_some() && !needs_lines)
            }
            _ => None,
        };
        ModeTotals { subtotal, discount, discount_entries, taxes }
    }

    /// Returns true if the prices and taxes of all lines, and so those of each line, fit under every rounding. The scale of a
    /// sum is that of any line that it had before, so less may fit than in a sum of the lines themselves.
    fn fits(&self, taxes: &TaxSums, rounder: &Rounder) -> bool {
        Rounding::ALL.iter().all(|mode| {
            let rounder = Rounder { mode: *mode, ..*rounder };
            let price = self.prices.as_ref().and_then(|prices| prices.sum(*mode, rounder.scale));
            TaxRounding::ALL.iter().all(|level| {
                let tax = taxes.taxes(*level, &rounder).and_then(|taxes| tax_totals::total(&taxes, &rounder));
                total(price, Some(rounder.zero()), tax, &mut Log::new(false)).is_some()
            })
        })
    }
}

fn subtotal(prices: &RunningTotals, rounder: &mut Rounder, log: &mut Log) -> Option<Decimal> {
    rounder.met_tie |= prices.has_tie();
    if prices.is_out_of_range(rounder.mode, rounder.scale) {
        log.report(Location::Member(&order::ITEMS), IssueCode::AmountOutOfRange);
    }
    prices.total(rounder.mode, rounder.scale)
}
