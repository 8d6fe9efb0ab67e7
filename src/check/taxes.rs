//! Rules for supplied taxes beyond those of their members (§2.1, D9, D10).

use std::collections::BTreeSet;

use crate::code::IssueCode;
use crate::issue::IssueCollector;
use crate::options::RuleOptions;
use crate::order::{order, tax};
use crate::record::{Record, Value};

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
    // Not a HashSet: without random keys, as in WebAssembly, an order could be made whose hashes collide.
    let mut ids = BTreeSet::new();
    for (index, entry) in order.entries(&order::TAXES).enumerate() {
        let id = entry.record.and_then(|tax| tax.get(&tax::TAX_ID).guid_form());
        if id.is_some_and(|id| !ids.insert(id)) {
            let path = [(&order::TAXES).into(), index.into(), (&tax::TAX_ID).into()];
            issues.report_in(&path, IssueCode::TaxIdRepeated);
        }
    }
}
