//! Parsing of the value of a member: GUIDs, integers, decimals, strings, dates (§2, D1, D8, D14, D41). The common form of a
//! value is read in one pass, any other form from the same position.

use std::borrow::Cow;

use crate::code::IssueCode;
use crate::date::parse_date;
use crate::decimal::{NotADecimal, read_decimal, significant_digits, to_plain_string};
use crate::guid::{Guid, NotAGuid};
use crate::issue::Details;
use crate::json::{self, JsonString, Read};
use crate::order::field::{Field, FieldType};
use crate::record::{Member, Value};

use super::record::{Origin, Parser};

/// The number of significant digits that a double always preserves (D8).
const EXACT_FLOAT_DIGITS: usize = 15;

impl<'a> Parser<'a> {
    /// Parses the value of a member into its slot.
    pub(super) fn value(&mut self, slot: usize, field: &'static Field) -> Read<()> {
        let start = self.reader.position();
        match field.field_type {
            FieldType::Guid => {
                if let Some(raw) = self.reader.take_guid() {
                    self.records.set(slot, Member { raw, value: Value::RawGuid });
                    return Ok(());
                }
            }
            FieldType::Integer { .. } if !self.is_response() => {
                if let Some(integer) = self.reader.take_integer() {
                    let raw = self.reader.since(start);
                    self.records.set(slot, Member { raw, value: Value::Integer(Some(integer)) });
                    return Ok(());
                }
            }
            FieldType::Decimal => {
                if let Some(value) = self.reader.take_decimal() {
                    let raw = self.reader.since(start);
                    self.records.set(slot, Member { raw, value: Value::Decimal(value) });
                    return Ok(());
                }
            }
            _ => {}
        }
        match (self.reader.peek(), field.field_type) {
            (Some(b'"'), FieldType::String) => {
                let string = self.reader.string()?;
                let (raw, is_printable) = (string.raw(), string.is_printable());
                if is_printable || string.is_unicode() {
                    self.records.set(slot, Member { raw, value: Value::String { is_printable } });
                } else {
                    self.issues.enter(field);
                    let value = self.invalid(raw, IssueCode::NotUnicode);
                    self.issues.leave();
                    self.records.set(slot, Member { raw, value });
                }
            }
            (Some(b'{'), FieldType::Record(_)) | (Some(b'['), FieldType::List(_)) => {
                self.issues.enter(field);
                let value = self.nested(field.field_type)?;
                self.issues.leave();
                self.records.set(slot, Member { raw: self.reader.since(start), value });
            }
            _ => {
                let member = self.uncommon(field)?;
                self.records.set(slot, member);
            }
        }
        Ok(())
    }

    fn nested(&mut self, field_type: FieldType) -> Read<Value> {
        match field_type {
            FieldType::Record(schema) => self.record(schema),
            FieldType::List(schema) => self.list(schema),
            _ => self.skip(IssueCode::NotAnObject),
        }
    }

