//! JSON strings that are decoded on demand.

use std::borrow::Cow;
use std::str::Chars;

use super::words::{HIGHS, ONES, printable_bytes};

/// A JSON string as it is in the input, with its quotes and escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonString<'a> {
    raw: &'a str,
    has_escapes: bool,
    is_printable: bool,
}

impl<'a> JsonString<'a> {
    /// Wraps a string that the reader has already searched for escapes.
    pub(super) fn new(raw: &'a str, has_escapes: bool) -> Self {
        Self { raw, has_escapes, is_printable: false }
    }

    /// Wraps a string that the reader has found to have printable ASCII characters only.
    pub(super) fn printable(raw: &'a str) -> Self {
        Self { raw, has_escapes: false, is_printable: true }
    }

    /// Returns `None` if the value, which must be JSON, is not a string.
    pub(crate) fn from_raw(raw: &'a str) -> Option<Self> {
        raw.starts_with('"').then(|| Self::new(raw, raw.contains('\\')))
    }

    /// Returns the string with its quotes and escapes.
    pub(crate) fn raw(self) -> &'a str {
        self.raw
    }

    /// Returns true if the reader has found printable ASCII characters only, and no escapes.
    pub(crate) fn is_printable(self) -> bool {
        self.is_printable
    }

    /// Decodes the string; returns `None` if it has a lone surrogate.
    pub(crate) fn decode(self) -> Option<Cow<'a, str>> {
        if self.has_escapes {
            return self.characters().collect::<Option<String>>().map(Cow::Owned);
        }
        Some(Cow::Borrowed(between_quotes(self.raw)))
    }

    /// Returns true if every surrogate has its other half.
    pub(crate) fn is_unicode(self) -> bool {
        !self.has_escapes || self.characters().all(|character| character.is_some())
    }

    /// Returns the characters, `None` for each lone surrogate.
    pub(crate) fn characters(self) -> Characters<'a> {
        Characters::of_raw(self.raw)
    }
}

/// The characters of a JSON string; `None` is a lone surrogate.
pub(crate) struct Characters<'a> {
    /// The rest of the content. Its escapes are complete, because the reader has checked them.
    rest: Chars<'a>,
}

impl Iterator for Characters<'_> {
    type Item = Option<char>;

    fn next(&mut self) -> Option<Option<char>> {
        match self.rest.next()? {
            '\\' => Some(self.escaped()),
            character => Some(Some(character)),
        }
    }
}

impl<'a> Characters<'a> {
    /// Takes a string with its quotes.
    pub(super) fn of_raw(raw: &'a str) -> Self {
        Self { rest: between_quotes(raw).chars() }
    }

    /// Returns the character of the escape after a backslash.
    fn escaped(&mut self) -> Option<char> {
        match self.rest.next()? {
            'u' => self.escaped_unit(),
            'b' => Some('\u{8}'),
            'f' => Some('\u{C}'),
            'n' => Some('\n'),
            'r' => Some('\r'),
            't' => Some('\t'),
            itself => Some(itself),
        }
    }

    /// Returns the character of a UTF-16 unit, or of a pair of them.
    fn escaped_unit(&mut self) -> Option<char> {
        let unit = self.unit()?;
        if !matches!(unit, 0xD800..=0xDBFF) {
            return char::from_u32(unit);
        }
        let mut after = Self { rest: self.rest.as_str().strip_prefix("\\u")?.chars() };
        let low @ 0xDC00..=0xDFFF = after.unit()? else { return None };
        *self = after;
        char::from_u32(0x1_0000 + ((unit & 0x3FF) << 10 | low & 0x3FF))
    }

    /// Returns the UTF-16 unit of four hexadecimal digits.
    fn unit(&mut self) -> Option<u32> {
        let (digits, rest) = self.rest.as_str().split_at_checked(4)?;
        self.rest = rest.chars();
        digits.chars().try_fold(0, |unit, digit| Some(unit << 4 | digit.to_digit(16)?))
    }
}

/// Returns a raw string without its quotes.
pub(crate) fn between_quotes(raw: &str) -> &str {
    raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default()
}

/// Returns the number of bytes at the start that are printable ASCII characters, no quotes and no backslashes.
pub(super) fn printable_start(bytes: &[u8]) -> usize {
    let (chunks, last) = bytes.as_chunks();
    let mut start = 0;
    for chunk in chunks {
        let count = printable_bytes(chunk);
        start += count;
        if count < chunk.len() {
            return start;
        }
    }
    let mut chunk = [0; 8];
    chunk.iter_mut().zip(last).for_each(|(byte, last)| *byte = *last);
    start + printable_bytes(&chunk)
}

/// Returns the number of bytes before the first quote, backslash or control character.
///
/// Compares eight bytes at a time and ignores up to seven at the end; the caller continues byte by byte.
pub(super) fn unescaped_bytes(bytes: &[u8]) -> usize {
    // Sets the highest bit of each zero byte; may also set those of the bytes above it, so only the lowest bit counts.
    let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & HIGHS;
    let mut count = 0;
    for chunk in bytes.as_chunks::<8>().0 {
        let bytes = u64::from_le_bytes(*chunk);
        let controls = bytes.wrapping_sub(ONES * 0x20) & !bytes & HIGHS;
        let quotes = zeros(bytes ^ (ONES * u64::from(b'"')));
        let backslashes = zeros(bytes ^ (ONES * u64::from(b'\\')));
        let found = quotes | backslashes | controls;
        if found != 0 {
            return count + found.trailing_zeros() as usize / 8;
        }
        count += 8;
    }
    count
}
