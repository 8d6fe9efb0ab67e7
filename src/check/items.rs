//! Rules for the items (§2.1, D5, D6, D7).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::issue::{Details, IssueCollector};
use crate::json;
use crate::order::schema::Field;
use crate::order::{item, order};
use crate::record::{Record, Value};

use super::order::displayed_string;
use super::required::{readable, report_absent, required_members};

/// The number of fraction digits that a weighing scale shows (D6).
const QUANTITY_DIGITS: u32 = 3;
/// The number of fraction digits that a price usually has (D7).
const PRICE_DIGITS: u32 = 2;

/// Requires at least one item, and checks each (§2.1, §4).
pub(super) fn items<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    issues.enter(&order::ITEMS);
    let list = order.get(&order::ITEMS);
    if let Value::List { count: 0, .. } = list.value {
        issues.report(IssueCode::ItemsEmpty);
    }
    for (index, item) in readable(order.entries(&order::ITEMS)) {
        issues.enter(index);
        check_item(item, issues);
        issues.leave();
    }
    issues.leave();
}

/// Applies the rules of one item (D5).
pub(crate) fn check_item<'a>(item: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required_members(item, issues);
    name(item, issues);
    quantity(item, issues);
    price(item, issues);
}

/// Returns quantity and unit price if both are present and neither breaks a rule.
pub(crate) fn priced(item: Record<'_, '_>) -> Option<(Decimal, Decimal)> {
    let quantity = item.get(&item::QUANTITY).decimal()?;
    let price = item.get(&item::SELL_AT_PRICE_PER_UNIT).decimal()?;
    (is_positive(quantity) && !is_negative(price)).then_some((quantity, price))
}

/// Warns about an item without a name to display (D5, D24).
fn name<'a>(item: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let name = item.get(&item::NAME);
    if name.is_absent() {
        report_absent(item, &item::NAME, IssueCode::ItemNameMissing, issues);
    } else if name.is_string() && is_blank(name.raw) {
        issues.report_member(&item::NAME, IssueCode::ItemNameMissing);
    }
    displayed_string(item, &item::NAME, issues);
}

/// Requires a positive quantity, and warns about more digits than a weighing scale shows (D6).
fn quantity<'a>(item: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let Some(quantity) = item.get(&item::QUANTITY).decimal() else { return };
    if !is_positive(quantity) {
        issues.report_member(&item::QUANTITY, IssueCode::QuantityNotPositive);
    }
    if quantity.scale() > QUANTITY_DIGITS {
        too_many_digits(&item::QUANTITY, IssueCode::QuantityFractionDigits, QUANTITY_DIGITS, issues);
    }
}

/// Rejects a negative price, and warns about 0 and fractions of a cent (D7).
fn price<'a>(item: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let field = &item::SELL_AT_PRICE_PER_UNIT;
    let Some(price) = item.get(field).decimal() else { return };
    if is_negative(price) {
        issues.report_member(field, IssueCode::PriceNegative);
    }
    if price.is_zero() {
        issues.report_member(field, IssueCode::PriceZero);
    }
    if price.scale() > PRICE_DIGITS {
        too_many_digits(field, IssueCode::PriceFractionDigits, PRICE_DIGITS, issues);
    }
}

/// Reports a decimal with more fraction digits than usual.
fn too_many_digits(field: &'static Field, code: IssueCode, limit: u32, issues: &mut IssueCollector<'_>) {
    issues.enter(field);
    issues.report_with(code, &|| Details::limit(limit as usize));
    issues.leave();
}

fn is_positive(value: Decimal) -> bool {
    !value.is_zero() && !is_negative(value)
}

fn is_blank(raw: &str) -> bool {
    // Most names begin with a letter.
    if raw.as_bytes().get(1).is_some_and(u8::is_ascii_alphanumeric) {
        return false;
    }
    let string = json::JsonString::from_raw(raw);
    string.is_some_and(|string| string.characters().flatten().all(char::is_whitespace))
}
