//! The path to a location in an order, as segments, as a JSON Pointer, and as the subject of a message.

use std::borrow::Cow;
use std::cmp::Ordering;

use crate::decimal::push_integer;
use crate::json::{self, ToJson, Writer, serialize_as_json};
use crate::order::field::Field;

/// One segment of the path to a location in an order. JSON has no others, so the enum is exhaustive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// The name of a member.
    Member(String),
    /// The index in an array, from 0.
    Index(usize),
}

/// One segment of the path to the value that is being read.
#[derive(Clone, Copy)]
pub(crate) enum PathSegment<'a> {
    /// A member of the specification.
    Member(&'static Field),
    /// Any other name.
    Name(&'a str),
    /// An unknown member: its name as a raw JSON string, decoded only if an issue needs it.
    Unknown(&'a str),
    Index(usize),
}

impl<'a> PathSegment<'a> {
    /// Returns the name of a member, `None` for an index.
    fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Member(field) => Some(Cow::Borrowed(field.name)),
            Self::Name(name) => Some(Cow::Borrowed(name)),
            Self::Unknown(raw_name) => json::string(raw_name),
            Self::Index(_) => None,
        }
    }

    /// Returns the position among the members of a record, or among the entries of a list. Unknown members come last, by name:
    /// their order is the caller's (D56).
    fn position(&self) -> (usize, &'a str) {
        match *self {
            Self::Member(field) => (field.index, ""),
            Self::Index(index) => (index, ""),
            Self::Name(name) | Self::Unknown(name) => (usize::MAX, name),
        }
    }
}

/// Compares the positions of two locations in an order: a record comes before its members (D56).
pub(super) fn compare_positions(left: &[PathSegment<'_>], right: &[PathSegment<'_>]) -> Ordering {
    left.iter().map(PathSegment::position).cmp(right.iter().map(PathSegment::position))
}

impl From<&'static Field> for PathSegment<'_> {
    fn from(field: &'static Field) -> Self {
        Self::Member(field)
    }
}

impl From<usize> for PathSegment<'_> {
    fn from(index: usize) -> Self {
        Self::Index(index)
    }
}

impl<'s> From<&'s Segment> for PathSegment<'s> {
    fn from(segment: &'s Segment) -> Self {
        match segment {
            Segment::Member(name) => Self::Name(name),
            Segment::Index(index) => Self::Index(*index),
        }
    }
}

impl From<&PathSegment<'_>> for Segment {
    fn from(segment: &PathSegment<'_>) -> Self {
        match segment {
            PathSegment::Index(index) => Self::Index(*index),
            named => Self::Member(named.name().unwrap_or_default().into_owned()),
        }
    }
}

serialize_as_json! { Segment }

impl ToJson for Segment {
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Member(name) => out.string(name),
            Self::Index(index) => out.integer(*index),
        }
    }
}

/// Formats a path as a JSON Pointer (RFC 6901).
pub(crate) fn pointer_of(path: &[PathSegment<'_>]) -> String {
    let mut pointer = String::new();
    push_pointer(&mut pointer, path);
    pointer
}

/// Appends a path as a JSON Pointer.
pub(super) fn push_pointer(pointer: &mut String, path: &[PathSegment<'_>]) {
    for segment in path {
        pointer.push('/');
        match segment {
            PathSegment::Index(index) => push_integer(pointer, *index),
            PathSegment::Member(field) => pointer.push_str(field.name),
            named => push_escaped(pointer, &named.name().unwrap_or_default()),
        }
    }
}

/// Appends a name as it is escaped in a JSON Pointer.
pub(crate) fn push_escaped(pointer: &mut String, name: &str) {
    for part in name.split_inclusive(['~', '/']) {
        let (before, escaped) = match (part.strip_suffix('~'), part.strip_suffix('/')) {
            (Some(before), _) => (before, "~0"),
            (_, Some(before)) => (before, "~1"),
            _ => (part, ""),
        };
        pointer.push_str(before);
        pointer.push_str(escaped);
    }
}

/// Appends the subject of a message: the last member, with its index if it is an entry of a list.
pub(super) fn push_subject(subject: &mut String, path: &[PathSegment<'_>]) {
    let (named, index) = match path {
        [.., named, PathSegment::Index(index)] => (Some(named), Some(*index)),
        _ => (path.last(), None),
    };
    match named.and_then(|segment| segment.name()) {
        Some(name) => push_name(subject, &name),
        None => subject.push_str("The order"),
    }
    if let Some(index) = index {
        subject.push('[');
        push_integer(subject, index);
        subject.push(']');
    }
}

/// Appends a name that a caller chose: at most 40 characters, control characters replaced.
fn push_name(out: &mut String, name: &str) {
    const MAX_CHARS: usize = 40;
    if name.len() <= MAX_CHARS && name.bytes().all(|byte| byte.is_ascii_graphic()) {
        return out.push_str(name);
    }
    let shown = name.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{FFFD}' } else { c });
    out.push_str(&shown.collect::<String>());
    if name.chars().nth(MAX_CHARS).is_some() {
        out.push('…');
    }
}
