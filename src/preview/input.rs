//! The input of a calculation: plain values, read once from a checked order.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::check::{DiscountType, discount_type, priced};
use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::guid::Guid;
use crate::options::{DiscountValueTypes, TaxRate};
use crate::order::{discount, discount_entry, item, order, tax};
use crate::record::{Record, Value};

use super::log::{Location, Log};

/// The values of an order that amounts depend on, beside its items.
pub(super) struct Input {
    pub(super) discount: DiscountInput,
    pub(super) taxes: TaxInput,
}

/// One item.
pub(super) struct LineInput {
    /// Quantity and unit price; `None` if one is missing or breaks a rule.
    pub(super) priced: Option<(Decimal, Decimal)>,
    /// `None` too if no rate needs it.
    pub(super) catalog_item_id: Option<Guid>,
}

/// The discount of an order.
pub(super) enum DiscountInput {
    /// The entries in order; empty if the order has no discount.
    Entries(Vec<DiscountTerm>),
    /// Not readable, not read, or in another form.
    Unknown,
}

/// One discount.
pub(super) struct DiscountTerm {
    pub(super) name: Option<String>,
    /// `None` if it is missing or not a decimal.
    pub(super) value: Option<Decimal>,
    pub(super) discount_type: DiscountType,
}

/// The taxes of an order.
pub(super) enum TaxInput {
    Supplied(Vec<SuppliedTax>),
    /// Not supplied: the point of sale calculates them.
    Absent,
    /// Not readable, or not read.
    Unknown,
}

/// One supplied tax.
pub(super) struct SuppliedTax {
    /// In the D form.
    pub(super) id: Option<String>,
    /// `None` if it is missing or breaks a rule.
    pub(super) amount: Option<Decimal>,
}

impl Input {
    pub(super) fn new(
        order: Record<'_, '_>,
        value_types: Option<&DiscountValueTypes>,
        log: &mut Log,
    ) -> Self {
        Self { discount: discount_input(order, value_types, log), taxes: tax_input(order, log) }
    }
}

impl LineInput {
    /// Returns the items of an order.
    pub(super) fn of_order(order: Record<'_, '_>, rates: Option<&[TaxRate]>) -> Vec<Self> {
        order.entries(&order::ITEMS).map(|entry| Self::of_item(entry.record, rates)).collect()
    }

    /// Returns one item; `item` is `None` if it could not be read.
    pub(super) fn of_item(item: Option<Record<'_, '_>>, rates: Option<&[TaxRate]>) -> Self {
        let needs_id = rates.is_some_and(|rates| rates.iter().any(|rate| rate.catalog_item_ids.is_some()));
        Self {
            priced: item.and_then(priced),
            catalog_item_id: item
                .filter(|_| needs_id)
                .and_then(|item| item.get(&item::CATALOG_ITEM_ID).guid()),
        }
    }
}

fn discount_input(
    order: Record<'_, '_>,
    value_types: Option<&DiscountValueTypes>,
    log: &mut Log,
) -> DiscountInput {
    let none = DiscountInput::Entries(Vec::new());
    match order.get(&order::DISCOUNT).value {
        Value::Passthrough(_) => {
            log.report(Location::Member(&order::DISCOUNT), IssueCode::RecordsNotRead);
            return DiscountInput::Unknown;
        }
        Value::Absent | Value::Null => return none,
        _ => {}
    }
    let Some(discount) = order.record(&order::DISCOUNT) else { return DiscountInput::Unknown };
    match discount.get(&discount::INVOICE_LEVEL).value {
        Value::List { .. } => {}
        Value::Absent | Value::Null if discount.others().next().is_none() => return none,
        Value::Absent | Value::Null => {
            // The form of the record is only assumed: the other members may be a discount (D13).
            log.report(Location::Member(&order::DISCOUNT), IssueCode::DiscountFormUnknown);
            return DiscountInput::Unknown;
        }
        _ => return DiscountInput::Unknown,
    }
    let terms = discount.entries(&discount::INVOICE_LEVEL).map(|entry| {
        let Some(entry) = entry.record else {
            return DiscountTerm { name: None, value: None, discount_type: DiscountType::Invalid };
        };
        DiscountTerm {
            name: entry.get(&discount_entry::NAME).string(),
            value: entry.get(&discount_entry::VALUE).decimal(),
            discount_type: discount_type(entry.get(&discount_entry::VALUE_TYPE), value_types),
        }
    });
    DiscountInput::Entries(terms.collect())
}

fn tax_input(order: Record<'_, '_>, log: &mut Log) -> TaxInput {
    match order.get(&order::TAXES).value {
        Value::List { .. } | Value::Passthrough(0) => {
            let taxes = order.entries(&order::TAXES).map(|entry| SuppliedTax {
                id: entry.record.and_then(|tax| tax.get(&tax::TAX_ID).guid_form()).map(Cow::into_owned),
                amount: entry
                    .record
                    .and_then(|tax| tax.get(&tax::TAX_AMOUNT).decimal())
                    .filter(|amount| !is_negative(*amount)),
            });
            TaxInput::Supplied(taxes.collect())
        }
        Value::Absent | Value::Null => TaxInput::Absent,
        Value::Passthrough(_) => {
            log.report(Location::Member(&order::TAXES), IssueCode::RecordsNotRead);
            TaxInput::Unknown
        }
        _ => TaxInput::Unknown,
    }
}
