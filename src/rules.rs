//! What makes an order valid: one function a rule, in the order of the decisions.
//!
//! | Rule | Source |
//! |---|---|
//! | [`order_id`] | §4 rules 1 and 2, D3 |
//! | [`company_and_location`] | §2.1, D4 |
//! | [`integrator`] | §2.1, §4 rule 3 |
//! | [`items`], [`item_members`], [`item_name`] | §2.1 rule 1, D5 |
//! | [`quantity`] | D6 |
//! | [`price`] | D7 |
//! | [`taxes`], [`tax`] | §2.1 rule 2, D9, D10 |
//! | [`discount`], [`discount_entry`] | D13, D14 |
//! | [`customer_pricing`] | §4, D20 |
//! | [`location_tax_pricing`] | §1, D21 |
//! | [`unused_members`] | §2.1, D23 |
//! | [`texts`] | §2.1, D24 |
//!
//! The types of members (D1, D4, D8), read-only members (D22) and unknown members (D25) are seen while reading.

use std::collections::BinaryHeap;

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::issue::{Issues, Place};
use crate::json;
use crate::options::{RuleOptions, TaxPricing, Version};
use crate::shape::{DISCOUNT, DISCOUNT_ENTRY, ITEM, TAX, discount, discount_entry, item, order, tax};
use crate::words::{joined, push_number};
use crate::written::{Entry, Record, Value, WrittenOrder};

/// Holds an order against every rule.
pub(crate) fn check<'a>(
    order: &WrittenOrder<'a>,
    options: &RuleOptions,
    id_is_given: bool,
    issues: &mut Issues<'a>,
) {
    let order = order.root();
    order_id(order, options, id_is_given, issues);
    company_and_location(order, issues);
    integrator(order, issues);
    items(order, issues);
    taxes(order, options, issues);
    discount(order, issues);
    customer_pricing(order, options, issues);
    location_tax_pricing(order, options, issues);
    unused_members(order, issues);
    texts(order, issues);
}

/// The caller makes the id, and it is the one in the path (§4 rules 1 and 2, D3).
fn order_id<'a>(order: Record<'_, 'a>, options: &RuleOptions, is_given: bool, issues: &mut Issues<'a>) {
    if !is_given {
        required(order, order::ID, issues);
    }
    let id = order.get(order::ID);
    if let (Some(given), Some(path_id)) = (id.guid(), options.order_id)
        && given != path_id
    {
        issues.at_place(["Id".into()], id.raw, IssueCode::OrderIdMismatch);
    }
}

/// The order is made at a location of a company (§2.1, D4).
fn company_and_location<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    required(order, order::COMPANY_ID, issues);
    required(order, order::ENTITY_ID, issues);
}

/// The integrator is the source of the order (§2.1, §4 rule 3).
fn integrator<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    required(order, order::INTEGRATOR_ID, issues);
}

/// At least one item (§2.1 rule 1, §4 rule 4).
fn items<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    required(order, order::ITEMS, issues);
    issues.enter("Items");
    let list = order.get(order::ITEMS);
    if let Value::List { count: 0, .. } = list.value {
        issues.at(list.raw, IssueCode::ItemsEmpty);
    }
    each(order.entries(order::ITEMS, &ITEM), issues, &mut self::item);
    issues.leave();
}

/// The rules of one item.
pub(crate) fn item<'a>(item: Record<'_, 'a>, issues: &mut Issues<'a>) {
    item_members(item, issues);
    item_name(item, issues);
    quantity(item, issues);
    price(item, issues);
}

/// What is sold, how much of it, for how much (D5).
fn item_members<'a>(item: Record<'_, 'a>, issues: &mut Issues<'a>) {
    required(item, item::CATALOG_ITEM_ID, issues);
    required(item, item::QUANTITY, issues);
    required(item, item::SELL_AT_PRICE_PER_UNIT, issues);
}

/// A cashier wants a name, and a brief one (D5, D24).
fn item_name<'a>(item: Record<'_, 'a>, issues: &mut Issues<'a>) {
    let name = item.get(item::NAME);
    if name.is_absent() {
        let hint = misspelt(item, "Name");
        issues.missing(item.raw(), "Name", IssueCode::ItemNameMissing, hint);
    } else if name.is_text() && is_blank(name.raw) {
        issues.at_place(["Name".into()], name.raw, IssueCode::ItemNameMissing);
    }
    displayed(item, item::NAME, 100, issues);
}

