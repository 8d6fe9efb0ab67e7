//! The sales order and its records as Rust values (§2): types only.
//!
//! They are what [`crate::Verdict`] and [`crate::OrderRead`] give, and one way to make the JSON text that the
//! functions of this crate take: fill one in and call [`SalesOrderV2V3Put::to_json`].

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::decimal::plain;
use crate::guid::Guid;
use crate::written::{
    List, Member, Other, Records, Text, ValueType, WrittenDiscount, WrittenDiscountEntry, WrittenItem,
    WrittenOrder, WrittenSource, WrittenTax,
};

/// Members that a record does not have, by name, as JSON text (D25).
pub type OtherMembers = BTreeMap<String, Box<RawValue>>;

/// A sales order, priced tax-exclusive: body of request and response of both operations (§2.1).
///
/// ```
/// use sales_order_intake::{RuleOptions, SalesOrderItem, SalesOrderV2V3Put, prepare_request};
///
/// let order = SalesOrderV2V3Put {
///     company_id: Some(293_892),
///     entity_id: Some(293_894),
///     integrator_id: "f4b5a1c2-0d6e-4f7a-8b9c-1d2e3f4a5b6c".parse().ok(),
///     items: vec![SalesOrderItem {
///         name: Some("House blend, gram".into()),
///         catalog_item_id: "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b".parse().ok(),
///         quantity: "3.5".parse().ok(),
///         sell_at_price_per_unit: "12.50".parse().ok(),
///         ..SalesOrderItem::default()
///     }],
///     ..SalesOrderV2V3Put::default()
/// };
/// let request = prepare_request(&order.to_json(), &RuleOptions::default()).unwrap();
/// assert!(request.body.contains(r#""Quantity":3.5,"SellAtPricePerUnit":12.50"#));
/// ```
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SalesOrderV2V3Put {
    /// Supplied by the caller; the orderId of the path.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Guid>,
    /// Company identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub company_id: Option<u32>,
    /// Location identifier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub entity_id: Option<u32>,
    /// Read-only: whether the order was created with inventory hold enabled.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub was_created_with_inventory_hold: Option<bool>,
    /// First name of the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_name: Option<String>,
    /// Last name of the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub last_name: Option<String>,
    /// Identifier of the customer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub customer_id: Option<Guid>,
    /// Read-only: UTC time of creation, ISO 8601 with an offset (D41).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date_created_utc: Option<String>,
    /// Read-only: the integrator that created the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_source: Option<SalesOrderSource>,
    /// Unused by the service (D23).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub order_number: Option<String>,
    /// The integrator that creates the order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub integrator_id: Option<Guid>,
    /// Line items, at least one.
    pub items: Vec<SalesOrderItem>,
    /// Invoice-level discounts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub discount: Option<SalesOrderDiscount>,
    /// Whether it is a delivery order.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_delivery: Option<bool>,
    /// Read-only: receipt number generated in the point-of-sale system.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub receipt_number: Option<String>,
    /// Unused by the service (D23).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub external_order_id: Option<String>,
    /// Where supplied, these replace all taxes the point of sale would calculate (§2.1 rule 2).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub taxes: Option<Vec<SalesOrderTax>>,
    /// Generic notes, brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// Delivery information, brief.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_slot_display_string: Option<String>,
    /// Members that an order does not have, kept as they are; opaque records among them.
    #[serde(flatten)]
    pub other: OtherMembers,
}

/// The integrator that created an order (§2.2).
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SalesOrderSource {
    /// Identifier of the integrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<Guid>,
    /// Name of the integrator.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub other: OtherMembers,
}

/// A line item (§2.3).
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SalesOrderItem {
    /// What the point of sale shows.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The catalog item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub catalog_item_id: Option<Guid>,
    /// A count or grams, by product; greater than zero.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub quantity: Option<Decimal>,
    /// The price of one unit without tax, in the currency.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub sell_at_price_per_unit: Option<Decimal>,
    /// A regulator's tag; left out, the order system picks a package.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub package_id: Option<String>,
    /// The batch.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub batch: Option<String>,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub other: OtherMembers,
}

/// The discount record, as the sibling operations have it (§2.4, D13).
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SalesOrderDiscount {
    /// Discounts on the whole invoice, taken in this order (D15).
    pub invoice_level: Vec<InvoiceDiscount>,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub other: OtherMembers,
}

/// One discount on the whole invoice (D13, D14).
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct InvoiceDiscount {
    /// What to show.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// An amount in the currency, or a percentage of 0 to 100.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub value: Option<Decimal>,
    /// Which of the two; the meaning is published nowhere (D14).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_type: Option<ValueType>,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub other: OtherMembers,
}

