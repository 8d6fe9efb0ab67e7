//! Conversions between parsed records and the Rust structs of [`crate::order`]: one for each member type.

use std::collections::BTreeMap;

use rust_decimal::Decimal;
use serde::ser::Error as _;
use serde::{Serialize as _, Serializer};
use serde_json::value::RawValue;

use crate::date::UTC;
use crate::guid::Guid;
use crate::json::{self, Writer};
use crate::record::{Record, Value};
use crate::schema::Field;

/// Members that the schema of a record does not have, by name, as JSON (D25).
pub type OtherMembers = BTreeMap<String, Box<RawValue>>;

/// Whether a discount is an amount or a percentage; the meaning of the values is not published (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueType {
    /// A number, compared by value.
    Number(Decimal),
    /// A string, compared exactly.
    Text(String),
}

/// A record struct, made from a parsed record.
pub(super) trait FromRecord {
    fn from_record(record: Record<'_, '_>) -> Self;
}

/// The value of one struct field, made from a parsed member.
pub(super) trait FromMember {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self;
}

impl FromMember for Option<Guid> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        record.get(field).guid()
    }
}

impl FromMember for Option<u32> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        record.get(field).integer()
    }
}

impl FromMember for Option<bool> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        record.get(field).boolean()
    }
}

impl FromMember for Option<Decimal> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        record.get(field).decimal()
    }
}

impl FromMember for Option<String> {
    /// Returns a string, or a date with its offset: one without is UTC (D41).
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        let member = record.get(field);
        match member.value {
            Value::Date { has_offset } => {
                let date = json::string(member.raw)?.into_owned();
                Some(if has_offset { date } else { date + UTC })
            }
            _ => member.string(),
        }
    }
}

impl FromMember for Option<ValueType> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        let member = record.get(field);
        let number = member.decimal().map(ValueType::Number);
        number.or_else(|| member.string().map(ValueType::Text))
    }
}

impl<R: FromRecord> FromMember for Option<R> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        record.record(field).map(R::from_record)
    }
}

impl<R: FromRecord> FromMember for Vec<R> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        record.entries(field).filter_map(|entry| entry.record.map(R::from_record)).collect()
    }
}

impl<R: FromRecord> FromMember for Option<Vec<R>> {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Self {
        matches!(record.get(field).value, Value::List { .. }).then(|| Vec::from_member(record, field))
    }
}

/// Returns the members that the schema does not have, and those that are passed through unread.
pub(super) fn other_members(record: Record<'_, '_>) -> OtherMembers {
    let passed = record.members().filter(|(_, member)| matches!(member.value, Value::Passthrough(_)));
    let passed = passed.map(|(field, member)| (field.name, member.raw));
    let unknown = record.others().map(|other| (&*other.name, other.raw));
    let raw =
        |(name, raw): (&str, &str)| Some((name.to_owned(), RawValue::from_string(raw.to_owned()).ok()?));
    passed.chain(unknown).filter_map(raw).collect()
}

/// A value that can be written as JSON, decimals with their digits.
pub(super) trait WriteValue {
    fn write(&self, out: &mut Writer);
}

impl WriteValue for Guid {
    fn write(&self, out: &mut Writer) {
        out.guid(*self);
    }
}

impl WriteValue for u32 {
    fn write(&self, out: &mut Writer) {
        out.integer(*self as usize);
    }
}

impl WriteValue for bool {
    fn write(&self, out: &mut Writer) {
        out.raw(if *self { "true" } else { "false" });
    }
}

impl WriteValue for String {
    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl WriteValue for Decimal {
    fn write(&self, out: &mut Writer) {
        out.decimal_number(self);
    }
}

impl WriteValue for ValueType {
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Number(number) => out.decimal_number(number),
            Self::Text(text) => out.string(text),
        }
    }
}

impl<T: WriteValue> WriteValue for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.begin_array();
        self.iter().for_each(|value| value.write(out));
        out.end_array();
    }
}

/// A struct field that can be written as a member.
pub(super) trait WriteMember {
    fn write_member(&self, key: &'static str, out: &mut Writer);
}

impl<T: WriteValue> WriteMember for Option<T> {
    /// Omits a member that is `None`.
    fn write_member(&self, key: &'static str, out: &mut Writer) {
        if let Some(value) = self {
            value.write(out.key(key));
        }
    }
}

impl<T: WriteValue> WriteMember for Vec<T> {
    fn write_member(&self, key: &'static str, out: &mut Writer) {
        self.write(out.key(key));
    }
}

/// Writes a record as JSON and serializes that JSON unchanged, so that no decimal goes through a float.
pub(super) fn serialize_record<S: Serializer>(
    record: &impl WriteValue,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut out = Writer::default();
    record.write(&mut out);
    let raw = RawValue::from_string(out.into_string()).map_err(S::Error::custom)?;
    raw.serialize(serializer)
}
