//! Rules for the items beyond those of their members (§2.1, D6, D7).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::issue::IssueCollector;
use crate::order::{item, order};
use crate::record::{Record, Value};

/// Requires at least one item (§2.1, §4).
pub(super) fn rules(order: Record<'_, '_>, issues: &mut IssueCollector<'_>) {
    if let Value::List { count: 0, .. } = order.get(&order::ITEMS).value {
        issues.report_member(&order::ITEMS, IssueCode::ItemsEmpty);
    }
}

/// Returns quantity and unit price if both are present and neither breaks a rule.
pub(crate) fn priced(item: Record<'_, '_>) -> Option<(Decimal, Decimal)> {
    let quantity = item.get(&item::QUANTITY).decimal()?;
    let price = item.get(&item::SELL_AT_PRICE_PER_UNIT).decimal()?;
    let is_valid = !quantity.is_zero() && !is_negative(quantity) && !is_negative(price);
    is_valid.then_some((quantity, price))
}
