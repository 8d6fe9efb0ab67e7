//! Rules for the discount (D13, D14, D15).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::issue::IssueCollector;
use crate::json;
use crate::options::{DiscountValueTypes, RuleOptions};
use crate::order::{ValueType, discount, discount_entry, order};
use crate::record::{Member, Record};

/// Rejects a percentage above 100, if the options define which values are percentages (D15).
pub(super) fn rules(order: Record<'_, '_>, options: &RuleOptions, issues: &mut IssueCollector<'_>) {
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
