//! JSON text read by a cursor, once, every value left as the text it is.
//!
//! A value stays a slice of the input until its member is known, so no digit of a decimal goes through a float, what
//! is already canonical can be copied, and the place of an issue is where the slice stands.

mod reader;
mod writer;

use std::borrow::Cow;

pub(crate) use reader::{NotJson, Read, Reader};
pub(crate) use writer::{Writer, written};

/// How deep a value may be nested that the order itself does not have.
pub(crate) const DEEPEST: usize = 64;

/// How a text starts that stands for a value which JSON has no form for; what it was follows.
const FAULT: &str = r#"{"\u0000":""#;

/// Why a value can't be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    NotFinite,
    NotJson,
    TooDeep,
    TooLarge,
    NotUnicode,
}

/// The text of a whole JSON document without the white space around it.
pub(crate) fn document(text: &str) -> Read<&str> {
    let mut reader = Reader::new(text);
    let raw = reader.value()?;
    reader.end()?;
    Ok(raw)
}

/// Calls `each` with the members of an object, in order; false where the value is none or has a name that is no
/// Unicode.
pub(crate) fn members<'a>(raw: &'a str, each: &mut dyn FnMut(Cow<'a, str>, &'a str)) -> bool {
    let mut reader = Reader::new(raw);
    if reader.peek() != b'{' {
        return false;
    }
    reader.open();
    let mut is_first = true;
    while let Ok(true) = reader.member(is_first) {
        let Ok(name) = reader.name() else { return false };
        let (Some(name), Ok(value)) = (text(name), reader.value()) else { return false };
        each(name, value);
        is_first = false;
    }
    reader.end().is_ok()
}

/// Calls `each` with the elements of an array, in order; false where the value is none.
pub(crate) fn elements<'a>(raw: &'a str, each: &mut dyn FnMut(&'a str)) -> bool {
    let mut reader = Reader::new(raw);
    if reader.peek() != b'[' {
        return false;
    }
    reader.open();
    let mut is_first = true;
    while let Ok(true) = reader.element(is_first) {
        let Ok(value) = reader.value() else { return false };
        each(value);
        is_first = false;
    }
    reader.end().is_ok()
}

/// The characters of a JSON string; one that is `None` is half of a surrogate pair.
pub(crate) fn characters(raw: &str) -> impl Iterator<Item = Option<char>> {
    let mut reader = Reader::new(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default());
    std::iter::from_fn(move || reader.character())
}

/// The text of a JSON string; nothing where the value is none, or holds half of a surrogate pair.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains('\\') && is_text(raw) {
        return characters(raw).collect::<Option<String>>().map(Cow::Owned);
    }
    raw.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
}

/// Whether a JSON string is text: no half of a surrogate pair in it.
fn is_unicode(raw: &str) -> bool {
    characters(raw).all(|character| character.is_some())
}

pub(crate) fn is_text(raw: &str) -> bool {
    raw.starts_with('"')
}

pub(crate) fn is_number(raw: &str) -> bool {
    raw.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

pub(crate) fn is_object(raw: &str) -> bool {
    raw.starts_with('{')
}

pub(crate) fn is_array(raw: &str) -> bool {
    raw.starts_with('[')
}

/// What a value stands for that JSON has no form for, where it does.
pub(crate) fn fault(raw: &str) -> Option<Fault> {
    let kind = raw.strip_prefix(FAULT)?;
    Some(match kind.split('"').next() {
        Some("not_finite") => Fault::NotFinite,
        Some("too_deep") => Fault::TooDeep,
        Some("too_large") => Fault::TooLarge,
        _ => Fault::NotJson,
    })
}

/// Looks through a value that is passed on unread for what must not be sent: it has no other reader.
pub(crate) fn inspect(raw: &str) -> Option<Fault> {
    let mut depth = 0_usize;
    let mut reader = Reader::new(raw);
    loop {
        match reader.byte() {
            b'"' => {
                let string = reader.string().unwrap_or_default();
                if string.is_empty() || !reader.is_unicode(string) {
                    return Some(Fault::NotUnicode);
                }
                continue;
            }
            b'{' | b'[' => {
                if reader.at_fault() {
                    return raw.get(reader.at..).and_then(fault);
                }
                depth += 1;
                if depth > DEEPEST {
                    return Some(Fault::TooDeep);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            0 => return None,
            _ => {}
        }
        reader.at += 1;
    }
}
#[cfg(test)]
mod tests;
