//! Reports what a preview found, at its location in the order.

use crate::code::IssueCode;
use crate::issue::{Details, IssueCollector};
use crate::order::schema::Field;
use crate::order::{discount as discount_record, order, tax};
use crate::record::Record;

use super::log::{Finding, Location};

/// Reports that the point of sale will calculate the taxes (D12).
pub(super) fn report_unknown_tax<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let taxes = order.get(&order::TAXES);
    if taxes.is_absent() {
        issues.report_absent(order.raw(), &order::TAXES, IssueCode::TaxUnknown, &Details::default);
    } else {
        issues.report_member(&order::TAXES, taxes.raw, IssueCode::TaxUnknown);
    }
}

/// Reports a finding at its location in the order.
pub(super) fn report<'a>(finding: &Finding, order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let code = finding.code;
    match finding.location {
        Location::Order => issues.report(order.raw(), code),
        Location::Member(field) if order.get(field).is_absent() => issues.report(order.raw(), code),
        Location::Member(field) => issues.report_member(field, order.get(field).raw, code),
        Location::Item(index) => {
            let raw = raw_of_entry(Some(order), &order::ITEMS, index, None);
            issues.report_in(&[(&order::ITEMS).into(), index.into()], raw, code);
        }
        Location::DiscountEntry(index, field) => {
            let list = &discount_record::INVOICE_LEVEL;
            let raw = raw_of_entry(order.record(&order::DISCOUNT), list, index, Some(field));
            let path = [(&order::DISCOUNT).into(), list.into(), index.into(), field.into()];
            issues.report_in(&path, raw, code);
        }
        Location::TaxAmount(index) => {
            let raw = raw_of_entry(Some(order), &order::TAXES, index, Some(&tax::TAX_AMOUNT));
            let path = [(&order::TAXES).into(), index.into(), (&tax::TAX_AMOUNT).into()];
            issues.report_in(&path, raw, code);
        }
    }
}

/// Returns the JSON of an entry of a list, or of one of its members.
fn raw_of_entry<'a>(
    record: Option<Record<'_, 'a>>,
    list: &Field,
    index: usize,
    field: Option<&Field>,
) -> &'a str {
    let Some(entry) = record.and_then(|record| record.entry(list, index)) else { return "" };
    match (entry.record, field) {
        (Some(record), Some(field)) => record.get(field).raw,
        _ => entry.raw,
    }
}
