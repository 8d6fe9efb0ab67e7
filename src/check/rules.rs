//! Rules between members, and those that depend on options or on the purpose. A rule of one member is in the table of members.

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::did_you_mean;
use crate::guid::{Guid, NoRandomSource};
use crate::issue::{IssueCollector, PathSegment};
use crate::json::{self, Unrepresentable};
use crate::options::{DiscountValueTypes, RuleOptions, TaxPricing, Version};
use crate::order::{ValueType, discount, discount_entry, item, order, tax};
use crate::parse::{ParsedOrder, report_unrepresentable};
use crate::record::{Member, OtherMember, Record, RecordSet, Value};
use crate::sort::sorted_positions;

/// The purpose of a check: it decides whether an `Id` is required, and whether read-only members are reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Purpose {
    /// To send it: it needs its own Id (D3), and read-only members, which are not sent, are not reported (D22).
    Send,
    /// To preview a cart: like `Send`, but it needs no Id yet.
    Preview,
    /// To validate it as it is: it needs an Id, and read-only members are reported (D22).
    Validate,
}

/// Applies the rules.
pub(super) fn check_rules<'a>(
    order: Record<'_, 'a>,
    purpose: Purpose,
    options: &RuleOptions,
    issues: &mut IssueCollector<'a>,
) {
    if purpose != Purpose::Preview {
        order_id_present(order, issues);
    }
    order_id_matches_path(order, options, issues);
    taxes_not_empty(order, options, issues);
    no_tax_repeated(order, issues);
    percentages_within_100(order, options, issues);
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
    if let Some(OtherMember { raw_name, raw, .. }) = order.in_another_case(&order::CUSTOMER_ID)
        && json::string(raw).is_some_and(|id| Guid::read(&id).is_ok())
    {
        issues.report_in(&[PathSegment::Unknown(raw_name)], code);
    }
}

/// Rejects a location that prices tax-inclusive (§1, D21).
fn location_tax_pricing(options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    if options.location_tax_pricing == Some(TaxPricing::Inclusive) {
        issues.report_member(&order::ENTITY_ID, IssueCode::LocationTaxInclusive);
    }
}

/// Requires an Id; a cart needs none yet (D3).
fn order_id_present<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    match order.get(&order::ID).value {
        Value::Null => issues.report_member(&order::ID, IssueCode::NullNotAllowed),
        Value::Absent => report_missing_id(order, issues),
        _ => {}
    }
}

/// Reports a missing Id. Unless another member is probably meant to be it, the hint says where an Id comes from: one that is made
/// for each attempt doubles the order (D2, D3).
pub(super) fn report_missing_id<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    const ORIGIN: &str = "make one once, with newOrderId or from a key of your own, and store it with the order before you send it";
    issues.report_member_with(&order::ID, IssueCode::Missing, &|| {
        let mut details = did_you_mean::details_for_missing(order, order::ID.name);
        details.hint.get_or_insert_with(|| ORIGIN.to_owned());
        details
    });
}

/// Rejects an Id that differs from the one in the path (§4, D3).
fn order_id_matches_path(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    let Some(path_id) = options.order_id else { return };
    if order.get(&order::ID).guid().is_some_and(|own_id| own_id != path_id) {
        issues.report_member(&order::ID, IssueCode::OrderIdMismatch);
    }
}

/// Rejects an empty list unless it is intended: supplied taxes replace all others (§2.1, D9).
fn taxes_not_empty(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    let taxes = order.get(&order::TAXES).value;
    if matches!(taxes, Value::List { count: 0, .. } | Value::Passthrough(0)) && !options.allow_empty_taxes {
        issues.report_member(&order::TAXES, IssueCode::TaxesEmpty);
    }
}

/// Warns about a tax that an earlier record has too (D10).
fn no_tax_repeated(order: Record<'_, '_>, issues: &mut IssueCollector<'_>) {
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

/// Rejects a percentage above 100, if the options define which values are percentages (D15).
fn percentages_within_100(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
    let Some(value_types) = &options.discount_value_types else { return };
    let Some(discount) = order.record(&order::DISCOUNT) else { return };
    for (index, entry) in discount.entries(&discount::INVOICE_LEVEL).enumerate() {
        let Some(entry) = entry.record else { continue };
        let discount_type = discount_type(entry.get(&discount_entry::VALUE_TYPE), Some(value_types));
        let value = entry.get(&discount_entry::VALUE).decimal();
        if discount_type == DiscountType::Percent && value.is_some_and(|value| value > Decimal::ONE_HUNDRED) {
            let (list, value) = (&discount::INVOICE_LEVEL, &discount_entry::VALUE);
            let path = [(&order::DISCOUNT).into(), list.into(), index.into(), value.into()];
            issues.report_in(&path, IssueCode::DiscountPercentOutOfRange);
        }
    }
}

/// The meaning of a discount's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DiscountType {
    /// An amount in the currency.
    Amount,
    /// A percentage of the remaining subtotal.
    Percent,
    /// The options do not define the ValueType (D14).
    Unknown,
    /// The ValueType is missing, or neither a number nor a string.
    Invalid,
}

