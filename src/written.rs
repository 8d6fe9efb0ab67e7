//! An order as it was written: every member with its text, and its value where it could be read.
//!
//! This is what rules, preview and request work on. Whatever is in it borrows from the text it was read from.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::guid::Guid;

/// A member: the text of its value, and the value.
pub(crate) struct Member<'a, T> {
    /// The JSON text of the value; empty where the member is absent.
    pub(crate) raw: &'a str,
    pub(crate) value: Value<T>,
}

/// What a member holds.
#[derive(Default)]
pub(crate) enum Value<T> {
    #[default]
    Absent,
    Null,
    /// Something else than the member can hold; an issue says so.
    Unreadable,
    Is(T),
}

impl<T> Default for Member<'_, T> {
    fn default() -> Self {
        Self { raw: "", value: Value::Absent }
    }
}

impl<T> Member<'_, T> {
    pub(crate) fn get(&self) -> Option<&T> {
        match &self.value {
            Value::Is(value) => Some(value),
            _ => None,
        }
    }

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self.value, Value::Absent)
    }
}

/// A list whose entries may each be unreadable.
pub(crate) type List<'a, T> = Vec<Member<'a, T>>;

/// A text that a person wrote.
pub(crate) type Text<'a> = Cow<'a, str>;

/// A member that the record does not have: kept as it is (D10, D13, D25).
pub(crate) struct Other<'a> {
    pub(crate) name: Cow<'a, str>,
    pub(crate) raw: &'a str,
}

/// SalesOrderV2V3Put (§2.1).
#[derive(Default)]
pub(crate) struct WrittenOrder<'a> {
    /// The text of the whole order.
    pub(crate) raw: &'a str,
    pub(crate) id: Member<'a, Guid>,
    pub(crate) company_id: Member<'a, u32>,
    pub(crate) entity_id: Member<'a, u32>,
    pub(crate) was_created_with_inventory_hold: Member<'a, bool>,
    pub(crate) first_name: Member<'a, Text<'a>>,
    pub(crate) last_name: Member<'a, Text<'a>>,
    pub(crate) customer_id: Member<'a, Guid>,
    pub(crate) date_created_utc: Member<'a, Text<'a>>,
    pub(crate) order_source: Member<'a, WrittenSource<'a>>,
    pub(crate) order_number: Member<'a, Text<'a>>,
    pub(crate) integrator_id: Member<'a, Guid>,
    pub(crate) items: Member<'a, List<'a, WrittenItem<'a>>>,
    pub(crate) discount: Member<'a, Records<WrittenDiscount<'a>>>,
    pub(crate) is_delivery: Member<'a, bool>,
    pub(crate) receipt_number: Member<'a, Text<'a>>,
    pub(crate) external_order_id: Member<'a, Text<'a>>,
    pub(crate) taxes: Member<'a, Records<List<'a, WrittenTax<'a>>>>,
    pub(crate) notes: Member<'a, Text<'a>>,
    pub(crate) time_slot_display_string: Member<'a, Text<'a>>,
    pub(crate) other: Vec<Other<'a>>,
}

/// SalesOrderV2V3PutOrderSource (§2.2).
#[derive(Default)]
pub(crate) struct WrittenSource<'a> {
    pub(crate) id: Member<'a, Guid>,
    pub(crate) name: Member<'a, Text<'a>>,
    pub(crate) other: Vec<Other<'a>>,
}

/// SalesOrderV2V3PutOrderItem (§2.3).
#[derive(Default)]
pub(crate) struct WrittenItem<'a> {
    pub(crate) name: Member<'a, Text<'a>>,
    pub(crate) catalog_item_id: Member<'a, Guid>,
    pub(crate) quantity: Member<'a, Decimal>,
    pub(crate) sell_at_price_per_unit: Member<'a, Decimal>,
    pub(crate) package_id: Member<'a, Text<'a>>,
    pub(crate) batch: Member<'a, Text<'a>>,
    pub(crate) other: Vec<Other<'a>>,
}

/// Records whose shape the specification does not show: read as the sibling operations have them, or not at all.
pub(crate) enum Records<T> {
    Read(T),
    /// Passed through; holds how many there are.
    Opaque(usize),
}

impl<T> Records<T> {
    pub(crate) fn read(&self) -> Option<&T> {
        match self {
            Self::Read(records) => Some(records),
            Self::Opaque(_) => None,
        }
    }
}

/// SalesOrderV2V3PutOrderDiscount (§2.4, D13).
#[derive(Default)]
pub(crate) struct WrittenDiscount<'a> {
    pub(crate) invoice_level: Member<'a, List<'a, WrittenDiscountEntry<'a>>>,
    pub(crate) other: Vec<Other<'a>>,
}

/// One invoice-level discount (D13, D14).
#[derive(Default)]
pub(crate) struct WrittenDiscountEntry<'a> {
    pub(crate) name: Member<'a, Text<'a>>,
    pub(crate) value: Member<'a, Decimal>,
    pub(crate) value_type: Member<'a, ValueType>,
    pub(crate) other: Vec<Other<'a>>,
}

/// What says whether a discount is an amount or a percentage; its meaning is published nowhere (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A number, compared by value.
    Number(Decimal),
    /// Text, compared to the letter.
    Text(String),
}

/// SalesOrderV2V3PutOrderTax (§2.5, D10).
#[derive(Default)]
pub(crate) struct WrittenTax<'a> {
    pub(crate) tax_id: Member<'a, Guid>,
    pub(crate) tax_amount: Member<'a, Decimal>,
    pub(crate) other: Vec<Other<'a>>,
}
