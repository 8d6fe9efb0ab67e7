//! Reading single values: GUIDs, integers, decimals, texts, dates (§2, D1, D4, D8, D14, D41).

use std::borrow::Cow;

use crate::code::IssueCode;
use crate::date::read_date;
use crate::decimal::{DecimalError, parse_decimal, significant_digits};
use crate::guid::{Guid, GuidError};
use crate::json;
use crate::shape::Kind;
use crate::written::Value;

use super::{Decoder, Reading};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn scalar(&mut self, kind: Kind, raw: &'a str) -> Value {
        match kind {
            Kind::Guid => self.guid(raw),
            Kind::Integer => self.integer(raw),
            Kind::Boolean => self.boolean(raw),
            Kind::Decimal => self.decimal(raw, IssueCode::NotADecimal),
            Kind::ValueType if json::is_number(raw) => self.decimal(raw, IssueCode::NotNumberOrText),
            Kind::ValueType => self.text(raw, IssueCode::NotNumberOrText),
            Kind::Date => self.date(raw),
            // Records and lists are read where they stand.
            Kind::Text | Kind::Record(_) | Kind::List(_) => self.text(raw, IssueCode::NotText),
        }
    }

    fn guid(&mut self, raw: &'a str) -> Value {
        let text = if json::is_text(raw) { self.reader.text(raw) } else { Some(Cow::Borrowed("")) };
        let Some(text) = text else { return self.wrong(raw, IssueCode::TextNotUnicode) };
        match Guid::parse(&text) {
            Ok(guid) => Value::Guid(guid),
            Err(GuidError::AllZero) => self.wrong(raw, IssueCode::GuidAllZero),
            Err(GuidError::Form) => self.wrong(raw, IssueCode::NotAGuid),
        }
    }

    fn integer(&mut self, raw: &'a str) -> Value {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.wrong(raw, IssueCode::NotAnInteger);
        }
        match raw.parse() {
            Ok(value @ 1..=0x7FFF_FFFF) => Value::Integer(value),
            _ => self.wrong(raw, IssueCode::IntegerOutOfRange),
        }
    }

    fn boolean(&mut self, raw: &'a str) -> Value {
        match raw {
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            _ => self.wrong(raw, IssueCode::NotABoolean),
        }
    }

    fn text(&mut self, raw: &'a str, otherwise: IssueCode) -> Value {
        if !json::is_text(raw) {
            return self.wrong(raw, otherwise);
        }
        if !self.reader.is_unicode(raw) {
            return self.wrong(raw, IssueCode::TextNotUnicode);
        }
        Value::Text
    }

    fn date(&mut self, raw: &'a str) -> Value {
        let Some(has_offset) = json::text(raw).and_then(|text| read_date(&text)) else {
            return self.wrong(raw, IssueCode::MemberNotReadable);
        };
        if !has_offset {
            self.issues.at(raw, IssueCode::DateWithoutOffset);
        }
        Value::Date { has_offset }
    }

    fn decimal(&mut self, raw: &'a str, otherwise: IssueCode) -> Value {
        let is_number = json::is_number(raw);
        let digits = if is_number { Some(Cow::Borrowed(raw)) } else { json::text(raw) };
        let Some(digits) = digits else { return self.wrong(raw, otherwise) };
        match parse_decimal(&digits) {
            Ok(value) => {
                // Shortest texts of doubles have at most 17 digits; text was written by somebody who meant it (D8).
                if is_number
                    && raw.len() > 15
                    && significant_digits(&value) > 15
                    && self.reading != Reading::Response
                {
                    self.issues.at(raw, IssueCode::DecimalFromFloat);
                }
                Value::Decimal(value)
            }
            Err(DecimalError::Range) => self.wrong(raw, IssueCode::DecimalOutOfRange),
            Err(DecimalError::Form) => self.wrong(raw, IssueCode::NotADecimal),
        }
    }
}
