//! Reads the valid quantity and unit price of an item (D6, D7).

use rust_decimal::Decimal;

use crate::decimal::is_negative;
use crate::order::item;
use crate::record::Record;

/// Returns quantity and unit price if both are present and neither breaks a rule.
pub(crate) fn priced(item: Record<'_, '_>) -> Option<(Decimal, Decimal)> {
    let quantity = item.get(&item::QUANTITY).decimal()?;
    let price = item.get(&item::SELL_AT_PRICE_PER_UNIT).decimal()?;
    let is_valid = !quantity.is_zero() && !is_negative(quantity) && !is_negative(price);
    is_valid.then_some((quantity, price))
}
