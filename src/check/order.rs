//! Rules for the order that depend on options (§1, §4, D20, D21).

use crate::code::IssueCode;
use crate::guid::Guid;
use crate::issue::{IssueCollector, PathSegment};
use crate::json;
use crate::options::{RuleOptions, TaxPricing, Version};
use crate::order::order;
use crate::record::{OtherMember, Record};

pub(super) fn rules<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut IssueCollector<'a>) {
    customer_pricing(order, options, issues);
    location_tax_pricing(options, issues);
}

/// Warns that v2 has no customer pricing, and that v3 may price differently (§4, D20).
fn customer_pricing<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut IssueCollector<'a>) {
    let code = match options.version {
        Version::V2 => IssueCode::CustomerPricingUnsupported,
        Version::V3 => IssueCode::CustomerPricingPossible,
    };
    if order.get(&order::CUSTOMER_ID).guid().is_some() {
        issues.report_member(&order::CUSTOMER_ID, code);
    }
    // A reader that ignores case takes it for the customer (D63).
    if let Some(OtherMember { raw_name, raw, position, .. }) = order.in_another_case(&order::CUSTOMER_ID)
        && json::string(raw).is_some_and(|id| Guid::read(&id).is_ok())
    {
        issues.report_in(&[PathSegment::Unknown { raw_name, position: *position }], code);
    }
}

/// Rejects a location that prices tax-inclusive (§1, D21).
fn location_tax_pricing(options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    if options.location_tax_pricing == Some(TaxPricing::Inclusive) {
        issues.report_member(&order::ENTITY_ID, IssueCode::LocationTaxInclusive);
    }
}
