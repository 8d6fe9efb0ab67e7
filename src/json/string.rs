//! JSON strings that are decoded on demand.

use std::borrow::Cow;
use std::str::Chars;

/// A JSON string as it is in the input, with its quotes and escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct JsonString<'a> {
    pub(super) raw: &'a str,
    pub(super) has_escapes: bool,
    /// True only if it has printable ASCII characters and no escapes.
    pub(super) is_printable: bool,
}

impl<'a> JsonString<'a> {
    /// Returns `None` if the value, which must be JSON, is not a string.
    pub(crate) fn from_raw(raw: &'a str) -> Option<Self> {
        raw.starts_with('"').then(|| Self { raw, has_escapes: raw.contains('\\'), is_printable: false })
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
