//! Parsing of single values: GUIDs, integers, decimals, strings, dates (§2, D1, D8, D14, D41).

use crate::code::IssueCode;
use crate::date::parse_date;
use crate::decimal::{NotADecimal, read_decimal, significant_digits};
use crate::guid::{Guid, NotAGuid};
use crate::issue::Details;
use crate::json::{self, JsonString};
use crate::order::schema::{Field, FieldType};
use crate::record::Value;

use super::record::Parser;

/// The number of significant digits that a double always preserves (D8).
const EXACT_FLOAT_DIGITS: usize = 15;

impl<'a> Parser<'a> {
    /// Parses the value of a member from a string.
    pub(super) fn parse_string(&mut self, field: &Field, string: JsonString<'a>) -> Value {
        match field.field_type {
            FieldType::Guid => self.guid(string),
            FieldType::String | FieldType::ValueType if string.is_unicode() => Value::String,
            FieldType::String | FieldType::ValueType => self.invalid(string.raw(), IssueCode::NotUnicode),
            FieldType::Date => self.date(string),
            FieldType::Decimal => match string.decode() {
                Some(digits) => self.decimal(string.raw(), &digits, false),
                None => self.invalid(string.raw(), IssueCode::NotADecimal),
            },
            _ => self.parse_other(field, string.raw()),
        }
    }

    /// Parses the value of a member from anything but a string.
    pub(super) fn parse_other(&mut self, field: &Field, raw: &'a str) -> Value {
        let code_if_other_type = match field.field_type {
            FieldType::Integer { min, max } => return self.integer(min, max, raw),
            FieldType::Boolean => return self.boolean(raw),
            FieldType::Decimal | FieldType::ValueType if json::is_number(raw) => {
                return self.decimal(raw, raw, true);
            }
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
            Ok(guid) => Value::Guid(guid),
            Err(NotAGuid::AllZero) => self.invalid(raw, IssueCode::GuidAllZero),
            Err(NotAGuid::Syntax) => self.invalid(raw, IssueCode::NotAGuid),
        }
    }

    /// Parses an integer of any size; the rules check its range. In a response, one out of range is not readable (D26).
    fn integer(&mut self, min: u32, max: u32, raw: &'a str) -> Value {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.invalid(raw, IssueCode::NotAnInteger);
        }
        let value = raw.parse().ok();
        if self.is_response && !value.is_some_and(|value| (min..=max).contains(&value)) {
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

    fn decimal(&mut self, raw: &'a str, digits: &str, is_number: bool) -> Value {
        match read_decimal(digits) {
            Ok(value) => {
                // A double prints with up to 17 digits; the digits of a string are intended (D8).
                if is_number
                    && raw.len() > EXACT_FLOAT_DIGITS
                    && significant_digits(&value) > EXACT_FLOAT_DIGITS
                    && !self.is_response
                {
                    let details = || Details::limit(EXACT_FLOAT_DIGITS);
                    self.issues.report_with(IssueCode::DecimalFromFloat, &details);
                }
                Value::Decimal(value)
            }
            Err(NotADecimal::OutOfRange) => self.invalid(raw, IssueCode::DecimalOutOfRange),
            Err(NotADecimal::Syntax) => self.invalid(raw, IssueCode::NotADecimal),
        }
    }
}