/// Counts and grams are positive; a milligram is finer than scales are (D6).
fn quantity<'a>(item: Record<'_, 'a>, issues: &mut Issues<'a>) {
    let member = item.get(item::QUANTITY);
    let Some(quantity) = member.decimal() else { return };
    if is_negative(quantity) || quantity.is_zero() {
        issues.at_place(["Quantity".into()], member.raw, IssueCode::QuantityNotPositive);
    }
    if quantity.scale() > 3 {
        issues.at_place(["Quantity".into()], member.raw, IssueCode::QuantityFractionDigits);
    }
}

/// Prices are not negative, rarely zero, and rarely have half cents (D7).
fn price<'a>(item: Record<'_, 'a>, issues: &mut Issues<'a>) {
    let member = item.get(item::SELL_AT_PRICE_PER_UNIT);
    let Some(price) = member.decimal() else { return };
    if is_negative(price) {
        issues.at_place(["SellAtPricePerUnit".into()], member.raw, IssueCode::PriceNegative);
    }
    if price.is_zero() {
        issues.at_place(["SellAtPricePerUnit".into()], member.raw, IssueCode::PriceZero);
    }
    if price.scale() > 2 {
        issues.at_place(["SellAtPricePerUnit".into()], member.raw, IssueCode::PriceFractionDigits);
    }
}

/// An empty list of taxes is an override to nothing, so somebody must mean it (§2.1 rule 2, D9).
fn taxes<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut Issues<'a>) {
    let list = order.get(order::TAXES);
    issues.enter("Taxes");
    if matches!(list.value, Value::List { count: 0, .. } | Value::Passthrough(0))
        && !options.allow_empty_taxes
    {
        issues.at(list.raw, IssueCode::TaxesEmpty);
    }
    each(order.entries(order::TAXES, &TAX), issues, &mut self::tax);
    repeated_taxes(order, issues);
    issues.leave();
}

/// Which tax, and how much of it in the currency (D10).
fn tax<'a>(tax: Record<'_, 'a>, issues: &mut Issues<'a>) {
    required(tax, tax::TAX_ID, issues);
    required(tax, tax::TAX_AMOUNT, issues);
    not_negative(tax, tax::TAX_AMOUNT, IssueCode::TaxAmountNegative, issues);
}

/// The same tax twice is probably one too many (D10).
fn repeated_taxes<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    let taxes = order.entries(order::TAXES, &TAX).enumerate();
    let ids = taxes.filter_map(|(index, tax)| {
        let id = tax.record?.get(tax::TAX_ID);
        Some((id.guid()?, index, id.raw))
    });
    let sorted = ids.collect::<BinaryHeap<_>>().into_sorted_vec();
    for pair in sorted.windows(2) {
        if let [(id, ..), (same, index, raw)] = pair
            && id == same
        {
            issues.at_place([Place::Index(*index), "TaxId".into()], raw, IssueCode::TaxIdRepeated);
        }
    }
}

/// Invoice-level discounts as the sibling operations have them (D13).
fn discount<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    let Some(discount) = order.record(order::DISCOUNT, &DISCOUNT) else { return };
    issues.enter("Discount");
    issues.enter("InvoiceLevel");
    each(discount.entries(discount::INVOICE_LEVEL, &DISCOUNT_ENTRY), issues, &mut discount_entry);
    issues.leave();
    issues.leave();
}

/// How much, and what kind of value that is; a negative discount would be a surcharge (D13, D14).
fn discount_entry<'a>(entry: Record<'_, 'a>, issues: &mut Issues<'a>) {
    required(entry, discount_entry::VALUE, issues);
    required(entry, discount_entry::VALUE_TYPE, issues);
    not_negative(entry, discount_entry::VALUE, IssueCode::DiscountValueNegative, issues);
}

/// v2 has no customer pricing; with v3 the price of the order may not be the one given here (§4, D20).
fn customer_pricing<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut Issues<'a>) {
    let customer = order.get(order::CUSTOMER_ID);
    if customer.guid().is_some() {
        let code = match options.version {
            Version::V2 => IssueCode::CustomerPricingUnsupported,
            Version::V3 => IssueCode::CustomerPricingPossible,
        };
        issues.at_place(["CustomerId".into()], customer.raw, code);
    }
}

