//! An issue as the rules found it. Its texts are formatted only when it is reported, so that finding, sorting and copying
//! issues costs little.

use std::borrow::Cow;

use crate::code::{CodeParams, IssueCode, Severity};
use crate::json::{Pieces, ToJson, Writer, key};

use super::Issue;
use super::details::Details;
use super::params::{Param, Params};
use super::path::{PathSegment, Segment, push_pointer, push_subject};

/// An issue as it was found: its code, its location, and the details that differ from issue to issue.
#[derive(Clone)]
pub struct FoundIssue<'a> {
    pub(super) code: IssueCode,
    pub(super) severity: Severity,
    /// True if it was found while the amounts were calculated. Such an issue prevents sending only if it is an error.
    pub(super) is_of_amounts: bool,
    pub(super) path: Box<[PathSegment<'a>]>,
    pub(super) details: Details,
}

impl<'a> FoundIssue<'a> {
    /// Makes an issue with the values that the table of codes lists for its code.
    pub(super) fn new(
        code: IssueCode,
        severity: Severity,
        is_of_amounts: bool,
        path: &[PathSegment<'a>],
        details: Details,
    ) -> Self {
        debug_assert!(fit(&details.params, code.params()), "the table of codes has other params for {code}");
        Self { code, severity, is_of_amounts, path: path.into(), details }
    }
}

impl FoundIssue<'_> {
    /// Appends what identifies the texts of the issue: its code, its location with `#` for the [index](Self::index), and the values
    /// and the detail in its message; `~` before it if the issue is about the amounts.
    pub fn push_key(&self, out: &mut String) {
        out.push_str(if self.is_of_amounts { "~" } else { "" });
        out.push_str(self.code.as_str());
        out.push(' ');
        match &*self.path {
            [list, _, rest @ ..] if self.index().is_some() => {
                push_pointer(out, &[*list, PathSegment::Name("#")]);
                push_pointer(out, rest);
            }
            path => push_pointer(out, path),
        }
        for (name, value) in self.details.params.iter() {
            out.push(' ');
            out.push_str(name);
            out.push('=');
            match value {
                Param::Number(number) => out.push_number(*number),
                Param::Text(text) => out.push_str(text),
            }
        }
        out.push_str(self.details.detail.as_deref().unwrap_or_default());
    }

    /// Returns the index of the item or tax that has the member of this issue.
    #[must_use]
    pub fn index(&self) -> Option<usize> {
        match *self.path {
            [_, PathSegment::Index(index), _, ..] => Some(index),
            _ => None,
        }
    }

    /// Appends the message: the member and what is wrong with it.
    fn push_message(&self, out: &mut impl Pieces) {
        push_subject(out, &self.path);
        out.push_unescaped(" ");
        push_filled(out, self.code.predicate(), &self.details.params);
        if let Some(detail) = &self.details.detail {
            out.push_unescaped(": ");
            out.push_piece(detail);
        }
    }
}

impl From<FoundIssue<'_>> for Issue {
    fn from(found: FoundIssue<'_>) -> Self {
        let (mut message, mut pointer) = (String::new(), String::new());
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

impl ToJson for FoundIssue<'_> {
    /// Writes the members of [`Issue`].
    fn write(&self, out: &mut Writer) {
        out.begin_object();
        self.code.write(out.key(key!("code")));
        self.severity.write(out.key(key!("severity")));
        out.key(key!("message")).text(&mut |out| self.push_message(out));
        out.key(key!("pointer")).text(&mut |out| push_pointer(out, &self.path));
        out.key(key!("path")).begin_array();
        self.path.iter().for_each(|segment| segment.write(out));
        out.end_array();
        if let Some(hint) = &self.details.hint {
            out.key(key!("hint")).string(hint);
        } else if let Some(template) = self.code.hint() {
            out.key(key!("hint")).text(&mut |out| push_filled(out, template, &self.details.params));
        }
        self.details.params.write(out.key(key!("params")));
        out.end_object();
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

/// Appends a template, which needs no escapes in JSON, with its placeholders, such as `{limit}`, replaced by the values of
/// these names.
pub(super) fn push_filled(out: &mut dyn Pieces, template: &str, params: &Params) {
    if params.0.is_empty() {
        return out.push_unescaped(template);
    }
    let mut parts = template.split('{');
    out.push_unescaped(parts.next().unwrap_or_default());
    for part in parts {
        let Some((name, text)) = part.split_once('}') else { continue };
        match params.get(name) {
            Some(Param::Number(number)) => out.push_number(*number),
            Some(Param::Text(value)) => out.push_piece(value),
            None => {}
        }
        out.push_unescaped(text);
    }
}
