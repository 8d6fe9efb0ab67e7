//! The path to a location in an order, as segments, as a JSON Pointer, and as the subject of a message.

use std::borrow::Cow;

use crate::decimal::push_integer;
use crate::json;
use crate::schema::Field;

use super::Segment;

/// One segment of the path to the value that is being read.
#[derive(Clone, Copy)]
pub(crate) enum PathSegment<'a> {
    Name(&'a str),
    /// A name as a raw JSON string, decoded only if an issue needs it.
    RawName(&'a str),
    Index(usize),
}

impl<'a> PathSegment<'a> {
    /// Returns the name of a member, `None` for an index.
    fn name(self) -> Option<Cow<'a, str>> {
        match self {
            Self::Name(name) => Some(Cow::Borrowed(name)),
            Self::RawName(raw) => json::string(raw),
            Self::Index(_) => None,
        }
    }
}

impl From<&Field> for PathSegment<'_> {
    fn from(field: &Field) -> Self {
        Self::Name(field.name)
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

/// Formats a path as a JSON Pointer (RFC 6901).
pub(crate) fn pointer_of(path: &[PathSegment<'_>]) -> String {
    let mut pointer = String::new();
    for segment in path {
        pointer.push('/');
        if let PathSegment::Index(index) = segment {
            push_integer(&mut pointer, *index);
        }
        push_escaped(&mut pointer, &segment.name().unwrap_or_default());
    }
    pointer
}

/// Appends a name as it is escaped in a JSON Pointer.
pub(crate) fn push_escaped(pointer: &mut String, name: &str) {
    for c in name.chars() {
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// Names the subject of a message: the last member, with its index if it is an entry of a list.
pub(super) fn subject_of(path: &[PathSegment<'_>]) -> String {
    let mut subject = String::new();
    let (named, index) = match path {
        [.., named, PathSegment::Index(index)] => (Some(named), Some(*index)),
        _ => (path.last(), None),
    };
    match named.and_then(|segment| segment.name()) {
        Some(name) => push_name(&mut subject, &name),
        None => subject.push_str("The order"),
    }
    if let Some(index) = index {
        subject.push('[');
        push_integer(&mut subject, index);
        subject.push(']');
    }
    subject
}

/// Appends a name that a caller chose: at most 40 characters, control characters replaced.
fn push_name(out: &mut String, name: &str) {
    const MAX_CHARS: usize = 40;
    out.extend(name.chars().take(MAX_CHARS).map(|c| if c.is_control() { '\u{FFFD}' } else { c }));
    if name.chars().nth(MAX_CHARS).is_some() {
        out.push('…');
    }
}
