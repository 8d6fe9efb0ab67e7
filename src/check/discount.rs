//! Rules for the discount (D13, D14, D15).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::issue::IssueCollector;
use crate::json;
use crate::options::{DiscountValueTypes, RuleOptions};
use crate::order::{ValueType, discount, discount_entry, order};
use crate::record::{Member, Record};

use super::required::{not_negative, readable, required_members};

/// Checks the invoice-level discounts (D13).
pub(super) fn discount<'a>(order: Record<'_, 'a>, options: &RuleOptions, issues: &mut IssueCollector<'a>) {
    let Some(discount) = order.record(&order::DISCOUNT) else { return };
    issues.enter(&order::DISCOUNT);
    issues.enter(&discount::INVOICE_LEVEL);
    let value_types = options.discount_value_types.as_ref();
    for (index, record) in readable(discount.entries(&discount::INVOICE_LEVEL)) {
        issues.enter(index);
        entry(record, issues);
        percentage(record, value_types, issues);
        issues.leave();
    }
    issues.leave();
    issues.leave();
}

/// Requires a value and its type, and rejects a negative discount, which would be a surcharge (D13, D14).
fn entry<'a>(entry: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required_members(entry, issues);
    not_negative(entry, &discount_entry::VALUE, IssueCode::DiscountValueNegative, issues);
}

/// Rejects a percentage above 100, if the options define which values are percentages (D15).
fn percentage<'a>(
    entry: Record<'_, 'a>,
    value_types: Option<&DiscountValueTypes>,
    issues: &mut IssueCollector<'a>,
) {
    let value = entry.get(&discount_entry::VALUE);
    let discount_type = discount_type(entry.get(&discount_entry::VALUE_TYPE), value_types);
    if discount_type == DiscountType::Percent
        && value.decimal().is_some_and(|value| value > Decimal::ONE_HUNDRED)
    {
        issues.report_member(&discount_entry::VALUE, IssueCode::DiscountPercentOutOfRange);
    }
}

/// What the value of a discount is.
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
