//! A cursor in JSON.

mod tokens;
mod usual_forms;

use super::edits::Edits;
use super::string::JsonString;

/// The position, in bytes, at which the input stops being JSON, and what is expected there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SyntaxError {
    pub(crate) position: usize,
    pub(crate) expected: &'static str,
}

/// The input stops being JSON: [`Reader::syntax_error`] says where. Contains no details, because a result that fits a register
/// takes less time and code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Stopped;

pub(crate) type Read<T> = Result<T, Stopped>;

/// Reads JSON from the beginning to the end, once.
///
/// Checks every value and returns it as a slice of the input; the caller decodes numbers and strings on demand.
pub(crate) struct Reader<'a> {
    json: &'a str,
    position: usize,
    /// How the JSON that is made from this one differs: no whitespace, and what the caller [replaces](Self::replace).
    pub(crate) edits: Edits,
    /// Whether edits are recorded: not while a value is read as a whole.
    pub(crate) records_edits: bool,
    /// What was expected where the input stops being JSON.
    expected: &'static str,
}

/// An object or array whose entries are being read.
pub(crate) struct Entries {
    close: u8,
    is_first: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(json: &'a str) -> Self {
        Self { json, position: 0, edits: Edits::default(), records_edits: false, expected: "" }
    }

    /// Skips whitespace and returns the first byte of the next token, `None` at the end.
    #[inline(always)]
    pub(crate) fn peek(&mut self) -> Option<u8> {
        let first = self.byte();
        if !matches!(first, Some(b' ' | b'\n' | b'\r' | b'\t')) {
            return first;
        }
        self.skip_space();
        self.byte()
    }

    fn skip_space(&mut self) {
        let start = self.position;
        while let Some(b' ' | b'\n' | b'\r' | b'\t') = self.byte() {
            self.position += 1;
        }
        self.replace(start, "");
    }

    /// Replaces what was read since an [offset](Self::offset), if edits are recorded.
    pub(crate) fn replace(&mut self, start: usize, text: &str) {
        if self.records_edits {
            self.edits.replace(start, self.position, text);
        }
    }

    /// Replaces the value that was read last, unless it is the same.
    pub(crate) fn replace_value(&mut self, raw: &str, text: &str) {
        if raw != text {
            self.replace(self.position - raw.len(), text);
        }
    }

    /// Returns the position after what was read.
    pub(crate) fn offset(&self) -> usize {
        self.position
    }

    /// Skips whitespace and returns the position of the next token, for [`Self::since`].
    #[inline(always)]
    pub(crate) fn position(&mut self) -> usize {
        self.peek();
        self.position
    }

