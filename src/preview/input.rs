//! The input of a calculation: plain values, read once from a checked order.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::check::{DiscountType, discount_type, priced};
use crate::code::IssueCode;
use crate::decimal::{Amount, Rounding};
use crate::guid::Guid;
use crate::options::{DiscountValueTypes, TaxRate};
use crate::order::{discount, discount_entry, item, order, tax};
use crate::record::{Record, Value};

use super::log::{Location, Log};

/// The values of an order that amounts depend on, besides its items.
pub(super) struct Input<'a> {
    pub(super) discount: DiscountInput<'a>,
    pub(super) taxes: TaxInput<'a>,
}

/// One item.
pub(super) struct LineInput {
    /// Quantity and unit price; `None` if one is missing or breaks a rule.
    pub(super) priced: Option<(Decimal, Decimal)>,
    /// `None` too if no rate needs it.
    pub(super) catalog_item_id: Option<Guid>,
}

/// The discount of an order.
pub(super) enum DiscountInput<'a> {
    /// The entries in order; empty if the order has no discount.
    Entries(Vec<DiscountTerm<'a>>),
    /// Not readable, not read, in another form, or under a name in another case (D63).
    Unknown,
}

/// One discount.
pub(super) struct DiscountTerm<'a> {
    pub(super) name: Option<Cow<'a, str>>,
    /// `None` if it is missing, not a decimal, or negative.
    pub(super) value: Option<Amount>,
    pub(super) discount_type: DiscountType,
}

/// The taxes of an order.
pub(super) enum TaxInput<'a> {
    Supplied(Vec<SuppliedTax<'a>>),
    /// Not supplied: the point of sale calculates them.
    Absent,
    /// Not readable, not read, or under a name in another case (D63).
    Unknown,
}

/// One supplied tax.
pub(super) struct SuppliedTax<'a> {
    /// In the D form.
    pub(super) id: Option<Cow<'a, str>>,
    /// With at least the fraction digits of the currency; `None` if it is missing or breaks a rule.
    pub(super) amount: Option<Amount>,
}

impl<'a> Input<'a> {
    pub(super) fn new(
        order: Record<'_, 'a>,
        value_types: Option<&DiscountValueTypes>,
        scale: u32,
        log: &mut Log,
    ) -> Self {
        Self { discount: discount_input(order, value_types, log), taxes: tax_input(order, scale, log) }
    }
}

impl LineInput {
    /// Returns the items of an order.
    pub(super) fn of_order(order: Record<'_, '_>, rates: Option<&[TaxRate]>) -> Vec<Self> {
        let needs_id = rates.is_some_and(|rates| rates.iter().any(TaxRate::is_for_some_items));
        let items = order.entries(&order::ITEMS).map(|entry| Self {
            priced: entry.record.and_then(priced),
            catalog_item_id: entry
                .record
                .filter(|_| needs_id)
                .and_then(|item| item.get(&item::CATALOG_ITEM_ID).guid()),
        });
        items.collect()
    }

    /// Returns false if a rate applies to some items, and nobody knows whether this is one of them: its Id is missing or could not
    /// be read.
    pub(super) fn has_known_rates(&self, rates: &[TaxRate]) -> bool {
        self.catalog_item_id.is_some() || !rates.iter().any(TaxRate::is_for_some_items)
    }

    /// Returns the extended price, rounded once (D18).
    pub(super) fn extended(&self, mode: Rounding, scale: u32) -> Option<Amount> {
        let (quantity, price) = self.priced?;
        Amount::product(quantity, price)?.rounded(mode, scale)
    }
}

fn discount_input<'a>(
    order: Record<'_, 'a>,
    value_types: Option<&DiscountValueTypes>,
    log: &mut Log,
) -> DiscountInput<'a> {
    let none = DiscountInput::Entries(Vec::new());
    match order.get(&order::DISCOUNT).value {
        Value::Passthrough(_) => {
            log.report(Location::Member(&order::DISCOUNT), IssueCode::RecordsNotRead);
            return DiscountInput::Unknown;
        }
        Value::Absent if order.in_another_case(&order::DISCOUNT).is_some() => return DiscountInput::Unknown,
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
            value: entry.get(&discount_entry::VALUE).decimal().and_then(Amount::of),
            discount_type: discount_type(entry.get(&discount_entry::VALUE_TYPE), value_types),
        }
    });
    DiscountInput::Entries(terms.collect())
}

fn tax_input<'a>(order: Record<'_, 'a>, scale: u32, log: &mut Log) -> TaxInput<'a> {
    match order.get(&order::TAXES).value {
        Value::List { .. } | Value::Passthrough(0) => {
            let taxes = order.entries(&order::TAXES).map(|entry| {
                let amount = entry.record.and_then(|tax| tax.get(&tax::TAX_AMOUNT).decimal());
                SuppliedTax {
                    id: entry.record.and_then(|tax| tax.get(&tax::TAX_ID).guid_form()),
                    amount: amount.and_then(Amount::of).map(|amount| amount.padded(scale)),
                }
            });
            TaxInput::Supplied(taxes.collect())
        }
        Value::Absent if order.in_another_case(&order::TAXES).is_some() => TaxInput::Unknown,
        Value::Absent | Value::Null => TaxInput::Absent,
        Value::Passthrough(_) => {
            log.report(Location::Member(&order::TAXES), IssueCode::RecordsNotRead);
            TaxInput::Unknown
        }
        _ => TaxInput::Unknown,
    }
}
