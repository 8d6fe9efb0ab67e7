//! serde for the types that are not declared by a macro, and `Deserialize` for the records of an order.
//!
//! Records are read by the parser of this crate from the JSON itself, so that a number keeps its digits: from JSON only.

use std::borrow::Cow;

use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;

use crate::check::check_integer;
use crate::code::IssueCode;
use crate::guid::Guid;
use crate::issue::{IssueCollector, PathSegment};
use crate::json::{Json, serialize_raw};
use crate::options::json::{OptionError, OptionValue, discount_value_types, read_options, tax_rate};
use crate::options::{AmountOptions, DiscountValueTypes, Records, RuleOptions, Scale, TaxLayer, TaxRate};
use crate::order::field::{Presence, Schema};
use crate::order::{DISCOUNT, DISCOUNT_ENTRY, FromRecord, ITEM, ORDER, SOURCE, TAX};
use crate::order::{
    InvoiceDiscount, ReceivedDiscount, ReceivedInvoiceDiscount, ReceivedItem, ReceivedOrder,
    ReceivedOrderSource, ReceivedTax, SalesOrder, SalesOrderDiscount, SalesOrderItem, SalesOrderTax,
    ValueType,
};
use crate::parse::{Origin, parse_alone};
use crate::record::{Record, Value};
use crate::request::InvalidOrder;

impl Serialize for Guid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.into_string())
    }
}

impl<'de> Deserialize<'de> for Guid {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Cow::<'de, str>::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

impl Serialize for Json {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serialize_raw(self.as_str().to_owned(), serializer)
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::parse(Box::<RawValue>::deserialize(deserializer)?.get()).map_err(D::Error::custom)
    }
}

/// Implements `Deserialize` by one of the functions below.
macro_rules! deserialize {
    ($read:ident $($record:ident = $schema:ident),+) => { $(
        impl<'de> Deserialize<'de> for $record {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = Box::<RawValue>::deserialize(deserializer)?;
                $read(raw.get(), &$schema, stringify!($record)).map_err(D::Error::custom)
            }
        }
    )+ };
}

/// Implements `Deserialize` for options by a function that reads their JSON (D48).
macro_rules! deserialize_options {
    ($($name:ident = $read:expr;)*) => { $(
        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = Box::<RawValue>::deserialize(deserializer)?;
                let read: fn(&str) -> Result<Self, Box<OptionError>> = $read;
                read(raw.get()).map_err(|error| {
                    // A message about the value as a whole begins with the name of its type.
                    let of_all = error.message.strip_prefix("the options");
                    let message = of_all.map(|predicate| [stringify!($name), predicate].concat());
                    D::Error::custom(message.unwrap_or(error.message))
                })
            }
        }
    )* };
}

deserialize_options! {
    RuleOptions = |json| {
        let mut rules = Self::default();
        read_options(json, &mut |name, value| rules.read_option(name, value))?;
        Ok(rules)
    };
    AmountOptions = |json| {
        let mut amounts = Self::default();
        read_options(json, &mut |name, value| amounts.read_option(name, value))?;
        Ok(amounts)
    };
    TaxRate = |json| tax_rate(&OptionValue::root(json));
    TaxLayer = |json| OptionValue::root(json).layer();
    Scale = |json| OptionValue::root(json).scale();
    DiscountValueTypes = |json| discount_value_types(&OptionValue::root(json));
    ValueType = |json| OptionValue::root(json).value_type();
}

deserialize! { sent SalesOrder = ORDER, SalesOrderItem = ITEM, SalesOrderTax = TAX }
deserialize! { sent SalesOrderDiscount = DISCOUNT, InvoiceDiscount = DISCOUNT_ENTRY }
deserialize! { received ReceivedOrder = ORDER, ReceivedItem = ITEM, ReceivedTax = TAX, ReceivedOrderSource = SOURCE }
deserialize! { received ReceivedDiscount = DISCOUNT, ReceivedInvoiceDiscount = DISCOUNT_ENTRY }

/// Reads a record whose members have their types, and that lacks no required one. Rules are not applied.
fn sent<T: FromRecord>(json: &str, schema: &'static Schema, name: &'static str) -> Result<T, String> {
    let (records, mut issues) = parse_alone(json, schema, Origin::Struct, &[PathSegment::Name(name)]);
    issues.settle(Records::Strict);
    let Some(records) = records else { return Err(described(issues, name)) };
    if !issues.has_error() {
        report_lacking(records.root(), &mut issues);
    }
    let record = if issues.has_error() { None } else { T::from_record(records.root()) };
    record.ok_or_else(|| described(issues, name))
}

/// Reads a record tolerantly, as [`read_order`](crate::read_order) does (D26).
fn received<T: FromRecord>(json: &str, schema: &'static Schema, name: &'static str) -> Result<T, String> {
    let (records, _) = parse_alone(json, schema, Origin::Response, &[]);
    let record = records.and_then(|records| T::from_record(records.root()));
    record.ok_or_else(|| [name, " must be an object"].concat())
}

/// Reports why a record can't be a struct, if parsing has reported no error.
fn report_lacking<'a>(record: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    for (field, member) in record.members() {
        match (member.value, field.field_type) {
            (Value::Absent | Value::Null, _) if field.presence == Presence::Required => {
                issues.report_member(field, IssueCode::Missing);
            }
            (Value::Integer(None), _) => {
                check_integer(field, None, issues);
            }
            _ => {}
        }
        issues.enter(field);
        if let Some(record) = record.record(field) {
            report_lacking(record, issues);
        }
        for (index, entry) in record.entries(field).enumerate() {
            issues.enter(index);
            if let Some(record) = entry.record {
                report_lacking(record, issues);
            }
            issues.leave();
        }
        issues.leave();
    }
}

/// Returns the first error with its pointer into the record.
fn described(issues: IssueCollector<'_>, name: &str) -> String {
    let root = ["/", name].concat();
    let mut issues = issues.finish();
    for issue in &mut issues {
        // The issue `more_issues` has no pointer into the record.
        if let Some(pointer) = issue.pointer.strip_prefix(&root) {
            issue.pointer = pointer.to_owned();
        }
    }
    InvalidOrder { order_id: None, issues }.to_string()
}
