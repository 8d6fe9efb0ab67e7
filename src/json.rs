//! JSON: a [reader](Reader) that leaves every value as it is in the input, and a [writer](Writer).
//!
//! A value stays a slice of the input until its type is known. So no digit of a decimal passes through a float, a value
//! that is sent unchanged is copied, and the position of a slice in the input locates an issue.
//!
//! Our own code, because `serde_json` is larger and slower at this. The size in core.wasm, and the time for an order of 10
//! lines, compiled for the machine itself:
//!
//! | | size | time |
//! |---|---|---|
//! | reader, all strings decoded | 5,771 bytes before wasm-opt | 1.8 µs |
//! | `serde_json`, members as `RawValue` | at least +48,868 bytes | 2.1 µs |
//! | `serde_json::Value` | at least +52,710 bytes | 4.5 µs |
//! | writer, printing the preview | 4,915 bytes before wasm-opt | 3.5 µs |
//! | `serde_json::to_string` of the preview | 14,209 bytes before wasm-opt | 6.3 µs |
//!
//! "At least", because these were measured without code that formats messages, which `serde_json` needs. The tests compare
//! reader and writer with `serde_json`.

mod edits;
mod object;
mod reader;
mod string;
#[cfg(feature = "serde")]
mod to_serde;
mod unrepresentable;
mod value;
mod writer;

use std::borrow::Cow;

pub(crate) use edits::Edits;
pub use object::{ToJson, ToMembers};
pub(crate) use object::{json_struct, serialize_as_json};
pub(crate) use reader::{Entries, Read, Reader, Stopped, SyntaxError};
pub(crate) use string::{JsonString, between_quotes};
#[cfg(feature = "serde")]
pub(crate) use to_serde::{serialize_raw, serialize_values};
pub(crate) use unrepresentable::{MAX_DEPTH, Unrepresentable, find_unrepresentable, is_at_placeholder};
pub use value::{Json, NotJson};
pub use writer::Writer;
pub(crate) use writer::{DecimalForm, key};

/// Returns the value of a JSON document without the whitespace around it.
pub(crate) fn document(json: &str) -> Result<&str, SyntaxError> {
    let mut reader = Reader::new(json);
    let raw = reader.value().and_then(|raw| reader.end().map(|()| raw));
    raw.map_err(|Stopped| reader.syntax_error())
}

/// Returns the JSON after a byte order mark, or all of it if it has none.
///
/// RFC 8259 (8.1) lets a parser ignore the mark, which some editors put at the beginning of a file.
pub(crate) fn without_bom(json: &str) -> &str {
    json.strip_prefix('\u{FEFF}').unwrap_or(json)
}

/// Calls `each` with the name and the value of every member of an object, in order.
///
/// Returns false if the value is not a whole object, or at a name with a lone surrogate.
pub(crate) fn members<'a>(raw: &'a str, each: &mut dyn FnMut(Cow<'a, str>, &'a str)) -> bool {
    let mut reader = Reader::new(raw);
    let Some(mut entries) = reader.begin_object() else { return false };
    loop {
        match reader.next_entry(&mut entries) {
            Ok(true) => {}
            closed => return closed.is_ok() && reader.end().is_ok(),
        }
        let Ok(key) = reader.key() else { return false };
        let (Some(name), Ok(value)) = (key.decode(), reader.value()) else { return false };
        each(name, value);
    }
}

/// Calls `each` with every element of an array, in order; returns false if the value is not a whole array.
pub(crate) fn elements<'a>(raw: &'a str, each: &mut dyn FnMut(&'a str)) -> bool {
    let mut reader = Reader::new(raw);
    let Some(mut entries) = reader.begin_array() else { return false };
    loop {
        match reader.next_entry(&mut entries) {
            Ok(true) => {}
            closed => return closed.is_ok() && reader.end().is_ok(),
        }
        let Ok(value) = reader.value() else { return false };
        each(value);
    }
}

/// Decodes a JSON string; returns `None` if the value is not a string, or has a lone surrogate.
pub(crate) fn string(raw: &str) -> Option<Cow<'_, str>> {
    JsonString::from_raw(raw)?.decode()
}

/// Returns true for JSON that begins like a number.
pub(crate) fn is_number(raw: &str) -> bool {
    raw.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

pub(crate) fn is_object(raw: &str) -> bool {
    raw.starts_with('{')
}

pub(crate) fn is_array(raw: &str) -> bool {
    raw.starts_with('[')
}

#[cfg(test)]
mod tests;
