//! Values that JSON cannot represent, and the placeholder for them.
//!
//! A JavaScript caller may put `NaN`, a function or an object that contains itself into an order. `JSON.stringify` throws
//! at some of these and silently turns others into null, which a service would read as 0. So `pkg-template/src/json.ts`
//! writes a placeholder instead: the object `{"\u0000":"REASON"}`, where REASON is `not_finite`, `not_json`, `too_deep` or
//! `too_large`. It writes exactly these characters, without whitespace and with the escape. Any other REASON means
//! `not_json`.
//!
//! A placeholder becomes an issue wherever it is in an order, so it is never sent. No object of a caller has a member with
//! this name by accident; a caller who writes one gets the issue too.

use super::reader::Reader;

/// The maximum number of nested levels in a value that is sent unread.
pub(crate) const MAX_DEPTH: usize = 64;

const PLACEHOLDER: &str = r#"{"\u0000":""#;

/// The reason why a value cannot be sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unrepresentable {
    /// NaN or infinite.
    NotFinite,
    /// Not data: a function, a symbol, or a getter that throws.
    NotJson,
    /// Nested too deep, or containing itself.
    TooDeep,
    /// Longer than an order may be.
    TooLarge,
    /// A string with a lone surrogate, which UTF-8 cannot represent.
    NotUnicode,
}

impl Unrepresentable {
    /// Returns what a placeholder represents, `None` if the value is not a placeholder.
    pub(crate) fn from_placeholder(raw: &str) -> Option<Self> {
        let reason = raw.strip_prefix(PLACEHOLDER)?;
        Some(match reason.split('"').next() {
            Some("not_finite") => Self::NotFinite,
            Some("too_deep") => Self::TooDeep,
            Some("too_large") => Self::TooLarge,
            _ => Self::NotJson,
        })
    }
}

/// Returns true if the next value is the placeholder for a value that JSON cannot represent.
pub(crate) fn is_at_placeholder(reader: &mut Reader<'_>) -> bool {
    let is_possible = reader.peek() == Some(b'{') && reader.rest().as_bytes().get(2) == Some(&b'\\');
    is_possible && reader.rest().starts_with(PLACEHOLDER)
}

/// Finds the first part of a value that cannot be sent; returns `None` if all of it can be sent.
///
/// Checks values that are copied into the request without being decoded.
pub(crate) fn find_unrepresentable(raw: &str) -> Option<Unrepresentable> {
    // A placeholder has a backslash, and so has a lone surrogate. Each level takes a byte.
    if raw.len() <= MAX_DEPTH && !raw.contains('\\') {
        return None;
    }
    let mut depth = 0_usize;
    let mut reader = Reader::new(raw);
    while let Some(first) = reader.peek() {
        match first {
            b'"' => match reader.string() {
                Ok(string) if string.is_unicode() => continue,
                Ok(_) => return Some(Unrepresentable::NotUnicode),
                Err(_) => return Some(Unrepresentable::NotJson),
            },
            b'{' | b'[' => {
                if let Some(found) = Unrepresentable::from_placeholder(reader.rest()) {
                    return Some(found);
                }
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(Unrepresentable::TooDeep);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        reader.skip_byte();
    }
    None
}
