//! What is wrong with an order, as data: [`Issue`] and its place.

use std::borrow::Cow;
use std::collections::BinaryHeap;

use serde::Serialize;

use crate::code::{IssueCode, Severity};
use crate::json;
use crate::words::{joined, push_number};

/// One thing to know about an order.
///
/// The code is stable and can be matched; message and hint are for people and may change.
/// None of them holds a value of the order (D45).
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Issue {
    /// What it is; see [`IssueCode`] for all of them.
    pub code: IssueCode,
    /// How much it weighs.
    pub severity: Severity,
    /// The issue in words: member, then what is the matter with it.
    pub message: String,
    /// The place as a JSON Pointer (RFC 6901), `/Items/3/Quantity`; empty for the whole order.
    pub pointer: String,
    /// The same place in steps.
    pub path: Vec<Segment>,
    /// What to do about it, where that can be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<Cow<'static, str>>,
}

impl Issue {
    /// An issue that a service found, in its words.
    pub(crate) fn of_service(code: IssueCode, path: Vec<Segment>, message: String) -> Self {
        let places: Vec<_> = path.iter().map(Place::from).collect();
        let pointer = pointer(&places);
        Self { code, severity: code.severity(), message, pointer, path, hint: None }
    }
}

/// One step of the path to a place in an order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum Segment {
    /// The name of a member.
    Member(String),
    /// The position in an array, from 0.
    Index(usize),
}

/// Issues found so far, and where in the order the reader stands.
#[derive(Clone)]
pub(crate) struct Issues<'a> {
    /// The text the order is read from: an issue about a value stands where the value does.
    text: &'a str,
    path: Vec<Place<'a>>,
    found: Vec<(usize, Issue)>,
    /// The worst of those that were left out.
    left_out: Option<Severity>,
}

/// One step of the path the reader stands at.
#[derive(Clone, Copy)]
pub(crate) enum Place<'a> {
    Member(&'a str),
    /// A member by its name as the caller wrote it, in JSON.
    Written(&'a str),
    Index(usize),
}

impl<'a> Place<'a> {
    /// The name of a member.
    fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Member(name) => Some(Cow::Borrowed(name)),
            Self::Written(raw) => json::text(raw),
            Self::Index(_) => None,
        }
    }
}

impl From<&'static str> for Place<'_> {
    fn from(name: &'static str) -> Self {
        Self::Member(name)
    }
}

impl<'a> Issues<'a> {
    /// More than a person could read; kept bounded so that a hostile order can't fill the memory.
    const MOST: usize = 10_000;

    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, path: Vec::new(), found: Vec::new(), left_out: None }
    }

    /// Goes one step deeper, until [`leave`](Self::leave).
    pub(crate) fn enter(&mut self, place: impl Into<Place<'a>>) {
        self.path.push(place.into());
    }

    pub(crate) fn leave(&mut self) {
        self.path.pop();
    }

    /// Runs `body` one step deeper.
    pub(crate) fn within(&mut self, place: impl Into<Place<'a>>, body: impl FnOnce(&mut Self)) {
        self.enter(place);
        body(self);
        self.leave();
    }

    /// Adds an issue about a value some steps deeper.
    pub(crate) fn at_place<const N: usize>(&mut self, place: [Place<'a>; N], raw: &str, code: IssueCode) {
        let depth = self.path.len();
        self.path.extend(place);
        self.at(raw, code);
        self.path.truncate(depth);
    }

    /// Adds an issue about the value the reader stands at; `raw` is that value's text, a slice of the whole.
    pub(crate) fn at(&mut self, raw: &str, code: IssueCode) {
        self.add(self.start_of(raw), code, None, None);
    }

    /// Adds an issue with a hint of its own.
    pub(crate) fn at_with_hint(&mut self, raw: &str, code: IssueCode, hint: Option<String>) {
        self.add(self.start_of(raw), code, None, hint);
    }

    /// Adds an issue about a member that is missing: it stands after all that its parent has.
    pub(crate) fn missing(
        &mut self,
        parent: &str,
        name: &'static str,
        code: IssueCode,
        hint: Option<String>,
    ) {
        let end = self.start_of(parent).saturating_add(parent.len());
        self.within(name, |issues| issues.add(end, code, None, hint));
    }

    /// Adds an issue with something to say beyond its code, such as where the text stops being JSON.
    pub(crate) fn at_with_detail(&mut self, raw: &str, code: IssueCode, detail: &str) {
        self.add(self.start_of(raw), code, Some(detail), None);
    }

    /// Adds that the text is no JSON, from a byte on.
    pub(crate) fn not_json(&mut self, at: usize, wanted: &str) {
        let before = self.text.get(..at).unwrap_or_default();
        let lines = before.bytes().filter(|byte| *byte == b'\n').count();
        // Bytes that only continue a character are no columns.
        let line = before.bytes().rev().take_while(|byte| *byte != b'\n');
        let column = line.filter(|byte| byte & 0xC0 != 0x80).count() + 1;
        let mut detail = joined(&["expected ", wanted, " at line "]);
        push_number(&mut detail, lines + 1);
        detail.push_str(" column ");
        push_number(&mut detail, column);
        self.at_with_detail(self.text, IssueCode::NotJson, &detail);
    }

    /// True where an error was found: the order can't be sent.
    pub(crate) fn has_error(&self) -> bool {
        self.left_out == Some(Severity::Error)
            || self.found.iter().any(|(_, issue)| issue.severity == Severity::Error)
    }

    /// All of them, in document order, then by code.
    pub(crate) fn finish(self) -> Vec<Issue> {
        let keys = self.found.iter().enumerate();
        // A heap sorts with little code; what was found first stays first among equals.
        let keys: BinaryHeap<_> =
            keys.map(|(index, (at, issue))| (*at, issue.code.as_str(), index)).collect();
        let mut found: Vec<_> = self.found.into_iter().map(|(_, issue)| Some(issue)).collect();
        let in_order = keys.into_sorted_vec().into_iter();
        let mut issues: Vec<_> = in_order.filter_map(|(_, _, index)| found.get_mut(index)?.take()).collect();
        if let Some(severity) = self.left_out {
            let issue = new_issue(IssueCode::MoreIssues, &[], None, None);
            issues.push(Issue { severity, ..issue });
        }
        issues
    }

    fn add(&mut self, at: usize, code: IssueCode, detail: Option<&str>, hint: Option<String>) {
        if self.found.len() < Self::MOST {
            self.found.push((at, new_issue(code, &self.path, detail, hint)));
        } else if self.left_out != Some(Severity::Error) {
            self.left_out = Some(match (self.left_out, code.severity()) {
                (Some(Severity::Warning), Severity::Notice) => Severity::Warning,
                (_, severity) => severity,
            });
        }
    }

    /// Where a slice of the text starts. Anything else stands at the end.
    fn start_of(&self, raw: &str) -> usize {
        let start = raw.as_ptr().addr().wrapping_sub(self.text.as_ptr().addr());
        start.min(self.text.len())
    }
}

