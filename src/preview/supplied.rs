//! Supplied taxes: they replace all others and are never recalculated (§2.1, D11).

use crate::code::IssueCode;
use crate::decimal::pad;
use crate::order::order;

use super::amounts::TaxAmounts;
use super::input::SuppliedTax;
use super::log::{Location, Log};
use super::result::TaxSource;
use super::rounder::Rounder;
use super::trace::{Formula, StepTarget};

/// Sums the supplied taxes. They are all on the first line, if there is one.
pub(super) fn supplied_taxes(
    taxes: &[SuppliedTax],
    has_lines: bool,
    rounder: &Rounder,
    log: &mut Log,
) -> TaxAmounts {
    let mut amounts = Vec::with_capacity(taxes.len());
    let mut entries = Vec::with_capacity(taxes.len());
    for (index, tax) in taxes.iter().enumerate() {
        let amount = tax.amount.map(|amount| pad(amount, rounder.scale));
        amounts.push(amount);
        let Some(amount) = amount else { continue };
        if amount.scale() > rounder.scale {
            log.report(Location::TaxAmount(index), IssueCode::TaxAmountFractionDigits);
        }
        if tax.id.is_some() {
            entries.push((index, amount));
        }
    }
    let location = Location::Member(&order::TAXES);
    let target = StepTarget::Total("/tax/total");
    let total = log.sum("D11", target, rounder.zero(), location, &amounts);
    if let (true, Some(total)) = (has_lines, &total) {
        log.trace.record("§2.1", StepTarget::Line(0, "tax"), Formula::Sum(&amounts), total);
    }
    TaxAmounts { source: TaxSource::Supplied, total, entries }
}
