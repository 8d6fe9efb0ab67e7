//! A position in a request body that reads the pieces of a plain order, or refuses.

use crate::schema::Field;

use super::amounts::Digits;
use super::words::{is_canonical_guid, is_same, printable_bytes, starts_with_spaces};

/// The number of significant digits that a double always preserves (D8).
const MAX_DIGITS: usize = 15;
/// Half of what the general path accepts: the JSON may be longer there, because decimals may be strings.
pub(super) const MAX_BYTES: usize = 1 << 24;

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

    /// Returns the number of bytes that are left.
    pub(super) fn left(&self) -> usize {
        self.rest.len()
    }

    pub(super) fn is_at_end(&self) -> bool {
        self.rest.is_empty()
    }

    /// Takes a key, with whatever comes before it, and the opening quote of its value if that is a string.
    #[inline(always)]
    pub(super) fn key<const N: usize>(&mut self, key: &[u8; N]) -> Option<()> {
        self.has_key(key).then_some(())
    }

    /// Takes a key if it is next.
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

    /// Takes an integer from 1 to 2,147,483,647 (D4).
    #[inline(never)]
    pub(super) fn integer(&mut self) -> Option<()> {
        const MAX: u64 = 0x7FFF_FFFF;
        let Digits { units, scale } = self.decimal()?;
        (scale == 0 && (1..=MAX).contains(&units)).then_some(())
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

    /// Takes a string of at most `max_bytes` and its closing quote: not blank, nothing escaped, no control characters.
    #[inline(never)]
    pub(super) fn string(&mut self, max_bytes: usize) -> Option<()> {
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

    fn end_string(&mut self, rest: &'a [u8], is_blank: bool, max_bytes: usize) -> Option<()> {
        const QUOTE: usize = 1;
        if is_blank || self.rest.len() - rest.len() > max_bytes + QUOTE {
            return None;
        }
        self.pairs += 1;
        self.rest = rest;
        Some(())
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
        self.string(max_bytes)
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

#[cfg(test)]
mod tests {
    use super::*;

    fn string(body: &str, max_bytes: usize) -> Option<&str> {
        let mut at = Body::new(body.as_bytes(), 0);
        at.string(max_bytes)?;
        assert_eq!(at.pairs, 1);
        body.get(body.len() - at.rest.len()..)
    }

    #[test]
    fn a_string_ends_at_its_quote() {
        assert_eq!(string("Green tea\",\"x\"", 100), Some(",\"x\""));
        assert_eq!(string("x\"", 100), Some(""));
        assert_eq!(string("Crème\"}", 100), Some("}"));
        assert_eq!(string("12345678\"\"345678", 100), Some("\"345678"));
        assert_eq!(string("Tee — grün, 茶\",1", 100), Some(",1"));
    }

    #[test]
    fn a_string_that_is_too_long_for_its_member_is_refused() {
        for length in 1..40 {
            let body = format!("{}\"12345678", "x".repeat(length));
            assert_eq!(string(&body, length), Some("12345678"));
            assert_eq!(string(&body, length - 1), None);
        }
    }

    #[test]
    fn strings_that_may_be_blank_or_need_a_rule_are_refused() {
        for refused in [
            "",
            " ",
            "        ",
            "         ",
            "\u{a0}",
            "\u{3000}\u{3000}",
            "a\tb",
            "a\u{7f}",
            "long enough\u{7f}",
            "a\\u0041",
            "\u{80}x",
            "long enough \u{9f}",
            "\u{fffd}",
            "long enough \u{fffd} too",
        ] {
            assert_eq!(string(&format!("{refused}\",\"more\":1"), 100), None, "{refused:?}");
        }
        assert_eq!(string("no end", 100), None);
        assert_eq!(string("no end at all here", 100), None);
    }

    #[test]
    fn characters_beside_the_refused_ones_are_accepted() {
        for accepted in
            ["x\u{a0}", "é\u{a0}x", "x\u{fffc}", "x\u{ffee}", "x~", "½x", "x\u{2028}", "          x", "😀!"]
        {
            assert_eq!(string(&format!("{accepted}\",\"more\":1"), 100), Some(",\"more\":1"), "{accepted:?}");
        }
    }

    #[test]
    fn a_decimal_is_a_json_number_of_at_most_fifteen_digits_without_sign_and_exponent() {
        let decimal = |body: &str| {
            Body::new(body.as_bytes(), 0).decimal().map(|Digits { units, scale }| (units, scale))
        };
        assert_eq!(decimal("12.50,"), Some((1250, 2)));
        assert_eq!(decimal("0.05}"), Some((5, 2)));
        assert_eq!(decimal("0"), Some((0, 0)));
        assert_eq!(decimal("999999999999999"), Some((999_999_999_999_999, 0)));
        assert_eq!(decimal("1e3"), Some((1, 0))); // the exponent is refused as the next token
        for refused in ["", ".5", "5.", "01", "00", "-1", "+1", "1234567890123456", "0.123456789012345"] {
            assert_eq!(decimal(refused), None, "{refused}");
        }
    }

    #[test]
    fn an_integer_is_in_the_range_of_company_and_location() {
        let integer = |body: &str| Body::new(body.as_bytes(), 0).integer().is_some();
        assert!(integer("1,") && integer("2147483647,"));
        assert!(
            !integer("0,") && !integer("2147483648,") && !integer("1.0,") && !integer("-1,") && !integer("x")
        );
    }
}