/// These operations are for locations that price tax-exclusive or have no configuration (§1, D21).
fn location_tax_pricing<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut Issues<'a>) {
    if options.location_tax_pricing != Some(TaxPricing::Inclusive) {
        return;
    }
    let location = order.get(order::ENTITY_ID);
    if location.is_absent() {
        issues.missing(order.raw(), "EntityId", IssueCode::LocationTaxInclusive, None);
    } else {
        issues.at_place(["EntityId".into()], location.raw, IssueCode::LocationTaxInclusive);
    }
}

/// OrderNumber and ExternalOrderId are sent, and lead to nothing (§2.1, D23).
fn unused_members<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    for position in [order::ORDER_NUMBER, order::EXTERNAL_ORDER_ID] {
        let member = order.get(position);
        if member.is_text() {
            issues.at_place([name_of(order, position).into()], member.raw, IssueCode::UnusedMember);
        }
    }
}

/// What the point of sale displays should be brief, and printable (§2.1, D24).
fn texts<'a>(order: Record<'_, 'a>, issues: &mut Issues<'a>) {
    displayed(order, order::FIRST_NAME, 100, issues);
    displayed(order, order::LAST_NAME, 100, issues);
    displayed(order, order::NOTES, 250, issues);
    displayed(order, order::TIME_SLOT_DISPLAY_STRING, 50, issues);
}

fn displayed<'a>(record: Record<'_, 'a>, position: usize, most: usize, issues: &mut Issues<'a>) {
    let member = record.get(position);
    if !member.is_text() || is_plain(member.raw, most) {
        return;
    }
    issues.enter(name_of(record, position));
    if json::characters(member.raw).nth(most).is_some() {
        let mut hint = "keep it within ".to_owned();
        push_number(&mut hint, most);
        hint.push_str(" characters");
        issues.at_with_hint(member.raw, IssueCode::TextLong, Some(hint));
    }
    if json::characters(member.raw).flatten().any(char::is_control) {
        issues.at(member.raw, IssueCode::ControlCharacter);
    }
    issues.leave();
}

/// Whether a text is seen at a glance to be brief and printable, as nearly all are.
fn is_plain(raw: &str, most: usize) -> bool {
    // The quotes stand around it; without escapes and beyond ASCII only DEL is a control character.
    raw.len() <= most + 2 && raw.bytes().all(|byte| matches!(byte, 0x20..0x7F) && byte != b'\\')
}

fn is_blank(raw: &str) -> bool {
    json::characters(raw).flatten().all(char::is_whitespace)
}

/// Runs rules over the entries of a list that were read, each in its place.
fn each<'w, 'a: 'w>(
    entries: impl Iterator<Item = Entry<'w, 'a>>,
    issues: &mut Issues<'a>,
    rules: &mut dyn FnMut(Record<'w, 'a>, &mut Issues<'a>),
) {
    for (index, entry) in entries.enumerate() {
        if let Some(record) = entry.record {
            issues.enter(Place::Index(index));
            rules(record, issues);
            issues.leave();
        }
    }
}

/// A member that must be there; null has been told of already.
fn required<'a>(record: Record<'_, 'a>, position: usize, issues: &mut Issues<'a>) {
    if record.get(position).is_absent() {
        let name = name_of(record, position);
        issues.missing(record.raw(), name, IssueCode::Missing, misspelt(record, name));
    }
}

fn not_negative<'a>(record: Record<'_, 'a>, position: usize, code: IssueCode, issues: &mut Issues<'a>) {
    let member = record.get(position);
    if member.decimal().is_some_and(is_negative) {
        issues.at_place([name_of(record, position).into()], member.raw, code);
    }
}

fn name_of(record: Record<'_, '_>, position: usize) -> &'static str {
    record.shape.member(position).map_or("", |member| member.name)
}

/// Where a member is missing and a near miss of its name is there, that is what to mend.
fn misspelt(record: Record<'_, '_>, name: &'static str) -> Option<String> {
    let other = record.others().find(|other| record.shape.meant_by(&other.name) == Some(name))?;
    Some(joined(&["did you mean ", name, " where it says ", &other.name, "?"]))
}
