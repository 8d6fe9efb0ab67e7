//! Rules for supplied taxes beyond those of their members (§2.1, D9, D10).

use crate::code::IssueCode;
use crate::issue::IssueCollector;
use crate::options::RuleOptions;
use crate::order::{order, tax};
use crate::record::{Record, Value};
use crate::sort::sorted_positions;

pub(super) fn rules(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    not_empty(order, options, issues);
    no_repetition(order, issues);
}

/// Rejects an empty list unless it is intended: supplied taxes replace all others (§2.1, D9).
fn not_empty(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    let taxes = order.get(&order::TAXES).value;
    if matches!(taxes, Value::List { count: 0, .. } | Value::Passthrough(0)) && !options.allow_empty_taxes {
        issues.report_member(&order::TAXES, IssueCode::TaxesEmpty);
    }
}

/// Warns about a tax that an earlier record has too (D10).
fn no_repetition(order: Record<'_, '_>, issues: &mut IssueCollector<'_>) {
    let taxes = order.entries(&order::TAXES);
    if taxes.len() < 2 {
        return;
    }
    let ids: Vec<_> =
        taxes.map(|entry| entry.record.and_then(|tax| tax.get(&tax::TAX_ID).guid_form())).collect();
    let id = |index: usize| ids.get(index).and_then(Option::as_deref);
    // Sorted, because comparing each pair of many taxes would take most of the time.
    let sorted = sorted_positions(ids.len(), &|left, right| id(left).cmp(&id(right)));
    for (earlier, index) in sorted.iter().zip(sorted.iter().skip(1)) {
        if id(*earlier).is_some() && id(*earlier) == id(*index) {
            let path = [(&order::TAXES).into(), (*index).into(), (&tax::TAX_ID).into()];
            issues.report_in(&path, IssueCode::TaxIdRepeated);
        }
    }
}
