//! One calculation of all amounts: price → discount → allocation → tax → total, under one rounding.

use crate::options::TaxRate;

use super::amounts::{Amounts, LineAmounts, TaxAmounts};
use super::input::{Input, TaxInput};
use super::log::{Location, Log};
use super::result::TaxSource;
use super::rounder::Rounder;
use super::running_totals::RunningTotals;
use super::trace::StepTarget;
use super::{allocate, discount, estimate, price, supplied, total};

/// Calculates every amount; those of lines only `with_lines`, or if taxes are estimated from them.
pub(super) fn calculate(
    input: &Input,
    rates: Option<&[TaxRate]>,
    running_totals: Option<&RunningTotals>,
    with_lines: bool,
    rounder: &mut Rounder,
    log: &mut Log,
) -> Amounts {
    let with_lines = with_lines || matches!((&input.taxes, rates), (TaxInput::Absent, Some(_)));
    let (prices, subtotal) = match running_totals {
        Some(totals) => (Vec::new(), price::precomputed_subtotal(totals, rounder, log)),
        None => {
            let prices = price::extended_prices(&input.lines, rounder, log);
            let subtotal = price::subtotal(&prices, rounder, log);
            (prices, subtotal)
        }
    };
    let (discount, discount_entries) = discount::discount(&input.discount, subtotal, rounder, log);
    let has_lines = !prices.is_empty();
    let prices = if with_lines { prices } else { Vec::new() };
    let shares = discount
        .filter(|_| with_lines)
        .and_then(|discount| allocate::discount_shares(discount, &prices, rounder, log));
    let mut lines = Vec::with_capacity(prices.len());
    for (index, extended) in prices.into_iter().enumerate() {
        let discount = shares.as_ref().and_then(|shares| shares.get(index).copied());
        lines.push(LineAmounts { extended, discount, ..LineAmounts::default() });
    }
    let tax = match (&input.taxes, rates) {
        (TaxInput::Supplied(taxes), _) => {
            let tax = supplied::supplied_taxes(taxes, has_lines, rounder, log);
            for line in &mut lines {
                line.tax = Some(rounder.zero());
            }
            if let Some(first) = lines.first_mut() {
                first.tax = tax.total;
                first.taxes.extend(&tax.entries);
            }
            tax
        }
        (TaxInput::Unknown, _) => TaxAmounts::unknown(TaxSource::Supplied),
        (TaxInput::Absent, Some(rates)) => {
            estimate::estimated_taxes(rates, &input.lines, &mut lines, rounder, log)
        }
        (TaxInput::Absent, None) => TaxAmounts::unknown(TaxSource::PointOfSale),
    };
    for (index, line) in lines.iter_mut().enumerate() {
        let target = StepTarget::Line(index, "total");
        line.total = total::net(target, line.extended, line.discount, line.tax, Location::Item(index), log);
    }
    let target = StepTarget::Total("/total");
    let total = total::net(target, subtotal, discount, tax.total, Location::Order, log);
    Amounts { lines, subtotal, discount, discount_entries, tax, total }
}