fn new_issue(code: IssueCode, path: &[Place<'_>], detail: Option<&str>, hint: Option<String>) -> Issue {
    let mut message = subject(path);
    message.push(' ');
    message.push_str(code.says());
    if let Some(detail) = detail {
        message.push_str(": ");
        message.push_str(detail);
    }
    Issue {
        code,
        severity: code.severity(),
        message,
        pointer: pointer(path),
        path: path.iter().map(Segment::from).collect(),
        hint: hint.map(Cow::Owned).or(code.hint().map(Cow::Borrowed)),
    }
}

/// Whom the message speaks of: the last named member, with its position where it is an entry of a list.
fn subject(path: &[Place<'_>]) -> String {
    let mut subject = String::new();
    let (named, index) = match path {
        [.., named, Place::Index(index)] => (Some(named), Some(*index)),
        _ => (path.last(), None),
    };
    match named.and_then(|place| place.name()) {
        Some(name) => push_name(&mut subject, &name),
        None => subject.push_str("The order"),
    }
    if let Some(index) = index {
        subject.push('[');
        push_number(&mut subject, index);
        subject.push(']');
    }
    subject
}

/// A name as the caller wrote it, cut where it is too long to be read and bare of control characters.
fn push_name(out: &mut String, name: &str) {
    out.extend(name.chars().take(40).map(|c| if c.is_control() { '\u{FFFD}' } else { c }));
    if name.chars().nth(40).is_some() {
        out.push('…');
    }
}

fn pointer(path: &[Place<'_>]) -> String {
    let mut pointer = String::new();
    for place in path {
        pointer.push('/');
        if let Place::Index(index) = place {
            push_number(&mut pointer, *index);
        }
        for c in place.name().unwrap_or_default().chars() {
            match c {
                '~' => pointer.push_str("~0"),
                '/' => pointer.push_str("~1"),
                c => pointer.push(c),
            }
        }
    }
    pointer
}

impl<'s> From<&'s Segment> for Place<'s> {
    fn from(segment: &'s Segment) -> Self {
        match segment {
            Segment::Member(name) => Self::Member(name),
            Segment::Index(index) => Self::Index(*index),
        }
    }
}

impl From<&Place<'_>> for Segment {
    fn from(place: &Place<'_>) -> Self {
        match place {
            Place::Index(index) => Self::Index(*index),
            named => Self::Member(named.name().unwrap_or_default().into_owned()),
        }
    }
}
