//! Literals, numbers and escapes.

use super::{Read, Reader};

impl Reader<'_> {
    /// Returns true at `uXXXX`, the escape of a UTF-16 unit.
    pub(super) fn is_at_unit(&self) -> bool {
        let digits = self.json.as_bytes().get(self.position + 1..self.position + 5);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    }

    pub(super) fn literal(&mut self, literal: &'static str) -> Read<()> {
        if !self.rest_bytes().starts_with(literal.as_bytes()) {
            return self.expected("a value");
        }
        self.position += literal.len();
        Ok(())
    }

    pub(super) fn number(&mut self) -> Read<()> {
        if self.byte() == Some(b'-') {
            self.position += 1;
        }
        match self.byte() {
            Some(b'0') => self.position += 1,
            Some(b'1'..=b'9') => self.digits("a digit")?,
            _ => return self.expected("a value"),
        }
        if self.byte() == Some(b'.') {
            self.position += 1;
            self.digits("a digit after the point")?;
        }
        if let Some(b'e' | b'E') = self.byte() {
            self.position += 1;
            if let Some(b'+' | b'-') = self.byte() {
                self.position += 1;
            }
            self.digits("a digit in the exponent")?;
        }
        Ok(())
    }

    /// Reads one digit or more.
    fn digits(&mut self, expected: &'static str) -> Read<()> {
        let start = self.position;
        while let Some(b'0'..=b'9') = self.byte() {
            self.position += 1;
        }
        if self.position == start { self.expected(expected) } else { Ok(()) }
    }
}
