//! Rules for the other members of an order (§1, §2.1, §4, D20, D21, D23, D24).

use crate::code::IssueCode;
use crate::issue::{Details, IssueCollector};
use crate::json::JsonString;
use crate::options::{RuleOptions, TaxPricing, Version};
use crate::order::order;
use crate::order::schema::Field;
use crate::record::Record;

/// Warns that v2 has no customer pricing, and that v3 may price differently (§4, D20).
pub(super) fn customer_pricing<'a>(
    order: Record<'_, 'a>,
    options: &RuleOptions,
    issues: &mut IssueCollector<'a>,
) {
    let customer = order.get(&order::CUSTOMER_ID);
    if customer.guid().is_some() {
        let code = match options.version {
            Version::V2 => IssueCode::CustomerPricingUnsupported,
            Version::V3 => IssueCode::CustomerPricingPossible,
        };
        issues.report_member(&order::CUSTOMER_ID, code);
    }
}

/// Rejects a location that prices tax-inclusive (§1, D21).
pub(super) fn location_tax_pricing(options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    if options.location_tax_pricing != Some(TaxPricing::Inclusive) {
        return;
    }
    issues.report_member(&order::ENTITY_ID, IssueCode::LocationTaxInclusive);
}

/// Warns about OrderNumber and ExternalOrderId, which the service does not use (§2.1, D23).
pub(super) fn unused_members<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    for field in [&order::ORDER_NUMBER, &order::EXTERNAL_ORDER_ID] {
        if order.get(field).is_string() {
            issues.report_member(field, IssueCode::UnusedMember);
        }
    }
}

/// Checks that the strings which the point of sale displays are brief and printable (§2.1, D24).
pub(super) fn displayed_strings<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    for field in order.schema.fields {
        displayed_string(order, field, issues);
    }
}

/// Reports a string that is too long to display well, or that contains control characters (D24).
pub(super) fn displayed_string<'a>(
    record: Record<'_, 'a>,
    field: &'static Field,
    issues: &mut IssueCollector<'a>,
) {
    let Some(max) = field.max_chars else { return };
    let member = record.get(field);
    if !member.is_string() || is_short_ascii(member.raw, max) {
        return;
    }
    let Some(string) = JsonString::from_raw(member.raw) else { return };
    issues.enter(field);
    if string.characters().nth(max).is_some() {
        let length = || string.characters().count();
        issues.report_with(IssueCode::TextLong, &|| Details::limit(max).param("length", length()));
    }
    if string.characters().flatten().any(char::is_control) {
        issues.report(IssueCode::ControlCharacter);
    }
    issues.leave();
}

/// Returns true for a short string of printable ASCII without escapes, which most are.
fn is_short_ascii(raw: &str, max: usize) -> bool {
    const QUOTES: usize = 2;
    raw.len() <= max + QUOTES && raw.bytes().all(|byte| matches!(byte, 0x20..0x7F) && byte != b'\\')
}