/// Returns what a ValueType means, as the options define it (D14).
pub(crate) fn discount_type(
    value_type: &Member<'_>,
    value_types: Option<&DiscountValueTypes>,
) -> DiscountType {
    let is = |wanted: &ValueType| match wanted {
        ValueType::Number(number) => value_type.decimal() == Some(*number),
        ValueType::Text(string) => {
            value_type.is_string() && json::string(value_type.raw).as_deref() == Some(string)
        }
    };
    match value_types {
        Some(value_types) if is(value_types.amount()) => DiscountType::Amount,
        Some(value_types) if is(value_types.percent()) => DiscountType::Percent,
        _ if value_type.is_string() || value_type.decimal().is_some() => DiscountType::Unknown,
        _ => DiscountType::Invalid,
    }
}

/// Returns quantity and unit price if both are present and neither breaks a rule.
pub(crate) fn priced(item: Record<'_, '_>) -> Option<(Decimal, Decimal)> {
    let quantity = item.get(&item::QUANTITY).decimal()?;
    let price = item.get(&item::SELL_AT_PRICE_PER_UNIT).decimal()?;
    let is_valid = !quantity.is_zero() && !is_negative(quantity) && !is_negative(price);
    is_valid.then_some((quantity, price))
}

/// Fills a missing Id with the orderId of the path if the caller provides it, otherwise with a new one (D2, D3). Reports an
/// issue and returns false if a new one can't be generated.
pub(crate) fn fill_missing_id(
    parsed: &mut ParsedOrder<'_>,
    rules: &RuleOptions,
    new_id: impl FnOnce() -> Result<Guid, NoRandomSource>,
) -> bool {
    let Some(records) = &mut parsed.records else { return true };
    let root = records.root();
    let has_id = !matches!(root.get(&order::ID).value, Value::Absent | Value::Null);
    // With an Id beside an `id`, nobody would know which of them a reader takes (D63).
    if has_id || root.in_another_case(&order::ID).is_some() {
        return true;
    }
    match rules.order_id.map_or_else(new_id, Ok) {
        Ok(id) => records.set_member(&order::ID, Member { raw: "", value: Value::Guid(id) }),
        Err(NoRandomSource) => {
            parsed.issues.report_member(&order::ID, IssueCode::NoRandomSource);
            return false;
        }
    }
    true
}

/// Turns the records that are not published into values that are sent unread (D10, D13).
pub(super) fn pass_through<'a>(records: &mut RecordSet<'a>, issues: &mut IssueCollector<'a>) {
    for (field, bracket) in [(&order::DISCOUNT, '{'), (&order::TAXES, '[')] {
        let Member { raw, value } = *records.root().get(field);
        // Anything else is an error of the order itself, which parsing has reported.
        let is_placeholder = Unrepresentable::from_placeholder(raw).is_some();
        if !raw.starts_with(bracket) || is_placeholder || matches!(value, Value::Repeated) {
            continue;
        }
        issues.enter(field);
        let value = match value {
            _ if report_unrepresentable(issues, raw) => Value::Invalid,
            Value::List { count, .. } => Value::Passthrough(count),
            _ => Value::Passthrough(1),
        };
        issues.leave();
        records.pass_through(field, Member { raw, value });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse::parse;

    #[test]
    fn an_id_that_cannot_be_generated_is_reported_as_such() {
        let mut parsed = parse("{}");
        assert!(!fill_missing_id(&mut parsed, &RuleOptions::default(), || Err(NoRandomSource)));
        let issues = parsed.issues.finish();
        assert_eq!((issues[0].code, &*issues[0].pointer), (IssueCode::NoRandomSource, "/Id"));
        assert!(issues[0].message.contains("random"), "{}", issues[0].message);
    }

    #[test]
    fn an_id_in_the_path_fills_a_missing_one_without_a_random_source() {
        let id: Guid = "2a8f5d33-eec9-4864-8b49-5636577b40d5".parse().unwrap();
        let rules = RuleOptions { order_id: Some(id), ..RuleOptions::default() };
        let mut parsed = parse(r#"{"Id":null}"#);
        assert!(fill_missing_id(&mut parsed, &rules, || Err(NoRandomSource)));
        let checked = parsed.check(Purpose::Send, &rules);
        assert_eq!(checked.order_id(), Some(id));
        assert!(checked.issues().iter().all(|issue| issue.pointer != "/Id"));
    }
}
