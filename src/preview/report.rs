//! Reports what a preview found, at its location in the order.

use crate::issue::IssueCollector;
use crate::order::{discount as discount_record, order, tax};
use crate::record::Record;

use super::log::{Finding, Location};

/// Reports a finding at its location in the order.
pub(super) fn report(finding: &Finding, order: Record<'_, '_>, issues: &mut IssueCollector<'_>) {
    let code = finding.code;
    match finding.location {
        Location::Order => issues.report(code),
        Location::Member(field) if order.get(field).is_absent() => issues.report(code),
        Location::Member(field) => issues.report_member(field, code),
        Location::Item(index) => issues.report_in(&[(&order::ITEMS).into(), index.into()], code),
        Location::DiscountEntry(index, field) => {
            let list = &discount_record::INVOICE_LEVEL;
            issues.report_in(&[(&order::DISCOUNT).into(), list.into(), index.into(), field.into()], code);
        }
        Location::TaxAmount(index) => {
            issues.report_in(&[(&order::TAXES).into(), index.into(), (&tax::TAX_AMOUNT).into()], code);
        }
    }
}
