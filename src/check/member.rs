//! The rules of one member, as the table of members has them ([`crate::order`]).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{has_more_fraction_digits, is_negative};
use crate::did_you_mean;
use crate::issue::{Details, IssueCollector};
use crate::json::JsonString;
use crate::options::Scale;
use crate::order::field::{Field, FieldType, Presence};
use crate::order::order::ID;
use crate::record::{Record, Value};

/// Applies the rules of each member of a record, and of the records in it. `scale` is that of the currency. A member that is repeated or has another type breaks no
/// rule: parsing has reported it.
pub(crate) fn check_members<'a>(record: Record<'_, 'a>, scale: Scale, issues: &mut IssueCollector<'a>) {
    for (field, member) in record.members() {
        match member.value {
            Value::Absent => check_absent(field, record, issues),
            Value::Decimal(value) => check_decimal(field, value, scale, issues),
            Value::Integer(value) => check_integer(field, value, issues),
            Value::String { is_printable } => check_string(field, member.raw, is_printable, issues),
            Value::List { count: 0, .. } => check_empty(field, issues),
            Value::Record(_) | Value::List { .. } => check_records(field, record, scale, issues),
            _ => {}
        }
    }
}

/// Applies the rules to the record of a member, or to each record in its list.
fn check_records<'a>(
    field: &'static Field,
    record: Record<'_, 'a>,
    scale: Scale,
    issues: &mut IssueCollector<'a>,
) {
    issues.enter(field);
    if let Some(record) = record.record(field) {
        check_members(record, scale, issues);
    }
    for (index, entry) in record.entries(field).enumerate() {
        if let Some(record) = entry.record {
            issues.enter(index);
            check_members(record, scale, issues);
            issues.leave();
        }
    }
    issues.leave();
}

/// Reports an absent member, with a hint if an unknown member resembles it. Whether an order needs an Id depends on the purpose
/// (D3).
fn check_absent<'a>(field: &'static Field, record: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let code = match field.presence {
        Presence::Required if !field.is(&ID) => Some(IssueCode::Missing),
        Presence::Required | Presence::ReadOnly => None,
        Presence::Optional => field.blank,
    };
    if let Some(code) = code {
        issues.report_member_with(field, code, &|| did_you_mean::details_for_missing(record, field.name));
    }
}

/// Reports an empty list (§2.1, §4).
fn check_empty(field: &'static Field, issues: &mut IssueCollector<'_>) {
    if let Some(code) = field.empty {
        issues.report_member(field, code);
    }
}

/// Reports a decimal below zero, zero, or with more fraction digits than usual (D6, D7, D10, D13).
fn check_decimal(field: &'static Field, value: Decimal, scale: Scale, issues: &mut IssueCollector<'_>) {
    let code = if value.is_zero() {
        field.zero
    } else if is_negative(value) {
        field.negative
    } else {
        None
    };
    if let Some(code) = code {
        issues.report_member(field, code);
    }
    if let Some((limit, code)) = field.fraction_digits
        && let limit = limit.unwrap_or(scale.digits())
        && has_more_fraction_digits(value, limit)
    {
        issues.report_member_with(field, code, &|| Details::default().limit(limit as usize));
    }
}

/// Reports an integer outside the range of its member; `None` is one that is negative or larger than 32 bits (D4).
pub(crate) fn check_integer(field: &'static Field, value: Option<u32>, issues: &mut IssueCollector<'_>) {
    let FieldType::Integer { min, max } = field.field_type else { return };
    if !value.is_some_and(|value| (min..=max).contains(&value)) {
        let details = || Details::default().min(min as usize).max(max as usize);
        issues.report_member_with(field, IssueCode::IntegerOutOfRange, &details);
    }
}

/// Reports a string that is blank, is too long to display well, has control characters, or is not used by the service (D5, D23,
/// D24).
fn check_string(field: &'static Field, raw: &str, is_printable: bool, issues: &mut IssueCollector<'_>) {
    const QUOTES: usize = 2;
    if let Some(code) = field.unused {
        issues.report_member(field, code);
    }
    let Some(max) = field.max_chars else { return };
    // Most strings are short, and begin with a letter.
    let begins_with_letter = raw.as_bytes().get(1).is_some_and(u8::is_ascii_alphanumeric);
    if is_printable && begins_with_letter && raw.len() <= max + QUOTES {
        return;
    }
    let Some(string) = JsonString::from_raw(raw) else { return };
    if let Some(code) = field.blank
        && string.characters().flatten().all(char::is_whitespace)
    {
        issues.report_member(field, code);
    }
    // A character takes one byte or more.
    if raw.len() > max + QUOTES && string.characters().nth(max).is_some() {
        let details = || Details::default().limit(max).length(string.characters().count());
        issues.report_member_with(field, IssueCode::TextLong, &details);
    }
    if string.characters().flatten().any(char::is_control) {
        issues.report_member(field, IssueCode::ControlCharacter);
    }
}
