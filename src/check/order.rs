//! Rules for the order that depend on options (§1, §4, D20, D21).

use crate::code::IssueCode;
use crate::issue::IssueCollector;
use crate::options::{RuleOptions, TaxPricing, Version};
use crate::order::order;
use crate::record::Record;

pub(super) fn rules(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    customer_pricing(order, options, issues);
    location_tax_pricing(options, issues);
}

/// Warns that v2 has no customer pricing, and that v3 may price differently (§4, D20).
fn customer_pricing(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    if order.get(&order::CUSTOMER_ID).guid().is_some() {
        let code = match options.version {
            Version::V2 => IssueCode::CustomerPricingUnsupported,
            Version::V3 => IssueCode::CustomerPricingPossible,
        };
        issues.report_member(&order::CUSTOMER_ID, code);
    }
}

/// Rejects a location that prices tax-inclusive (§1, D21).
fn location_tax_pricing(options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    if options.location_tax_pricing == Some(TaxPricing::Inclusive) {
        issues.report_member(&order::ENTITY_ID, IssueCode::LocationTaxInclusive);
    }
}