/// A supplied tax, as the sibling operations have it (§2.5, D10).
#[derive(Clone, Debug, Default, Serialize)]
#[serde(rename_all = "PascalCase")]
pub struct SalesOrderTax {
    /// Which tax.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tax_id: Option<Guid>,
    /// How much of it, in the currency.
    #[serde(skip_serializing_if = "Option::is_none", serialize_with = "exactly")]
    pub tax_amount: Option<Decimal>,
    /// Other members, kept as they are.
    #[serde(flatten)]
    pub other: OtherMembers,
}

impl SalesOrderV2V3Put {
    /// The order as JSON text: members that are `None` are left out, decimals keep their digits.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Nothing in these types can fail to be serialized: names are text, numbers are finite.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// A decimal as a JSON number with exactly its digits.
fn exactly<S: serde::Serializer>(value: &Option<Decimal>, serializer: S) -> Result<S::Ok, S::Error> {
    let digits = value.as_ref().map(|value| RawValue::from_string(plain(value))).transpose();
    digits.map_err(serde::ser::Error::custom)?.serialize(serializer)
}

impl Serialize for ValueType {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Number(number) => exactly(&Some(*number), serializer),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

impl From<&WrittenOrder<'_>> for SalesOrderV2V3Put {
    fn from(order: &WrittenOrder<'_>) -> Self {
        let mut other = others(&order.other);
        // Records that were not read are kept as they are.
        if let Some(Records::Opaque(_)) = order.discount.get() {
            keep(&mut other, "Discount", order.discount.raw);
        }
        if let Some(Records::Opaque(_)) = order.taxes.get() {
            keep(&mut other, "Taxes", order.taxes.raw);
        }
        Self {
            id: order.id.get().copied(),
            company_id: order.company_id.get().copied(),
            entity_id: order.entity_id.get().copied(),
            was_created_with_inventory_hold: order.was_created_with_inventory_hold.get().copied(),
            first_name: text(&order.first_name),
            last_name: text(&order.last_name),
            customer_id: order.customer_id.get().copied(),
            date_created_utc: text(&order.date_created_utc),
            order_source: order.order_source.get().map(Into::into),
            order_number: text(&order.order_number),
            integrator_id: order.integrator_id.get().copied(),
            items: order.items.get().map(list).unwrap_or_default(),
            discount: order.discount.get().and_then(Records::read).map(Into::into),
            is_delivery: order.is_delivery.get().copied(),
            receipt_number: text(&order.receipt_number),
            external_order_id: text(&order.external_order_id),
            taxes: order.taxes.get().and_then(Records::read).map(list),
            notes: text(&order.notes),
            time_slot_display_string: text(&order.time_slot_display_string),
            other,
        }
    }
}

impl From<&WrittenSource<'_>> for SalesOrderSource {
    fn from(source: &WrittenSource<'_>) -> Self {
        Self { id: source.id.get().copied(), name: text(&source.name), other: others(&source.other) }
    }
}

impl From<&WrittenItem<'_>> for SalesOrderItem {
    fn from(item: &WrittenItem<'_>) -> Self {
        Self {
            name: text(&item.name),
            catalog_item_id: item.catalog_item_id.get().copied(),
            quantity: item.quantity.get().copied(),
            sell_at_price_per_unit: item.sell_at_price_per_unit.get().copied(),
            package_id: text(&item.package_id),
            batch: text(&item.batch),
            other: others(&item.other),
        }
    }
}

impl From<&WrittenDiscount<'_>> for SalesOrderDiscount {
    fn from(discount: &WrittenDiscount<'_>) -> Self {
        Self {
            invoice_level: discount.invoice_level.get().map(list).unwrap_or_default(),
            other: others(&discount.other),
        }
    }
}

impl From<&WrittenDiscountEntry<'_>> for InvoiceDiscount {
    fn from(entry: &WrittenDiscountEntry<'_>) -> Self {
        Self {
            name: text(&entry.name),
            value: entry.value.get().copied(),
            value_type: entry.value_type.get().cloned(),
            other: others(&entry.other),
        }
    }
}

impl From<&WrittenTax<'_>> for SalesOrderTax {
    fn from(tax: &WrittenTax<'_>) -> Self {
        Self {
            tax_id: tax.tax_id.get().copied(),
            tax_amount: tax.tax_amount.get().copied(),
            other: others(&tax.other),
        }
    }
}

fn list<'a, T, R: for<'b> From<&'b T>>(list: &List<'a, T>) -> Vec<R> {
    list.iter().filter_map(|entry| entry.get().map(Into::into)).collect()
}

fn text(member: &Member<'_, Text<'_>>) -> Option<String> {
    member.get().map(|text| text.clone().into_owned())
}

fn others(others: &[Other<'_>]) -> OtherMembers {
    let mut kept = OtherMembers::new();
    for other in others {
        keep(&mut kept, &other.name, other.raw);
    }
    kept
}

fn keep(others: &mut OtherMembers, name: &str, raw: &str) {
    if let Ok(raw) = RawValue::from_string(raw.to_owned()) {
        others.insert(name.to_owned(), raw);
    }
}
