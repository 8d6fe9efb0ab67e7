//! Checks that several rules share: required members are present, a decimal is not negative.

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::did_you_mean;
use crate::issue::IssueCollector;
use crate::order::order::ID;
use crate::order::schema::{Field, Presence};
use crate::record::{Entry, Record};

use super::purpose::Purpose;

/// Reports every required member of an order that is absent; a cart needs no Id yet (D3).
pub(super) fn order_members<'a>(order: Record<'_, 'a>, purpose: Purpose, issues: &mut IssueCollector<'a>) {
    let may_lack = if purpose == Purpose::Preview { Some(&ID) } else { None };
    required_but(order, may_lack, issues);
}

/// Reports every required member that is absent; null was reported while parsing.
pub(super) fn required_members<'a>(record: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required_but(record, None, issues);
}

fn required_but<'a>(record: Record<'_, 'a>, may_lack: Option<&Field>, issues: &mut IssueCollector<'a>) {
    for (field, member) in record.members() {
        let is_needed =
            field.presence == Presence::Required && may_lack.is_none_or(|other| other.index != field.index);
        if is_needed && member.is_absent() {
            report_absent(record, field, IssueCode::Missing, issues);
        }
    }
}

/// Reports an absent member, with a hint if an unknown member resembles it.
pub(super) fn report_absent<'a>(
    record: Record<'_, 'a>,
    field: &'static Field,
    code: IssueCode,
    issues: &mut IssueCollector<'a>,
) {
    issues.enter(field);
    issues.report_with(code, &|| did_you_mean::details_for_missing(record, field.name));
    issues.leave();
}

/// Reports a decimal below 0.
pub(super) fn not_negative<'a>(
    record: Record<'_, 'a>,
    field: &'static Field,
    code: IssueCode,
    issues: &mut IssueCollector<'a>,
) {
    if record.get(field).decimal().is_some_and(is_negative) {
        issues.report_member(field, code);
    }
}

/// Iterates over the entries of a list that could be read, with their indices.
pub(super) fn readable<'r, 'a: 'r>(
    entries: impl Iterator<Item = Entry<'r, 'a>>,
) -> impl Iterator<Item = (usize, Record<'r, 'a>)> {
    entries.enumerate().filter_map(|(index, entry)| Some((index, entry.record?)))
}
