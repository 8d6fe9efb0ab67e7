//! A position in a request body that reads the pieces of a plain order, or refuses.

use crate::order::schema::{Field, FieldType};

use super::amounts::Digits;
use super::words::{is_canonical_guid, is_same, printable_bytes, starts_with_spaces};

#[cfg(test)]
mod tests;

/// The number of significant digits that a double always preserves (D8).
const MAX_DIGITS: usize = 15;
/// Half of what the general path accepts: the JSON may be longer there, because decimals may be strings.
pub(super) const MAX_BYTES: usize = 1 << 24;

/// What may be in place of a decimal.
pub(super) enum Number {
    Unsigned(Digits),
    /// Below 0, without the sign.
    Negative(Digits),
    /// A string that begins with a letter.
    Word,
}

/// The rest of a body. Every method returns `None` to refuse the order; the position is then meaningless.
pub(super) struct Body<'a> {
    rest: &'a [u8],
    /// The pairs of quotes read so far.
    pub(super) pairs: u32,
}

impl<'a> Body<'a> {
    pub(super) fn new(bytes: &'a [u8], pairs: u32) -> Self {
        Self { rest: bytes, pairs }
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes a key if it is next, with whatever comes before it, and the opening quote of its value if that is a string.
    #[inline(always)]
    pub(super) fn has_key<const N: usize>(&mut self, key: &[u8; N]) -> bool {
        let Some((head, rest)) = self.rest.split_first_chunk::<N>() else { return false };
        let is_next = is_same(head, key);
        if is_next {
            self.pairs += 1;
            self.rest = rest;
        }
        is_next
    }

    /// Takes a key that an order has once, if it is next. Smaller and slower than [`Self::has_key`].
    #[inline(never)]
    pub(super) fn has_rare_key(&mut self, key: &[u8]) -> bool {
        let is_next = self.has(key);
        self.pairs += u32::from(is_next);
        is_next
    }

    /// Takes a literal if it is next.
    #[inline(never)]
    pub(super) fn has(&mut self, literal: &[u8]) -> bool {
        let Some((head, rest)) = self.rest.split_at_checked(literal.len()) else { return false };
        // Without calling the comparison of the standard library, which is slower here.
        let is_next = head.iter().zip(literal).all(|(byte, wanted)| byte == wanted);
        if is_next {
            self.rest = rest;
        }
        is_next
    }

    pub(super) fn starts_with(&self, byte: u8) -> bool {
        self.rest.first() == Some(&byte)
    }

    #[inline(always)]
    pub(super) fn byte(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    /// Takes a canonical GUID and its closing quote.
    #[inline(never)]
    pub(super) fn guid(&mut self) -> Option<&'a [u8; 36]> {
        let (guid, rest) = self.rest.split_first_chunk()?;
        let (quote, rest) = rest.split_first()?;
        if *quote != b'"' || !is_canonical_guid(guid) {
            return None;
        }
        self.pairs += 1;
        self.rest = rest;
        Some(guid)
    }

    /// Takes a string that is a canonical GUID, or too short for a GUID in any form; returns true if it is one.
    #[inline(never)]
    pub(super) fn is_guid(&mut self) -> Option<bool> {
        const SHORTEST_FORM: usize = 32;
        if self.guid().is_some() {
            return Some(true);
        }
        self.string(SHORTEST_FORM - 1)?;
        Some(false)
    }

    /// Takes the integer of a member; returns true if it is in the member's range (D4).
    #[inline(never)]
    pub(super) fn is_integer_in_range(&mut self, field: &Field) -> Option<bool> {
        let FieldType::Integer { min, max } = field.field_type else { return None };
        let is_negative = self.has(b"-");
        let Digits { units, scale } = self.decimal()?;
        let is_in_range = (u64::from(min)..=u64::from(max)).contains(&units);
        (scale == 0).then_some(!is_negative && is_in_range)
    }

    /// Takes a decimal, or a string that begins with a letter and so can't be one.
    #[inline(always)]
    pub(super) fn number(&mut self) -> Option<Number> {
        match self.rest {
            [b'-', rest @ ..] => {
                self.rest = rest;
                self.decimal().filter(|digits| digits.units > 0).map(Number::Negative)
            }
            [b'"', first, ..] if first.is_ascii_alphabetic() => {
                self.has(b"\"");
                self.string(MAX_BYTES).map(|_| Number::Word)
            }
            _ => self.decimal().map(Number::Unsigned),
        }
    }

    /// Takes an unsigned JSON number without exponent, of at most 15 digits.
    #[inline(never)]
    pub(super) fn decimal(&mut self) -> Option<Digits> {
        let mut units = 0_u64;
        let mut digits = 0_usize;
        let mut point = None;
        let mut bytes = self.rest;
        while let Some((byte, rest)) = bytes.split_first() {
            let digit = byte.wrapping_sub(b'0');
            if digit <= 9 {
                units = units.wrapping_mul(10).wrapping_add(u64::from(digit));
                digits += 1;
            } else if *byte == b'.' && point.is_none() {
                point = Some(digits);
            } else {
                break;
            }
            bytes = rest;
        }
        let whole = point.unwrap_or(digits);
        let has_leading_zero = whole > 1 && self.rest.first() == Some(&b'0');
        if digits > MAX_DIGITS || whole == 0 || point == Some(digits) || has_leading_zero {
            return None;
        }
        self.rest = bytes;
        Some(Digits { units, scale: u32::try_from(digits - whole).ok()? })
    }

    /// Takes a string of at most `max_bytes` and its closing quote: not blank, nothing escaped, no control characters. Returns
    /// its content.
    #[inline(never)]
    pub(super) fn string(&mut self, max_bytes: usize) -> Option<&'a [u8]> {
        let mut bytes = self.rest;
        let mut is_blank = true;
        while let Some((chunk, rest)) = bytes.split_first_chunk() {
            let count = printable_bytes(chunk);
            is_blank &= starts_with_spaces(chunk, count);
            if count == chunk.len() {
                bytes = rest;
                continue;
            }
            let (quote, rest) = bytes.get(count..)?.split_first()?;
            if *quote != b'"' {
                break;
            }
            return self.end_string(rest, is_blank, max_bytes);
        }
        // Other characters, or fewer than eight bytes: byte by byte.
        let (rest, is_blank) = without_string(self.rest)?;
        self.end_string(rest, is_blank, max_bytes)
    }

