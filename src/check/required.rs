//! Checks that several rules share: required members are present, a decimal is not negative.

use crate::code::IssueCode;
use crate::decimal::is_negative;
use crate::did_you_mean;
use crate::issue::{IssueCollector, PathSegment};
use crate::order::order::ID;
use crate::record::{Entry, Record};
use crate::schema::{Field, Presence};

use super::purpose::Purpose;

/// Reports every required member of an order that is absent; a cart needs no Id yet (D3).
pub(super) fn order_members<'a>(order: Record<'_, 'a>, purpose: Purpose, issues: &mut IssueCollector<'a>) {
    let may_lack_id = purpose == Purpose::Preview;
    required_but(order, |field| may_lack_id && field.index == ID.index, issues);
}

/// Reports every required member that is absent; null was reported while parsing.
pub(super) fn required_members<'a>(record: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    required_but(record, |_| false, issues);
}

fn required_but<'a>(
    record: Record<'_, 'a>,
    may_lack: impl Fn(&Field) -> bool,
    issues: &mut IssueCollector<'a>,
) {
    for (field, member) in record.members() {
        if field.presence == Presence::Required && member.is_absent() && !may_lack(field) {
            report_absent(record, field, IssueCode::Missing, issues);
        }
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

/// Applies a rule to every entry of a list that could be read.
pub(super) fn for_each_record<'r, 'a: 'r>(
    entries: impl Iterator<Item = Entry<'r, 'a>>,
    issues: &mut IssueCollector<'a>,
    rule: &mut dyn FnMut(Record<'r, 'a>, &mut IssueCollector<'a>),
) {
    for (index, entry) in entries.enumerate() {
        if let Some(record) = entry.record {
            issues.enter(PathSegment::Index(index));
            rule(record, issues);
            issues.leave();
        }
    }
}
