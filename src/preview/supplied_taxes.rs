//! Taxes that the order supplies. They replace all others, are never recalculated, and are all on the first line (§2.1, D11).

use crate::code::IssueCode;
use crate::decimal::Amount;

use super::input::SuppliedTax;
use super::lines::LineAmounts;
use super::log::{Location, Log};
use super::trace::StepTarget;

/// Puts the taxes on the first line, and zero on the others. Returns their sum, `None` if one is unknown or the sum does not fit.
pub(super) fn put_on_first_line(
    taxes: &[SuppliedTax<'_>],
    lines: &mut [LineAmounts],
    scale: u32,
    log: &mut Log,
) -> Option<Amount> {
    for (index, tax) in taxes.iter().enumerate() {
        if tax.amount.is_some_and(|amount| amount.has_more_fraction_digits(scale)) {
            log.report(Location::TaxAmount(index), IssueCode::TaxAmountFractionDigits);
        }
    }
    let amounts: Vec<_> = taxes.iter().map(|tax| tax.amount).collect();
    let mut sum = |rule, target| log.sum(rule, target, scale, None, &amounts);
    let total = sum("D11", StepTarget::Total("/tax/total"));
    if let [first, others @ ..] = lines {
        first.tax = total.and_then(|_| sum("§2.1", StepTarget::Line(0, "tax")));
        let with_id = taxes.iter().enumerate().filter(|(_, tax)| tax.id.is_some());
        first.taxes.extend(with_id.filter_map(|(index, tax)| Some((index, tax.amount?))));
        others.iter_mut().for_each(|line| line.tax = Some(Amount::zero(scale)));
    }
    total
}
