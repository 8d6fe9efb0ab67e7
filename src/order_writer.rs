//! A valid order as JSON again: for the request, or for a program.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::date::UTC;
use crate::json::{DecimalForm, Writer};
use crate::order::field::Field;
use crate::record::{Entry, Member, Record, RecordSet, Value};

/// Returns the body of the request: the JSON of the caller, with the differences that the parser has found (D64). Writes an order
/// anew if it has an Id that the caller did not give.
pub(crate) fn body_of<'a>(records: &RecordSet<'a>) -> Cow<'a, str> {
    match &records.source {
        Some((json, edits)) => edits.apply(json),
        None => Cow::Owned(write_order(records, DecimalForm::Number)),
    }
}

/// Writes an order anew: its members in the order of the specification. Copies values that are sent as they are.
pub(crate) fn write_order(records: &RecordSet<'_>, decimals: DecimalForm) -> String {
    let order = records.root();
    let mut writer = OrderWriter { out: Writer::new(decimals).with_capacity(order.raw().len() + 64) };
    writer.record(order);
    writer.out.into_string()
}

struct OrderWriter {
    out: Writer,
}

impl OrderWriter {
    fn record(&mut self, record: Record<'_, '_>) {
        self.out.begin_object();
        for (field, member) in record.members().filter(|(_, member)| !member.is_absent()) {
            self.out.key(field.key);
            self.value(record, field, member);
        }
        for other in record.others() {
            self.out.key_of(&other.name).raw(other.raw);
        }
        self.out.end_object();
    }

    fn value(&mut self, record: Record<'_, '_>, field: &Field, member: &Member<'_>) {
        match member.value {
            Value::Guid(guid) => self.out.guid(guid),
            Value::Decimal(_) if field.keeps_form() => self.out.raw(member.raw),
            Value::Decimal(value) => self.decimal(member.raw, &value),
            Value::Record(_) => {
                if let Some(record) = record.record(field) {
                    self.record(record);
                }
            }
            Value::List { .. } => self.list(record, field),
            Value::Date { has_offset: false } => {
                let date = member.raw.trim_matches('"');
                self.out.raw(&["\"", date, UTC, "\""].concat());
            }
            Value::Absent | Value::Null | Value::Invalid | Value::Repeated => self.out.raw("null"),
            // Sent as they are, and so are records that were not read.
            Value::RawGuid
            | Value::String { .. }
            | Value::Integer(_)
            | Value::Boolean(_)
            | Value::Date { .. }
            | Value::Passthrough(_) => {
                self.out.raw(member.raw);
            }
        }
    }

    fn list(&mut self, record: Record<'_, '_>, field: &Field) {
        self.out.begin_array();
        for Entry { record, .. } in record.entries(field) {
            match record {
                Some(record) => self.record(record),
                None => self.out.raw("null"),
            }
        }
        self.out.end_array();
    }

    fn decimal(&mut self, raw: &str, value: &Decimal) {
        let digits = raw.trim_matches('"');
        let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        match self.out.decimals() {
            DecimalForm::Number if is_plain => self.out.raw(digits),
            DecimalForm::String if is_plain && digits.len() < raw.len() => self.out.raw(raw),
            DecimalForm::String if is_plain => self.out.string(digits),
            _ => self.out.decimal(value),
        }
    }
}
