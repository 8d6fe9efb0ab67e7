//! What an extended price is the product of.

use rust_decimal::Decimal;

use crate::decimal::is_negative;
use crate::shape::item;
use crate::written::Record;

/// Quantity and price of an item, where neither breaks a rule (D6, D7).
pub(super) fn factors(item: Record<'_, '_>) -> Option<(Decimal, Decimal)> {
    let quantity = item.get(item::QUANTITY).decimal()?;
    let price = item.get(item::SELL_AT_PRICE_PER_UNIT).decimal()?;
    let valid = !quantity.is_zero() && !is_negative(quantity) && !is_negative(price);
    valid.then_some((quantity, price))
}
