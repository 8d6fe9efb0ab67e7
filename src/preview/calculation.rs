//! One calculation of all amounts, or of those of the order alone: price → discount → allocation → tax → total, under one
//! rounding.

use crate::options::TaxRate;

use super::amounts::{Amounts, LineAmounts, TaxAmounts};
use super::input::{Input, LineInput, TaxInput};
use super::log::{Location, Log};
use super::order_totals::ModeTotals;
use super::result::TaxSource;
use super::rounder::Rounder;
use super::trace::StepTarget;
use super::{allocate, discount, estimate, price, supplied, tax_totals, total};

/// Calculates every amount, including those of lines.
pub(super) fn calculate(
    input: &Input,
    items: &[LineInput],
    rates: Option<&[TaxRate]>,
    rounder: &mut Rounder,
    log: &mut Log,
) -> Amounts {
    let prices = price::extended_prices(items, rounder, log);
    let subtotal = price::subtotal(&prices, rounder, log);
    let (discount, discount_entries) = discount::discount(&input.discount, subtotal, rounder, log);
    let shares = discount.and_then(|discount| allocate::discount_shares(discount, &prices, rounder, log));
    let mut lines = Vec::with_capacity(prices.len());
    for (index, extended) in prices.into_iter().enumerate() {
        let discount = shares.as_ref().and_then(|shares| shares.get(index).copied());
        lines.push(LineAmounts { extended, discount, ..LineAmounts::default() });
    }
    let tax = match (&input.taxes, rates) {
        (TaxInput::Supplied(taxes), _) => {
            let tax = supplied::supplied_taxes(taxes, !lines.is_empty(), rounder, log);
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
        (TaxInput::Absent, Some(rates)) => estimate::estimated_taxes(rates, items, &mut lines, rounder, log),
        (TaxInput::Absent, None) => TaxAmounts::unknown(TaxSource::PointOfSale),
    };
    for (index, line) in lines.iter_mut().enumerate() {
        let target = StepTarget::Line(index, "total");
        line.total = total::net(target, line.extended, line.discount, line.tax, Location::Item(index), log);
    }
    let total = total::total(subtotal, discount, tax.total, log);
    Amounts { lines, subtotal, discount, discount_entries, tax, total }
}

/// Calculates the amounts of the order alone, from its totals under the same rounding.
pub(super) fn without_lines(
    input: &Input,
    totals: &ModeTotals<'_>,
    rates: Option<&[TaxRate]>,
    rounder: &Rounder,
    log: &mut Log,
) -> Amounts {
    let tax = match (&input.taxes, rates) {
        (TaxInput::Supplied(taxes), _) => supplied::supplied_taxes(taxes, false, rounder, log),
        (TaxInput::Unknown, _) => TaxAmounts::unknown(TaxSource::Supplied),
        (TaxInput::Absent, Some(rates)) => {
            estimate::report_rates(rates, log);
            let taxes = totals.taxes.as_ref().and_then(|sums| sums.taxes(rounder.tax_per, rounder));
            let total = taxes.as_deref().and_then(|taxes| tax_totals::total(taxes, rounder));
            TaxAmounts::estimated(taxes, total)
        }
        (TaxInput::Absent, None) => TaxAmounts::unknown(TaxSource::PointOfSale),
    };
    let total = total::total(totals.subtotal, totals.discount, tax.total, log);
    Amounts {
        lines: Vec::new(),
        subtotal: totals.subtotal,
        discount: totals.discount,
        discount_entries: totals.discount_entries.clone(),
        tax,
        total,
    }
}
