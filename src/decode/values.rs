//! Reading single values: GUIDs, integers, decimals, texts, dates (§2, D1, D4, D8, D14, D41).

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::code::Code;
use crate::date::read_date;
use crate::decimal::{DecimalError, parse_decimal, significant_digits};
use crate::guid::{Guid, GuidError};
use crate::json;

use crate::written::{Text, ValueType};

use super::{Decoder, Reading};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn guid(&mut self, raw: &'a str) -> Option<Guid> {
        let text = if json::is_text(raw) { self.text(raw)? } else { Cow::Borrowed("") };
        match Guid::parse(&text) {
            Ok(guid) => Some(guid),
            Err(GuidError::AllZero) => self.wrong(raw, Code::GuidAllZero),
            Err(GuidError::Form) => self.wrong(raw, Code::NotAGuid),
        }
    }

    pub(super) fn integer(&mut self, raw: &'a str) -> Option<u32> {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.wrong(raw, Code::NotAnInteger);
        }
        match raw.parse() {
            Ok(value @ 1..=0x7FFF_FFFF) => Some(value),
            _ => self.wrong(raw, Code::IntegerOutOfRange),
        }
    }

    pub(super) fn boolean(&mut self, raw: &'a str) -> Option<bool> {
        match raw {
            "true" => Some(true),
            "false" => Some(false),
            _ => self.wrong(raw, Code::NotABoolean),
        }
    }

    pub(super) fn text(&mut self, raw: &'a str) -> Option<Text<'a>> {
        if !json::is_text(raw) {
            return self.wrong(raw, Code::NotText);
        }
        let text = json::text(raw);
        text.or_else(|| self.wrong(raw, Code::TextNotUnicode))
    }

    pub(super) fn date(&mut self, raw: &'a str) -> Option<Text<'a>> {
        let text = self.text(raw)?;
        match read_date(text) {
            Some((date, true)) => Some(date),
            Some((date, false)) => {
                self.issues.at(raw, Code::DateWithoutOffset);
                Some(date)
            }
            None => self.wrong(raw, Code::MemberNotReadable),
        }
    }

    pub(super) fn decimal(&mut self, raw: &'a str) -> Option<Decimal> {
        let number = json::is_number(raw);
        let digits = match json::text(raw) {
            _ if number => Cow::Borrowed(raw),
            Some(text) if json::is_text(raw) => text,
            _ => return self.wrong(raw, Code::NotADecimal),
        };
        match parse_decimal(&digits) {
            Ok(value) => {
                // Shortest texts of doubles have at most 17 digits; text was written by somebody who meant it (D8).
                if number
                    && raw.len() > 15
                    && significant_digits(&value) > 15
                    && self.reading != Reading::Response
                {
                    self.issues.at(raw, Code::DecimalFromFloat);
                }
                Some(value)
            }
            Err(DecimalError::Range) => self.wrong(raw, Code::DecimalOutOfRange),
            Err(DecimalError::Form) => self.wrong(raw, Code::NotADecimal),
        }
    }

    pub(super) fn value_type(&mut self, raw: &'a str) -> Option<ValueType> {
        if json::is_number(raw) {
            return self.decimal(raw).map(ValueType::Number);
        }
        if json::is_text(raw) {
            return self.text(raw).map(|text| ValueType::Text(text.into_owned()));
        }
        self.wrong(raw, Code::NotNumberOrText)
    }
}
