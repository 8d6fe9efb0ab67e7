//! A cursor in JSON text.

use std::borrow::Cow;

use super::{FAULT, is_unicode, text};

/// Where a text stops being JSON, in bytes, and what should stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) at: usize,
    pub(crate) wanted: &'static str,
}

pub(crate) type Read<T> = Result<T, NotJson>;

/// Stands in a text and reads on from there.
pub(crate) struct Reader<'a> {
    text: &'a str,
    pub(super) at: usize,
    /// Whether the string that was read last has escapes.
    has_escapes: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, has_escapes: false }
    }

    /// The byte that the next token starts with; 0, which starts none, at the end.
    pub(crate) fn peek(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    /// Where the next token starts.
    pub(crate) fn next(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// Whether a value starts here that stands for one which JSON has no form for.
    pub(crate) fn at_fault(&self) -> bool {
        self.text.get(self.at..).is_some_and(|rest| rest.starts_with(FAULT))
    }

    /// The text of the string that was just read; nothing where it holds half of a surrogate pair.
    pub(crate) fn text(&self, raw: &'a str) -> Option<Cow<'a, str>> {
        if self.has_escapes { text(raw) } else { raw.get(1..raw.len() - 1).map(Cow::Borrowed) }
    }

    /// Whether the string that was just read is text: no half of a surrogate pair in it.
    pub(crate) fn is_unicode(&self, raw: &str) -> bool {
        !self.has_escapes || is_unicode(raw)
    }

    /// What was read from a place on.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Takes the bracket that an object or a list starts with.
    pub(crate) fn open(&mut self) {
        self.at += 1;
    }

    /// Whether there is another member, its name first; the object has ended otherwise.
    pub(crate) fn member(&mut self, is_first: bool) -> Read<bool> {
        self.goes_on(is_first, b'}', "a comma or }")
    }

    /// Takes the name of a member, with its quotes and colon, where it stands here and is this one.
    pub(crate) fn takes(&mut self, written: &str) -> bool {
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        let is_here = rest.starts_with(written.as_bytes());
        if is_here {
            self.at += written.len();
        }
        is_here
    }

    /// Whether there is another element; the list has ended otherwise.
    pub(crate) fn element(&mut self, is_first: bool) -> Read<bool> {
        self.goes_on(is_first, b']', "a comma or ]")
    }

    /// The text of a value, whatever it is: checked, but not looked into.
    pub(crate) fn value(&mut self) -> Read<&'a str> {
        match self.peek() {
            b'"' => self.string(),
            b'-' | b'0'..=b'9' => {
                let start = self.at;
                self.number()?;
                Ok(self.since(start))
            }
            _ => self.any_value(),
        }
    }

    fn any_value(&mut self) -> Read<&'a str> {
        let start = self.at;
        // Brackets that must still be closed, the innermost last.
        let mut open = Vec::new();
        loop {
            match self.peek() {
                b'"' => _ = self.string()?,
                b'{' => {
                    self.open();
                    if self.peek() != b'}' {
                        self.name()?;
                        open.push(b'}');
                        continue;
                    }
                    self.at += 1;
                }
                b'[' => {
                    self.open();
                    if self.peek() != b']' {
                        open.push(b']');
                        continue;
                    }
                    self.at += 1;
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => self.number()?,
            }
            loop {
                let Some(&close) = open.last() else { return Ok(self.since(start)) };
                let goes_on = match close {
                    b'}' => self.goes_on(false, close, "a comma or }")?,
                    _ => self.goes_on(false, close, "a comma or ]")?,
                };
                if goes_on {
                    if close == b'}' {
                        self.name()?;
                    }
                    break;
                }
                open.pop();
            }
        }
    }

    /// Whether nothing but white space follows.
    pub(crate) fn end(&mut self) -> Read<()> {
        self.peek();
        if self.at == self.text.len() { Ok(()) } else { self.wanted("the end of the text") }
    }

    pub(super) fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    fn wanted<T>(&self, wanted: &'static str) -> Read<T> {
        Err(NotJson { at: self.at, wanted })
    }

    /// Takes the comma before another entry, or the bracket that closes the value.
    fn goes_on(&mut self, is_first: bool, close: u8, wanted: &'static str) -> Read<bool> {
        let next = self.peek();
        if next == close {
            self.at += 1;
            return Ok(false);
        }
        if !is_first {
            if next != b',' {
                return self.wanted(wanted);
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// A name with its quotes, and the colon after it.
    pub(crate) fn name(&mut self) -> Read<&'a str> {
        if self.peek() != b'"' {
            return self.wanted("a name in quotes");
        }
        let name = self.string()?;
        if self.peek() != b':' {
            return self.wanted("a colon");
        }
        self.at += 1;
        Ok(name)
    }

    /// A string with its quotes, from its opening quote on.
    pub(super) fn string(&mut self) -> Read<&'a str> {
        let start = self.at;
        self.at += 1;
        self.has_escapes = false;
        loop {
            self.skip_ordinary();
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(self.since(start));
                }
                b'\\' => {
                    self.at += 1;
                    self.has_escapes = true;
                    match self.byte() {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                        b'u' if self.unit().is_some() => self.at += 5,
                        _ => return self.wanted("an escape sequence"),
                    }
                }
                0x20.. => self.at += 1,
                _ if self.at == self.text.len() => return self.wanted("a closing quote"),
                _ => return self.wanted("no bare control character"),
            }
        }
    }

    /// Skips bytes of a string that mean themselves, eight at a time.
    fn skip_ordinary(&mut self) {
        const ONES: u64 = u64::MAX / 255;
        const HIGHS: u64 = ONES << 7;
        // A byte that is zero leaves its highest bit; the lowest one found is always right.
        let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & HIGHS;
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        for chunk in rest.as_chunks::<8>().0 {
            let bytes = u64::from_le_bytes(*chunk);
            let controls = bytes.wrapping_sub(ONES * 0x20) & !bytes & HIGHS;
            let found =
                zeros(bytes ^ (ONES * u64::from(b'"'))) | zeros(bytes ^ (ONES * u64::from(b'\\'))) | controls;
            if found != 0 {
                self.at += found.trailing_zeros() as usize / 8;
                return;
            }
            self.at += 8;
        }
    }

    /// The UTF-16 unit of `uXXXX` here.
    fn unit(&self) -> Option<u16> {
        let digits = self.text.as_bytes().get(self.at + 1..self.at + 5)?;
        digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | hex(*digit)?))
    }

    fn word(&mut self, word: &'static str) -> Read<()> {
        let end = self.at + word.len();
        if self.text.get(self.at..end) != Some(word) {
            return self.wanted("a value");
        }
        self.at = end;
        Ok(())
    }

    fn number(&mut self) -> Read<()> {
        if self.byte() == b'-' {
            self.at += 1;
        }
        match self.byte() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits("a digit")?,
            _ => return self.wanted("a value"),
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.digits("a digit after the point")?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits("a digit in the exponent")?;
        }
        Ok(())
    }

    /// One digit or more.
    fn digits(&mut self, wanted: &'static str) -> Read<()> {
        if !self.byte().is_ascii_digit() {
            return self.wanted(wanted);
        }
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }
}

