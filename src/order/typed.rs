//! Conversions between parsed records, the Rust structs of [`crate::order`], and JSON: one for each type of member.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use rust_decimal::Decimal;

use crate::date::UTC;
use crate::guid::Guid;
use crate::json::{self, DecimalForm, Json, ToJson, Writer, serialize_as_json};
use crate::order::field::Field;
use crate::record::{Record, Value};

/// Members that the schema of a record does not have, by name (D25).
pub type OtherMembers = BTreeMap<String, Json>;

/// Whether a discount is an amount or a percentage; the meaning of the values is not published (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ValueType {
    /// A number, compared by value.
    Number(Decimal),
    /// A string, compared exactly.
    Text(String),
}

impl From<u32> for ValueType {
    fn from(number: u32) -> Self {
        Self::Number(number.into())
    }
}

impl From<Decimal> for ValueType {
    fn from(number: Decimal) -> Self {
        Self::Number(number)
    }
}

impl From<String> for ValueType {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&str> for ValueType {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

/// A struct that is made from a parsed record; `None` if a required member is absent or could not be read.
pub(crate) trait FromRecord: Sized {
    fn from_record(record: Record<'_, '_>) -> Option<Self>;
}

/// The value of a member, `None` if it is absent or could not be read.
pub(super) trait FromMember: Sized {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self>;
}

impl FromMember for Guid {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        record.get(field).guid()
    }
}

impl FromMember for u32 {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        record.get(field).integer()
    }
}

impl FromMember for bool {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        record.get(field).boolean()
    }
}

impl FromMember for Decimal {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        record.get(field).decimal()
    }
}

impl FromMember for String {
    /// Returns a string, or a date with its offset: a date without one is in UTC (D41).
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        let member = record.get(field);
        match member.value {
            Value::Date { has_offset } => {
                let date = json::string(member.raw)?.into_owned();
                Some(if has_offset { date } else { date + UTC })
            }
            _ => member.string().map(Cow::into_owned),
        }
    }
}

impl FromMember for ValueType {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        let member = record.get(field);
        let number = member.decimal().map(ValueType::Number);
        number.or_else(|| member.string().map(|text| ValueType::Text(text.into_owned())))
    }
}

impl<R: FromRecord> FromMember for R {
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        R::from_record(record.record(field)?)
    }
}

impl<R: FromRecord> FromMember for Vec<R> {
    /// Returns `None` if an entry could not be read.
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        Vec::<Option<R>>::from_member(record, field)?.into_iter().collect()
    }
}

impl<R: FromRecord> FromMember for Vec<Option<R>> {
    /// Returns `None` for each entry that could not be read, so that the others keep their index.
    fn from_member(record: Record<'_, '_>, field: &Field) -> Option<Self> {
        if !matches!(record.get(field).value, Value::List { .. }) {
            return None;
        }
        Some(record.entries(field).map(|entry| entry.record.and_then(R::from_record)).collect())
    }
}

/// Returns the members that the schema does not have, and those that are passed through unread.
pub(super) fn other_members(record: Record<'_, '_>) -> OtherMembers {
    let passed = record.members().filter(|(_, member)| matches!(member.value, Value::Passthrough(_)));
    let passed = passed.map(|(field, member)| (field.name, member.raw));
    let unknown = record.others().map(|other| (&*other.name, other.raw));
    passed.chain(unknown).map(|(name, raw)| (name.to_owned(), Json::from_parsed(raw))).collect()
}

serialize_as_json! { ValueType }

impl ToJson for ValueType {
    /// Keeps the form: a number stays a number.
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Number(number) => out.number(number),
            Self::Text(text) => out.string(text),
        }
    }
}

/// A field of a struct that is written as a member.
pub(super) trait WriteMember {
    fn write_member(&self, key: &'static str, out: &mut Writer);
}

impl<T: ToJson> WriteMember for Option<T> {
    /// Leaves out a member that is `None`.
    fn write_member(&self, key: &'static str, out: &mut Writer) {
        if let Some(value) = self {
            value.write(out.key(key));
        }
    }
}

impl<T: ToJson + Required> WriteMember for T {
    fn write_member(&self, key: &'static str, out: &mut Writer) {
        self.write(out.key(key));
    }
}

/// The type of a required member, which is not an `Option`.
pub(super) trait Required {}

impl Required for Guid {}
impl Required for u32 {}
impl Required for Decimal {}
impl Required for ValueType {}
impl<T> Required for Vec<T> {}

/// Returns a record as JSON with decimals as numbers.
pub(super) fn number_json(record: &impl ToJson) -> String {
    let mut out = Writer::new(DecimalForm::Number);
    record.write(&mut out);
    out.into_string()
}

/// Replaces a personal value in `Debug`.
struct Personal;

impl fmt::Debug for Personal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<personal>")
    }
}

/// Returns what `Debug` prints of a member.
pub(super) fn personal<'v>(field: &Field, value: &'v dyn fmt::Debug) -> &'v dyn fmt::Debug {
    if field.personal { &Personal } else { value }
}