    /// Parses a value in any other form, or of another type.
    #[inline(never)]
    fn uncommon(&mut self, field: &'static Field) -> Read<Member<'a>> {
        self.issues.enter(field);
        let member = if self.reader.peek() == Some(b'"') {
            let string = self.reader.string()?;
            Member { raw: string.raw(), value: self.value_of_string(field, string) }
        } else {
            let raw = self.reader.value()?;
            let value = if raw == "null" { self.null(field, raw) } else { self.other_value(field, raw) };
            Member { raw, value }
        };
        self.issues.leave();
        Ok(member)
    }

    /// Parses a string that is a value of another type than a string.
    fn value_of_string(&mut self, field: &'static Field, string: JsonString<'a>) -> Value {
        match field.field_type {
            FieldType::Guid => self.guid(string),
            FieldType::ValueType if string.is_unicode() => Value::String { is_printable: false },
            FieldType::ValueType => self.invalid(string.raw(), IssueCode::NotUnicode),
            FieldType::Date => self.date(string),
            FieldType::Decimal => match string.decode() {
                Some(digits) => self.sent_decimal(string.raw(), &digits, false),
                None => self.invalid(string.raw(), IssueCode::NotADecimal),
            },
            _ => self.other_value(field, string.raw()),
        }
    }

    /// Parses anything but a string.
    fn other_value(&mut self, field: &Field, raw: &'a str) -> Value {
        let code_if_other_type = match field.field_type {
            FieldType::Integer { min, max } => return self.integer(min, max, raw),
            FieldType::Boolean => return self.boolean(raw),
            FieldType::ValueType if json::is_number(raw) => return self.decimal(raw, raw, true),
            FieldType::Decimal if json::is_number(raw) => return self.sent_decimal(raw, raw, true),
            FieldType::Guid => IssueCode::NotAGuid,
            FieldType::String => IssueCode::NotAString,
            FieldType::Date => IssueCode::MemberNotReadable,
            FieldType::Decimal => IssueCode::NotADecimal,
            FieldType::ValueType => IssueCode::NotANumberOrString,
            FieldType::Record(_) => IssueCode::NotAnObject,
            FieldType::List(_) => IssueCode::NotAnArray,
        };
        self.invalid(raw, code_if_other_type)
    }

    fn guid(&mut self, string: JsonString<'a>) -> Value {
        let raw = string.raw();
        let Some(string) = string.decode() else { return self.invalid(raw, IssueCode::NotUnicode) };
        match Guid::read(&string) {
            Ok(guid) => {
                self.reader.replace_value(raw, &["\"", &guid.into_string(), "\""].concat());
                Value::Guid(guid)
            }
            Err(NotAGuid::AllZero) => self.invalid(raw, IssueCode::GuidAllZero),
            Err(NotAGuid::Syntax) => self.invalid(raw, IssueCode::NotAGuid),
        }
    }

    /// Parses an integer of any size. In a response, one out of range is not readable (D26).
    fn integer(&mut self, min: u32, max: u32, raw: &'a str) -> Value {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.invalid(raw, IssueCode::NotAnInteger);
        }
        let value = raw.parse().ok();
        if self.is_response() && !value.is_some_and(|value| (min..=max).contains(&value)) {
            return self.invalid(raw, IssueCode::MemberNotReadable);
        }
        Value::Integer(value)
    }

    fn boolean(&mut self, raw: &'a str) -> Value {
        match raw {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            _ => self.invalid(raw, IssueCode::NotABoolean),
        }
    }

    fn date(&mut self, string: JsonString<'a>) -> Value {
        let raw = string.raw();
        let Some(date) = string.decode().and_then(|string| parse_date(string.as_bytes())) else {
            return self.invalid(raw, IssueCode::MemberNotReadable);
        };
        if !date.has_offset {
            self.issues.report(IssueCode::DateWithoutOffset);
        }
        Value::Date { has_offset: date.has_offset }
    }

    /// Parses a decimal that is sent as a number: with the digits that were given, or in plain notation if it has an exponent or a sign.
    fn sent_decimal(&mut self, raw: &'a str, digits: &str, is_number: bool) -> Value {
        let value = self.decimal(raw, digits, is_number);
        if let Value::Decimal(decimal) = value {
            let is_plain = digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
            let plain = if is_plain { Cow::Borrowed(digits) } else { to_plain_string(&decimal).into() };
            self.reader.replace_value(raw, &plain);
        }
        value
    }

    fn decimal(&mut self, raw: &'a str, digits: &str, is_number: bool) -> Value {
        match read_decimal(digits) {
            Ok(value) => {
                // A double prints with up to 17 digits; the digits of a string are intended (D8).
                if is_number
                    && raw.len() > EXACT_FLOAT_DIGITS
                    && significant_digits(&value) > EXACT_FLOAT_DIGITS
                    && self.origin == Origin::Json
                {
                    let details = || Details::default().limit(EXACT_FLOAT_DIGITS);
                    self.issues.report_with(IssueCode::DecimalFromFloat, &details);
                }
                Value::Decimal(value)
            }
            Err(NotADecimal::OutOfRange) => self.invalid(raw, IssueCode::DecimalOutOfRange),
            Err(NotADecimal::Syntax) => self.invalid(raw, IssueCode::NotADecimal),
        }
    }
}