    fn end_string(&mut self, rest: &'a [u8], is_blank: bool, max_bytes: usize) -> Option<&'a [u8]> {
        const QUOTE: usize = 1;
        let content = self.rest.get(..self.rest.len() - rest.len() - QUOTE)?;
        if is_blank || content.len() > max_bytes {
            return None;
        }
        self.pairs += 1;
        self.rest = rest;
        Some(content)
    }

    /// Takes an optional member that is `true` or `false`.
    pub(super) fn optional_boolean(&mut self, key: &[u8]) -> Option<()> {
        (!self.has_rare_key(key) || self.has(b"true") || self.has(b"false")).then_some(())
    }

    /// Takes an optional member that is a string; an empty one is accepted, `null` if `is_nullable`.
    #[inline(never)]
    pub(super) fn optional_string(&mut self, key: &[u8], max_bytes: usize, is_nullable: bool) -> Option<()> {
        if !self.has_rare_key(key) || is_nullable && self.has(b"null") {
            return Some(());
        }
        if self.has(b"\"\"") {
            self.pairs += 1;
            return Some(());
        }
        if self.byte()? != b'"' {
            return None;
        }
        self.string(max_bytes).map(|_| ())
    }
}

/// Returns what comes after the closing quote, and true if the string before it is blank; `None` if it has an escape, a
/// control character or U+FFFD, which a lone surrogate becomes in UTF-8.
fn without_string(mut bytes: &[u8]) -> Option<(&[u8], bool)> {
    let mut is_blank = true;
    let mut last = [0; 2];
    loop {
        let (byte, rest) = bytes.split_first()?;
        match (last, byte) {
            (_, b'"') => return Some((rest, is_blank)),
            (_, 0..=0x1F | b'\\' | 0x7F) | ([_, 0xC2], 0x80..0xA0) | ([0xEF, 0xBF], 0xBD) => return None,
            // White space beyond ASCII may be blank; no other letter is looked at.
            (_, 0x21..=0x7E) => is_blank = false,
            _ => {}
        }
        last = [last[1], *byte];
        bytes = rest;
    }
}

/// Returns a number of bytes that has at most the characters that the member displays (D24).
pub(super) const fn max_bytes(field: &Field) -> usize {
    match field.max_chars {
        Some(max) => max,
        None => MAX_BYTES,
    }
}
