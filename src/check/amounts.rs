//! Rules for the amounts of an order: each can be calculated, and no line is free because of rounding (D7, D18).

use crate::code::IssueCode;
use crate::decimal::{Amount, Rounding};
use crate::issue::IssueCollector;
use crate::options::Scale;
use crate::order::{order, tax};
use crate::record::Record;

use super::rules::priced;

/// Applies the rules to each line, and rejects an order whose lines or supplied taxes add up to more than a decimal can hold
/// (D18). Members that are unknown are left out. Returns the extended price of each line, `None` if it is unknown.
pub(crate) fn check_amounts(
    order: Record<'_, '_>,
    currency: (Scale, Rounding),
    issues: &mut IssueCollector<'_>,
) -> Vec<Option<Amount>> {
    let digits = currency.0.digits();
    let items = order.entries(&order::ITEMS);
    let mut prices = Vec::with_capacity(items.len());
    issues.enter(&order::ITEMS);
    for (index, entry) in items.enumerate() {
        issues.enter(index);
        prices.push(entry.record.and_then(|item| check_line(item, currency, issues)));
        issues.leave();
    }
    issues.leave();
    let known = prices.iter().flatten();
    let subtotal =
        known.copied().try_fold(Amount::zero(digits), |sum, price| sum.plus_in_currency(price, digits));
    let taxes =
        order.entries(&order::TAXES).filter_map(|entry| entry.record?.get(&tax::TAX_AMOUNT).decimal());
    let tax = taxes
        .filter_map(Amount::of)
        .try_fold(Amount::zero(digits), |sum, tax| sum.plus_in_currency(tax.padded(digits), digits));
    for (field, sum) in [(&order::ITEMS, subtotal), (&order::TAXES, tax)] {
        if sum.is_none() {
            issues.report_member(field, IssueCode::AmountOutOfRange);
        }
    }
    if let (Some(subtotal), Some(tax)) = (subtotal, tax)
        && subtotal.plus_in_currency(tax, digits).is_none()
    {
        issues.report(IssueCode::AmountOutOfRange);
    }
    prices
}

/// Rejects a line whose extended price a decimal can't hold (D18), and warns of one that is 0 although quantity and price are not
/// (D7). Returns the extended price, `None` if it is unknown.
fn check_line(
    item: Record<'_, '_>,
    currency: (Scale, Rounding),
    issues: &mut IssueCollector<'_>,
) -> Option<Amount> {
    let (quantity, price) = priced(item)?;
    let (scale, rounding) = currency;
    let digits = scale.digits();
    let extended = Amount::product(quantity, price).and_then(|exact| exact.rounded(rounding, digits));
    match extended {
        None => issues.report(IssueCode::AmountOutOfRange),
        Some(extended) if extended.is_zero() && !price.is_zero() => {
            issues.report(IssueCode::ExtendedPriceZero)
        }
        Some(_) => {}
    }
    extended
}
