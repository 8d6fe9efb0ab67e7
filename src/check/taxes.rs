//! Rules for supplied taxes (§2.1, D9, D10).

use std::collections::BinaryHeap;

use crate::code::IssueCode;
use crate::issue::{IssueCollector, PathSegment};
use crate::options::RuleOptions;
use crate::order::{order, tax};
use crate::record::{Record, Value};

use super::required::{for_each_record, not_negative, required_members};

/// Checks supplied taxes: they replace all others, so an empty list must be intended (§2.1, D9).
pub(super) fn taxes<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut IssueCollector<'a>) {
    let list = order.get(&order::TAXES);
    issues.enter(&order::TAXES);
    let is_empty = matches!(list.value, Value::List { count: 0, .. } | Value::Passthrough(0));
    if is_empty && !options.allow_empty_taxes {
        issues.report(list.raw, IssueCode::TaxesEmpty);
    }
    for_each_record(order.entries(&order::TAXES), issues, &mut tax);
    repeated_taxes(order, issues);
    issues.leave();
}

/// Requires an id, and an amount that is not negative (D10).
fn tax<'a>(tax: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required_members(tax, issues);
    not_negative(tax, &tax::TAX_AMOUNT, IssueCode::TaxAmountNegative, issues);
}

/// Warns about a tax that appears twice (D10).
fn repeated_taxes<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let taxes = order.entries(&order::TAXES).enumerate();
    let ids: Vec<_> = taxes
        .filter_map(|(index, tax)| {
            let id = tax.record?.get(&tax::TAX_ID);
            Some((id.guid()?.into_string(), index, id.raw))
        })
        .collect();
    // Texts, and tuples like those of the issues, so that both are sorted by the same code.
    let keys: BinaryHeap<_> = ids.iter().enumerate().map(|(at, (id, ..))| (0, &**id, at)).collect();
    for pair in keys.into_sorted_vec().windows(2) {
        if let [(_, id, _), (_, same, at)] = pair
            && id == same
            && let Some((_, index, raw)) = ids.get(*at)
        {
            let path = [PathSegment::Index(*index), (&tax::TAX_ID).into()];
            issues.report_in(&path, raw, IssueCode::TaxIdRepeated);
        }
    }
}
