//! An issue as the rules found it. Its texts are formatted when all are collected, so that finding and sorting issues costs little.

use std::borrow::Cow;

use crate::code::{CodeParams, IssueCode, Severity};
use crate::decimal::push_integer;

use super::Issue;
use super::details::Details;
use super::params::{Param, Params};
use super::path::{PathSegment, Segment, push_pointer, push_subject};

/// An issue as it was found: its code, its location, and the details that differ from issue to issue.
#[derive(Clone)]
pub(super) struct FoundIssue<'a> {
    pub(super) code: IssueCode,
    pub(super) severity: Severity,
    pub(super) path: Box<[PathSegment<'a>]>,
    pub(super) details: Details,
}

impl<'a> FoundIssue<'a> {
    /// Makes an issue with the values that the table of codes lists for its code.
    pub(super) fn new(
        code: IssueCode,
        severity: Severity,
        path: &[PathSegment<'a>],
        details: Details,
    ) -> Self {
        debug_assert!(fit(&details.params, code.params()), "the table of codes has other params for {code}");
        Self { code, severity, path: path.into(), details }
    }
}

impl FoundIssue<'_> {
    /// Appends the message: the member and what is wrong with it.
    fn push_message(&self, out: &mut String) {
        push_subject(out, &self.path);
        out.push(' ');
        push_filled(out, self.code.predicate(), &self.details.params);
        if let Some(detail) = &self.details.detail {
            out.push_str(": ");
            out.push_str(detail);
        }
    }
}

impl From<FoundIssue<'_>> for Issue {
    fn from(found: FoundIssue<'_>) -> Self {
        // Room for most, so that they do not grow piece by piece.
        let (mut message, mut pointer) = (String::with_capacity(96), String::with_capacity(32));
        found.push_message(&mut message);
        push_pointer(&mut pointer, &found.path);
        let hint = found.details.hint.map(Cow::Owned);
        let hint = hint.or_else(|| hint_of(found.code, &found.details.params));
        Self {
            code: found.code,
            severity: found.severity,
            message,
            pointer,
            path: found.path.iter().map(Segment::from).collect(),
            hint,
            params: found.details.params,
        }
    }
}

/// Returns true if these are the values that a code has.
fn fit(params: &Params, CodeParams { required, optional }: CodeParams) -> bool {
    let is_listed = |name| required.iter().chain(optional).any(|known| known.name == name);
    required.iter().all(|known| params.get(known.name).is_some())
        && params.iter().all(|(name, _)| is_listed(name))
}

/// Returns the hint of a code with its values filled in, `None` if the code has no hint.
pub(crate) fn hint_of(code: IssueCode, params: &Params) -> Option<Cow<'static, str>> {
    let template = code.hint()?;
    if !template.contains('{') {
        return Some(Cow::Borrowed(template));
    }
    let mut hint = String::new();
    push_filled(&mut hint, template, params);
    Some(Cow::Owned(hint))
}

/// Appends a template with its placeholders, such as `{limit}`, replaced by the values of these names.
pub(super) fn push_filled(out: &mut String, template: &str, params: &Params) {
    if params.0.is_empty() {
        return out.push_str(template);
    }
    let mut parts = template.split('{');
    out.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let Some((name, text)) = part.split_once('}') else { continue };
        match params.get(name) {
            Some(Param::Number(number)) => push_integer(out, *number),
            Some(Param::Text(value)) => out.push_str(value),
            None => {}
        }
        out.push_str(text);
    }
}
