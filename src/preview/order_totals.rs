//! The totals of an order without the amounts of its lines, under any rounding mode (D18, D19).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::options::TaxRate;
use crate::order::order;
use crate::record::Record;

use super::detail::LineDetail;
use super::discount;
use super::input::{DiscountInput, Input, LineInput, TaxInput};
use super::log::{Location, Log};
use super::rounder::Rounder;
use super::running_totals::RunningTotals;
use super::tax_totals::{Estimate, TaxSums};

/// What the totals depend on, whatever the rounding mode.
pub(super) struct OrderTotals<'i> {
    /// `None` if there are no lines.
    prices: Option<RunningTotals>,
    discount: &'i DiscountInput,
    /// `None` if no taxes are estimated, or if the lines were calculated before.
    estimate: Option<Estimate<'i>>,
}

/// The totals under one rounding mode.
pub(super) struct ModeTotals {
    pub(super) subtotal: Option<Decimal>,
    pub(super) discount: Option<Decimal>,
    pub(super) discount_entries: Vec<Option<Decimal>>,
    /// `None` if no taxes are estimated, or if they are unknown.
    pub(super) taxes: Option<TaxSums>,
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
        let discount = &input.discount;
        if let LineDetail::Precomputed(totals) = detail {
            return Self { prices: Some(totals.clone()), discount, estimate: None };
        }
        let estimate = match (&input.taxes, rates) {
            (TaxInput::Absent, Some(rates)) => {
                Some(Estimate::new(rates, LineInput::of_order(order, Some(rates))))
            }
            _ => None,
        };
        Self { prices: RunningTotals::of_order(order, scale), discount, estimate }
    }

    /// Calculates the totals under one rounding mode. `rounder` meets the ties of prices and discounts, but not those of taxes,
    /// which are summed for all modes.
    pub(super) fn under(&self, rounder: &mut Rounder, log: &mut Log) -> ModeTotals {
        let subtotal = self.prices.as_ref().and_then(|prices| subtotal(prices, rounder, log));
        let (discount, discount_entries) = discount::discount(self.discount, subtotal, rounder, log);
        let taxes = match (&self.estimate, subtotal, discount) {
            (Some(estimate), Some(_), Some(discount)) => estimate.sums(discount, rounder),
            _ => None,
        };
        ModeTotals { subtotal, discount, discount_entries, taxes }
    }
}

fn subtotal(prices: &RunningTotals, rounder: &mut Rounder, log: &mut Log) -> Option<Decimal> {
    rounder.met_tie |= prices.has_tie();
    if prices.is_out_of_range(rounder.mode, rounder.scale) {
        log.report(Location::Member(&order::ITEMS), IssueCode::AmountOutOfRange);
    }
    prices.total(rounder.mode, rounder.scale)
}
