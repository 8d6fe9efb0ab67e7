//! The rules of one member, as the table of members has them ([`crate::order`]). Parsing applies them where it reads the member.

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::did_you_mean;
use crate::issue::{Details, IssueCollector};
use crate::json::JsonString;
use crate::order::order::ID;
use crate::order::schema::{Field, FieldType, Presence};
use crate::record::Record;

/// Reports a decimal below zero, zero, or with more fraction digits than usual (D6, D7, D10, D13).
pub(crate) fn check_decimal(field: &'static Field, value: Decimal, issues: &mut IssueCollector<'_>) {
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
        && value.scale() > limit
    {
        issues.report_member_with(field, code, &|| Details::limit(limit as usize));
    }
}

/// Reports an integer outside the range of its member; `None` is one that is negative or larger than 32 bits (D4).
pub(crate) fn check_integer(field: &'static Field, value: Option<u32>, issues: &mut IssueCollector<'_>) {
    let FieldType::Integer { min, max } = field.field_type else { return };
    if !value.is_some_and(|value| (min..=max).contains(&value)) {
        let details = || Details::default().param("min", min as usize).param("max", max as usize);
        issues.report_member_with(field, IssueCode::IntegerOutOfRange, &details);
    }
}

/// Reports a string that is blank, too long to display well, has control characters, or that the service does not use (D5, D23,
/// D24).
pub(crate) fn check_string(field: &'static Field, string: JsonString<'_>, issues: &mut IssueCollector<'_>) {
    if let Some(code) = field.unused {
        issues.report_member(field, code);
    }
    let Some(max) = field.max_chars else { return };
    if let Some(code) = field.blank
        && string.is_blank()
    {
        issues.report_member(field, code);
    }
    if string.is_printable_within(max) {
        return;
    }
    if string.characters().nth(max).is_some() {
        let details = || Details::limit(max).param("length", string.characters().count());
        issues.report_member_with(field, IssueCode::TextLong, &details);
    }
    if string.characters().flatten().any(char::is_control) {
        issues.report_member(field, IssueCode::ControlCharacter);
    }
}

/// Reports the members that a record lacks, with a hint if an unknown member resembles one. Null was reported where it was read;
/// whether an order needs an Id depends on the purpose (D3).
pub(crate) fn check_absent<'a>(record: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    for (field, _) in record.members().filter(|(_, member)| member.is_absent()) {
        let code = match field.presence {
            Presence::Required if !field.is(&ID) => Some(IssueCode::Missing),
            Presence::Required | Presence::ReadOnly => None,
            Presence::Optional => field.blank,
        };
        if let Some(code) = code {
            let details = || did_you_mean::details_for_missing(record, field.name);
            issues.report_member_with(field, code, &details);
        }
    }
}
