//! Checks that several rules share: a member is present, a decimal is not negative.

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::did_you_mean;
use crate::issue::IssueCollector;
use crate::record::{Entry, Record};
use crate::schema::Field;

/// Reports a member that is absent; null was reported while parsing.
pub(super) fn required<'a>(record: Record<'_, 'a>, field: &Field, issues: &mut IssueCollector<'a>) {
    if record.get(field).is_absent() {
        report_absent(record, field, IssueCode::Missing, issues);
    }
}

/// Reports an absent member, with a hint if an unknown member resembles it.
pub(super) fn report_absent<'a>(
    record: Record<'_, 'a>,
    field: &Field,
    code: IssueCode,
    issues: &mut IssueCollector<'a>,
) {
    let details = || did_you_mean::details_for_missing(record, field.name);
    issues.report_absent(record.raw(), field, code, &details);
}

/// Reports a decimal below 0.
pub(super) fn not_negative<'a>(
    record: Record<'_, 'a>,
    field: &Field,
    code: IssueCode,
    issues: &mut IssueCollector<'a>,
) {
    let member = record.get(field);
    if member.decimal().is_some_and(is_negative) {
        issues.report_member(field, member.raw, code);
    }
}

/// Iterates over the entries of a list that could be read, with their indices.
pub(super) fn readable<'r, 'a: 'r>(
    entries: impl Iterator<Item = Entry<'r, 'a>>,
) -> impl Iterator<Item = (usize, Record<'r, 'a>)> {
    entries.enumerate().filter_map(|(index, entry)| Some((index, entry.record?)))
}
