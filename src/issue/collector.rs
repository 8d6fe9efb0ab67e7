//! Collects issues while an order is parsed, checked and previewed.

#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::mem;

use crate::code::{IssueCode, Severity};
use crate::decimal::push_integer;
use crate::options::Records;
use crate::order::field::{Field, Schema};
use crate::sort::sorted_positions;

use super::Issue;
use super::details::Details;
use super::found::FoundIssue;
use super::path::{PathSegment, compare_positions};

/// The maximum number of issues that are listed, so that a hostile order can't fill the memory.
const MAX_ISSUES: usize = 10_000;

/// The issues found so far, and the path of the current value.
#[derive(Clone, Default)]
pub(crate) struct IssueCollector<'a> {
    path: Vec<PathSegment<'a>>,
    found: Found<'a>,
    /// The issues inside records that are not published. They count only if these records are not passed through
    /// (D10, D13), which is known after parsing.
    in_assumed: Found<'a>,
    is_in_assumed: bool,
    /// Whether warnings count as errors.
    is_strict: bool,
}

/// Issues. The first [`MAX_ISSUES`] in the order of D56 are listed.
#[derive(Clone, Default)]
struct Found<'a> {
    /// At most twice as many as are listed. Once some are omitted, the first ones are sorted, and come before the omitted ones.
    issues: Vec<FoundIssue<'a>>,
    has_error: bool,
    /// The highest severity among the issues that are not listed.
    omitted: Option<Severity>,
}

impl<'a> Found<'a> {
    fn add(
        &mut self,
        code: IssueCode,
        severity: Severity,
        path: &[PathSegment<'a>],
        issue: impl FnOnce() -> FoundIssue<'a>,
    ) {
        self.has_error |= severity == Severity::Error;
        if self.omitted.is_some()
            && let Some(last) = self.issues.get(MAX_ISSUES - 1)
            && compare((path, code), (&last.path, last.code)).is_ge()
        {
            return self.omit(severity);
        }
        if self.issues.len() == 2 * MAX_ISSUES {
            self.sort();
        }
        self.issues.push(issue());
    }

    /// Adds the issues of a part of the order, which were collected separately.
    fn append(&mut self, mut part: Self) {
        self.has_error |= part.has_error;
        self.issues.append(&mut part.issues);
        if let Some(severity) = part.omitted {
            self.omit(severity);
        }
        if self.issues.len() > MAX_ISSUES {
            self.sort();
        }
    }

    /// Sorts the issues (D56), and omits those beyond the limit.
    fn sort(&mut self) {
        let order = |left: &FoundIssue<'_>, right: &FoundIssue<'_>| {
            compare((&left.path, left.code), (&right.path, right.code))
        };
        if self.issues.len() <= MAX_ISSUES
            && self.issues.is_sorted_by(|left, right| order(left, right).is_le())
        {
            return;
        }
        let found = |position| self.issues.get(position);
        // Among equals the issue that was found first comes first.
        let positions = sorted_positions(self.issues.len(), &|left, right| {
            found(left).zip(found(right)).map_or(Ordering::Equal, |(left, right)| order(left, right))
        });
        let mut unsorted: Vec<_> = mem::take(&mut self.issues).into_iter().map(Some).collect();
        self.issues =
            positions.into_iter().filter_map(|position| unsorted.get_mut(position)?.take()).collect();
        while self.issues.len() > MAX_ISSUES
            && let Some(last) = self.issues.pop()
        {
            self.omit(last.severity);
        }
    }

    fn omit(&mut self, severity: Severity) {
        self.omitted = Some(self.omitted.map_or(severity, |omitted| omitted.min(severity)));
    }
}

/// Returns the severity of an issue if warnings count as errors.
fn strict(severity: Severity) -> Severity {
    if severity == Severity::Warning { Severity::Error } else { severity }
}

/// Compares issues by the order of the specification's members, unknown ones last, then by code (D56).
fn compare(left: (&[PathSegment<'_>], IssueCode), right: (&[PathSegment<'_>], IssueCode)) -> Ordering {
    compare_positions(left.0, right.0).then_with(|| left.1.as_str().cmp(right.1.as_str()))
}

impl<'a> IssueCollector<'a> {
    /// Enters a member or an entry; [`leave`](Self::leave) returns from it.
    pub(crate) fn enter(&mut self, segment: impl Into<PathSegment<'a>>) {
        self.path.push(segment.into());
    }

    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Enters the members of a record, or the entries of a list of records; returns what [`leave_record`](Self::leave_record)
    /// needs.
    pub(crate) fn enter_record(&mut self, schema: &Schema) -> bool {
        let outer = self.is_in_assumed;
        self.is_in_assumed |= !schema.is_published;
        outer
    }

