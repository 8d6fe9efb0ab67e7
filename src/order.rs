//! The sales order and its records as Rust values (§2): types only.
//!
//! They are what [`crate::Verdict`] and [`crate::OrderRead`] give, and one way to make the JSON text that the
//! functions of this crate take: fill one in and call [`SalesOrderV2V3Put::to_json`].

use std::borrow::Cow;
use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::date::UTC;
use crate::decimal::to_plain_string;
use crate::guid::Guid;
use crate::json;
use crate::shape::{
    DISCOUNT, DISCOUNT_ENTRY, ITEM, SOURCE, Shape, TAX, discount, discount_entry, item, order, source, tax,
};
use crate::written::{Member, Record, Value, ValueType, WrittenOrder};

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
    /// Members that an order does not have, kept as they are; passthrough records among them.
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
    let digits = value.as_ref().map(|value| RawValue::from_string(to_plain_string(value))).transpose();
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
        let order = order.root();
        let mut other = others(order);
        // Records that were not read are kept as they are.
        for (name, position) in [("Discount", order::DISCOUNT), ("Taxes", order::TAXES)] {
            if let Member { raw, value: Value::Passthrough(_) } = order.get(position) {
                keep(&mut other, name, raw);
            }
        }
        let text = |position| text(order, position);
        let taxes = order.get(order::TAXES);
        Self {
            id: order.get(order::ID).guid(),
            company_id: order.get(order::COMPANY_ID).integer(),
            entity_id: order.get(order::ENTITY_ID).integer(),
            was_created_with_inventory_hold: order.get(order::WAS_CREATED_WITH_INVENTORY_HOLD).boolean(),
            first_name: text(order::FIRST_NAME),
            last_name: text(order::LAST_NAME),
            customer_id: order.get(order::CUSTOMER_ID).guid(),
            date_created_utc: date(order.get(order::DATE_CREATED_UTC)),
            order_source: order.record(order::ORDER_SOURCE, &SOURCE).map(Into::into),
            order_number: text(order::ORDER_NUMBER),
            integrator_id: order.get(order::INTEGRATOR_ID).guid(),
            items: list(order, order::ITEMS, &ITEM),
            discount: order.record(order::DISCOUNT, &DISCOUNT).map(Into::into),
            is_delivery: order.get(order::IS_DELIVERY).boolean(),
            receipt_number: text(order::RECEIPT_NUMBER),
            external_order_id: text(order::EXTERNAL_ORDER_ID),
            taxes: matches!(taxes.value, Value::List { .. }).then(|| list(order, order::TAXES, &TAX)),
            notes: text(order::NOTES),
            time_slot_display_string: text(order::TIME_SLOT_DISPLAY_STRING),
            other,
        }
    }
}

impl From<Record<'_, '_>> for SalesOrderSource {
    fn from(source: Record<'_, '_>) -> Self {
        Self { id: source.get(source::ID).guid(), name: text(source, source::NAME), other: others(source) }
    }
}

impl From<Record<'_, '_>> for SalesOrderItem {
    fn from(item: Record<'_, '_>) -> Self {
        Self {
            name: text(item, item::NAME),
            catalog_item_id: item.get(item::CATALOG_ITEM_ID).guid(),
            quantity: item.get(item::QUANTITY).decimal(),
            sell_at_price_per_unit: item.get(item::SELL_AT_PRICE_PER_UNIT).decimal(),
            package_id: text(item, item::PACKAGE_ID),
            batch: text(item, item::BATCH),
            other: others(item),
        }
    }
}

impl From<Record<'_, '_>> for SalesOrderDiscount {
    fn from(discount: Record<'_, '_>) -> Self {
        Self {
            invoice_level: list(discount, discount::INVOICE_LEVEL, &DISCOUNT_ENTRY),
            other: others(discount),
        }
    }
}

impl From<Record<'_, '_>> for InvoiceDiscount {
    fn from(entry: Record<'_, '_>) -> Self {
        let value_type = entry.get(discount_entry::VALUE_TYPE);
        let number = value_type.decimal().map(ValueType::Number);
        Self {
            name: text(entry, discount_entry::NAME),
            value: entry.get(discount_entry::VALUE).decimal(),
            value_type: number.or_else(|| text(entry, discount_entry::VALUE_TYPE).map(ValueType::Text)),
            other: others(entry),
        }
    }
}

impl From<Record<'_, '_>> for SalesOrderTax {
    fn from(tax: Record<'_, '_>) -> Self {
        Self {
            tax_id: tax.get(tax::TAX_ID).guid(),
            tax_amount: tax.get(tax::TAX_AMOUNT).decimal(),
            other: others(tax),
        }
    }
}

fn list<R: for<'w, 'a> From<Record<'w, 'a>>>(
    record: Record<'_, '_>,
    position: usize,
    shape: &'static Shape,
) -> Vec<R> {
    record.entries(position, shape).filter_map(|entry| entry.record.map(Into::into)).collect()
}

fn text(record: Record<'_, '_>, position: usize) -> Option<String> {
    record.get(position).text().map(Cow::into_owned)
}

/// A date as it was written, in UTC where it did not say (D41).
fn date(member: &Member<'_>) -> Option<String> {
    let Value::Date { has_offset } = member.value else { return None };
    let date = json::text(member.raw)?.into_owned();
    Some(if has_offset { date } else { date + UTC })
}

fn others(record: Record<'_, '_>) -> OtherMembers {
    let mut kept = OtherMembers::new();
    for other in record.others() {
        keep(&mut kept, &other.name, other.raw);
    }
    kept
}

fn keep(others: &mut OtherMembers, name: &str, raw: &str) {
    if let Ok(raw) = RawValue::from_string(raw.to_owned()) {
        others.insert(name.to_owned(), raw);
    }
}
