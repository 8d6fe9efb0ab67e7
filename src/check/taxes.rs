//! Rules for supplied taxes (§2.1, D9, D10).

use std::collections::BTreeSet;

use crate::code::IssueCode;
use crate::guid::Guid;
use crate::issue::IssueCollector;
use crate::options::RuleOptions;
use crate::order::{order, tax};
use crate::record::{Record, Value};

use super::required::{not_negative, readable, required_members};

/// Checks supplied taxes: they replace all others, so an empty list must be intended (§2.1, D9).
pub(super) fn taxes<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut IssueCollector<'a>) {
    let list = order.get(&order::TAXES);
    issues.enter(&order::TAXES);
    let is_empty = matches!(list.value, Value::List { count: 0, .. } | Value::Passthrough(0));
    if is_empty && !options.allow_empty_taxes {
        issues.report(IssueCode::TaxesEmpty);
    }
    // Not a HashSet: without random keys, as in WebAssembly, an order could be made whose hashes collide.
    let mut ids = BTreeSet::new();
    for (index, record) in readable(order.entries(&order::TAXES)) {
        issues.enter(index);
        tax(record, issues);
        repeated_id(record, &mut ids, issues);
        issues.leave();
    }
    issues.leave();
}

/// Requires an id, and an amount that is not negative (D10).
fn tax<'a>(tax: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required_members(tax, issues);
    not_negative(tax, &tax::TAX_AMOUNT, IssueCode::TaxAmountNegative, issues);
}

/// Warns about a tax that an earlier record has too (D10).
fn repeated_id<'a>(tax: Record<'_, 'a>, earlier: &mut BTreeSet<Guid>, issues: &mut IssueCollector<'a>) {
    if let Some(guid) = tax.get(&tax::TAX_ID).guid()
        && !earlier.insert(guid)
    {
        issues.report_member(&tax::TAX_ID, IssueCode::TaxIdRepeated);
    }
}