    pub(crate) fn leave_record(&mut self, outer: bool) {
        self.is_in_assumed = outer;
    }

    /// Decides about the issues inside records that are not published: they count, unless these are passed through.
    pub(crate) fn settle(&mut self, records: Records) {
        let in_assumed = mem::take(&mut self.in_assumed);
        if records != Records::Passthrough {
            self.found.append(in_assumed);
        }
    }

    /// Makes errors of all warnings, those found so far and later ones.
    pub(crate) fn make_strict(&mut self) {
        self.is_strict = true;
        let found = self.found.issues.iter_mut().map(|issue| &mut issue.severity);
        for severity in found.chain(&mut self.found.omitted) {
            *severity = strict(*severity);
            self.found.has_error |= *severity == Severity::Error;
        }
    }

    /// Reports an issue about the value at the current path.
    pub(crate) fn report(&mut self, code: IssueCode) {
        self.report_with(code, &Details::default);
    }

    /// Reports an issue about a value below the current path.
    pub(crate) fn report_in(&mut self, path: &[PathSegment<'a>], code: IssueCode) {
        let depth = self.path.len();
        self.path.extend_from_slice(path);
        self.report(code);
        self.path.truncate(depth);
    }

    /// Reports an issue about a member, present or not.
    pub(crate) fn report_member(&mut self, field: &'static Field, code: IssueCode) {
        self.report_member_with(field, code, &Details::default);
    }

    /// Reports an issue about a member, with details.
    pub(crate) fn report_member_with(
        &mut self,
        field: &'static Field,
        code: IssueCode,
        details: &dyn Fn() -> Details,
    ) {
        self.enter(field);
        self.report_with(code, details);
        self.leave();
    }

    /// Reports that the input stops being JSON at a byte offset.
    pub(crate) fn report_not_json(&mut self, json: &str, offset: usize, expected: &str) {
        let before = json.get(..offset).unwrap_or_default();
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        // Bytes that continue a character are not columns.
        let line = before.bytes().rev().take_while(|byte| *byte != b'\n');
        let column = line.filter(|byte| byte & 0xC0 != 0x80).count() + 1;
        self.report_with(IssueCode::NotJson, &|| {
            let mut detail = ["expected ", expected, " at line "].concat();
            push_integer(&mut detail, lines + 1);
            detail.push_str(" column ");
            push_integer(&mut detail, column);
            Details { detail: Some(detail), ..Details::default() }.line(lines + 1).column(column)
        });
    }

    /// Returns a collector with the same issues, to which the calculation of the amounts adds its own.
    pub(crate) fn snapshot(&self) -> Self {
        Self { found: self.found.clone(), is_strict: self.is_strict, ..Self::default() }
    }

    /// Returns the number of issues. Some may be dropped when they are [settled](Self::settle).
    pub(crate) fn len(&self) -> usize {
        self.found.issues.len() + self.in_assumed.issues.len()
    }

    pub(crate) fn has_error(&self) -> bool {
        self.found.has_error
    }

    /// Returns the issues in the order of the specification's members, unknown ones last, then by code (D56).
    pub(crate) fn finish(mut self) -> Vec<Issue> {
        self.found.sort();
        let mut issues: Vec<_> = self.found.issues.into_iter().map(Issue::from).collect();
        if let Some(severity) = self.found.omitted {
            let details = Details::default().limit(MAX_ISSUES);
            issues.push(FoundIssue::new(IssueCode::MoreIssues, severity, &[], details).into());
        }
        issues
    }

    /// Reports an issue with details, which are computed only if the issue may be listed.
    pub(crate) fn report_with(&mut self, code: IssueCode, details: &dyn Fn() -> Details) {
        let severity = if self.is_strict { strict(code.severity()) } else { code.severity() };
        let found = if self.is_in_assumed { &mut self.in_assumed } else { &mut self.found };
        let path = self.path.as_slice();
        found.add(code, severity, path, || FoundIssue::new(code, severity, path, details()));
    }
}