    /// Returns what was read since a position.
    #[inline(always)]
    pub(crate) fn since(&self, position: usize) -> &'a str {
        self.json.get(position..self.position).unwrap_or_default()
    }

    /// Begins an object; returns `None`, without reading it, if the next value is not an object.
    pub(crate) fn begin_object(&mut self) -> Option<Entries> {
        self.begin(b'{', b'}')
    }

    /// Begins an array; returns `None`, without reading it, if the next value is not an array.
    pub(crate) fn begin_array(&mut self) -> Option<Entries> {
        self.begin(b'[', b']')
    }

    /// Reads the comma before the next entry, or the bracket at the end; returns true if there is another entry.
    ///
    /// An entry of an object starts with its [key](Self::key).
    #[inline(always)]
    pub(crate) fn next_entry(&mut self, entries: &mut Entries) -> Read<bool> {
        let is_first = std::mem::replace(&mut entries.is_first, false);
        if !is_first && self.byte() == Some(b',') {
            self.position += 1;
            return Ok(true);
        }
        self.comma_or_close(is_first, entries.close)
    }

    /// Reads the name of a member and the colon after it.
    pub(crate) fn key(&mut self) -> Read<JsonString<'a>> {
        if self.peek() != Some(b'"') {
            return self.expected("a name in quotes");
        }
        let name = self.string()?;
        if self.peek() != Some(b':') {
            return self.expected("a colon");
        }
        self.position += 1;
        Ok(name)
    }

    /// Reads a string.
    pub(crate) fn string(&mut self) -> Read<JsonString<'a>> {
        if self.peek() != Some(b'"') {
            return self.expected("a string");
        }
        let start = self.position;
        self.position += 1;
        let (mut has_escapes, mut is_ascii) = (false, true);
        loop {
            match self.byte() {
                Some(b'"') => {
                    self.position += 1;
                    let raw = self.since(start);
                    return Ok(JsonString { raw, has_escapes, is_printable: is_ascii && !has_escapes });
                }
                Some(b'\\') => {
                    self.position += 1;
                    has_escapes = true;
                    match self.byte() {
                        Some(b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't') => self.position += 1,
                        Some(b'u') if self.is_at_unit() => self.position += 5,
                        _ => return self.expected("an escape sequence"),
                    }
                }
                Some(byte @ 0x20..) => {
                    is_ascii &= byte < 0x7F;
                    self.position += 1;
                }
                Some(_) => return self.expected("control characters to be escaped"),
                None => return self.expected("a closing quote"),
            }
        }
    }

    /// Reads a value of any type and returns it as it is.
    pub(crate) fn value(&mut self) -> Read<&'a str> {
        match self.peek() {
            Some(b'"') => Ok(self.string()?.raw()),
            Some(b'-' | b'0'..=b'9') => {
                let start = self.position;
                self.number()?;
                Ok(self.since(start))
            }
            _ => {
                let records_edits = std::mem::take(&mut self.records_edits);
                let value = self.any_value();
                self.records_edits = records_edits;
                value
            }
        }
    }

    /// Checks that only whitespace is left.
    pub(crate) fn end(&mut self) -> Read<()> {
        match self.peek() {
            None => Ok(()),
            Some(_) => self.expected("the end of the JSON"),
        }
    }

    /// Returns where the input stops being JSON, after a method has returned [`Stopped`].
    pub(crate) fn syntax_error(&self) -> SyntaxError {
        SyntaxError { position: self.position, expected: self.expected }
    }

    /// Returns what is left to read.
    pub(crate) fn rest(&self) -> &'a str {
        self.json.get(self.position..).unwrap_or_default()
    }

    /// Skips the byte that [`Self::peek`] returned.
    pub(super) fn skip_byte(&mut self) {
        self.position += usize::from(self.position < self.json.len());
    }

    #[inline(always)]
    fn rest_bytes(&self) -> &'a [u8] {
        self.json.as_bytes().get(self.position..).unwrap_or_default()
    }

    #[inline(always)]
    fn byte(&self) -> Option<u8> {
        self.json.as_bytes().get(self.position).copied()
    }

    fn expected<T>(&mut self, expected: &'static str) -> Read<T> {
        self.expected = expected;
        Err(Stopped)
    }

    fn begin(&mut self, open: u8, close: u8) -> Option<Entries> {
        (self.peek() == Some(open)).then(|| {
            self.position += 1;
            Entries { close, is_first: true }
        })
    }

    fn comma_or_close(&mut self, is_first: bool, close: u8) -> Read<bool> {
        let next = self.peek();
        if next == Some(close) {
            self.position += 1;
            return Ok(false);
        }
        if !is_first {
            if next != Some(b',') {
                return self.expected(if close == b'}' { "a comma or }" } else { "a comma or ]" });
            }
            self.position += 1;
        }
        Ok(true)
    }

    fn any_value(&mut self) -> Read<&'a str> {
        let start = self.position;
        // The brackets that will close the objects and arrays around the current value, the innermost last.
        let mut closes = Vec::new();
        loop {
            match self.peek() {
                Some(b'"') => _ = self.string()?,
                Some(b'{') => {
                    self.position += 1;
                    if self.peek() != Some(b'}') {
                        self.key()?;
                        closes.push(b'}');
                        continue;
                    }
                    self.position += 1;
                }
                Some(b'[') => {
                    self.position += 1;
                    if self.peek() != Some(b']') {
                        closes.push(b']');
                        continue;
                    }
                    self.position += 1;
                }
                Some(b't') => self.literal("true")?,
                Some(b'f') => self.literal("false")?,
                Some(b'n') => self.literal("null")?,
                _ => self.number()?,
            }
            loop {
                let Some(&close) = closes.last() else { return Ok(self.since(start)) };
                if self.comma_or_close(false, close)? {
                    if close == b'}' {
                        self.key()?;
                    }
                    break;
                }
                closes.pop();
            }
        }
    }
}