impl Reader<'_> {
    /// The next character of the inside of a string, its escape resolved.
    pub(super) fn character(&mut self) -> Option<Option<char>> {
        let next = self.text.get(self.at..)?.chars().next()?;
        self.at += next.len_utf8();
        if next != '\\' {
            return Some(Some(next));
        }
        let escaped = self.byte();
        if escaped == b'u' {
            return Some(self.escaped_unit());
        }
        self.at += 1;
        Some(Some(match escaped {
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other),
        }))
    }

    /// The character of `uXXXX`, or of two of them where it takes two.
    fn escaped_unit(&mut self) -> Option<char> {
        let unit = self.unit()?;
        self.at += 5;
        let mut units = [unit, 0];
        let mut used = 1;
        if matches!(unit, 0xD800..=0xDBFF)
            && self.byte() == b'\\'
            && self.text.as_bytes().get(self.at + 1) == Some(&b'u')
        {
            let mut second = Self { text: self.text, at: self.at + 1, has_escapes: true };
            if let Some(low @ 0xDC00..=0xDFFF) = second.unit() {
                second.at += 5;
                self.at = second.at;
                units = [unit, low];
                used = 2;
            }
        }
        char::decode_utf16(units.into_iter().take(used)).next()?.ok()
    }
}

fn hex(digit: u8) -> Option<u16> {
    char::from(digit).to_digit(16).and_then(|value| u16::try_from(value).ok())
}
