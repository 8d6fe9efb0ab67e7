//! Reads the forms that most orders consist of, in one pass. Leaves any others to the methods that read every form.

use rust_decimal::Decimal;

use super::Reader;

/// The number of significant digits that a double always preserves (D8).
const MAX_DIGITS: u32 = 15;

impl<'a> Reader<'a> {
    /// Reads the given key, quotes and colon included; returns false, without reading, if it is not next.
    ///
    /// Much faster than [`Self::key`], but misses a key after whitespace or with escapes.
    #[inline(always)]
    pub(crate) fn take_key(&mut self, key: &str) -> bool {
        let is_next = self.rest_bytes().starts_with(key.as_bytes());
        if is_next {
            self.position += key.len();
        }
        is_next
    }

    /// Reads a GUID in its most common form: a string in the D form, in lower case, not all zero. Returns `None`, without reading,
    /// if something else is next.
    #[inline(always)]
    pub(crate) fn take_guid(&mut self) -> Option<&'a str> {
        let [b'"', rest @ ..] = self.rest_bytes() else { return None };
        let (guid, [b'"', ..]) = rest.split_first_chunk()? else { return None };
        if !is_usual_guid(guid) {
            return None;
        }
        let start = self.position;
        self.position += 38;
        Some(self.since(start))
    }

    /// Reads an integer in its most common form: of at most nine digits, without a sign. Returns `None`, without reading, if
    /// something else is next.
    #[inline(always)]
    pub(crate) fn take_integer(&mut self) -> Option<u32> {
        const MAX_DIGITS: usize = 9;
        let bytes = self.rest_bytes();
        let count = bytes.iter().take(MAX_DIGITS + 1).take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, [b',' | b'}', ..]) = bytes.split_at_checked(count)? else { return None };
        if count > MAX_DIGITS || !matches!(digits, [b'0'] | [b'1'..=b'9', ..]) {
            return None;
        }
        self.position += count;
        Some(digits.iter().fold(0, |integer, digit| integer * 10 + u32::from(digit - b'0')))
    }

    /// Reads a decimal in its most common form: a number without sign and exponent, of at most 15 digits, or such a number in quotes,
    /// which are left out of what is made from the JSON. Returns `None`, without reading, if something else is next.
    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "each part is 32 of the 64 bits")]
    pub(crate) fn take_decimal(&mut self) -> Option<Decimal> {
        let mut units = 0_u64;
        let (mut count, mut point) = (0, None);
        let (is_quoted, bytes) = match self.rest_bytes() {
            [b'"', bytes @ ..] => (true, bytes),
            bytes => (false, bytes),
        };
        let mut is_closed = false;
        for byte in bytes {
            match byte {
                b'0'..=b'9' => {
                    units = units.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
                    count += 1;
                }
                b'.' if point.is_none() => point = Some(count),
                b',' | b'}' | b']' if !is_quoted => break,
                b'"' if is_quoted => {
                    is_closed = true;
                    break;
                }
                _ => return None,
            }
        }
        let whole = point.unwrap_or(count);
        let has_leading_zero = whole > 1 && bytes.first() == Some(&b'0');
        if count > MAX_DIGITS
            || whole == 0
            || point == Some(count)
            || has_leading_zero
            || is_closed != is_quoted
        {
            return None;
        }
        if is_quoted {
            self.omit_byte();
        }
        self.position += count as usize + usize::from(point.is_some());
        if is_quoted {
            self.omit_byte();
        }
        Some(Decimal::from_parts(units as u32, (units >> 32) as u32, 0, false, count - whole))
    }

    /// Reads a byte that is left out of what is made from the JSON.
    fn omit_byte(&mut self) {
        self.position += 1;
        self.replace(self.position - 1, "");
    }
}

/// Returns true for a GUID in the D form, in lower case, not all zero.
fn is_usual_guid(guid: &[u8; 36]) -> bool {
    let is_digit = |byte: &&u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
    let has_hyphen = |position| guid.get(position) == Some(&b'-');
    guid.iter().filter(is_digit).count() == 32
        && [8, 13, 18, 23].into_iter().all(has_hyphen)
        && guid != b"00000000-0000-0000-0000-000000000000"
}

#[cfg(test)]
mod tests {
    use super::is_usual_guid;

    #[test]
    fn a_usual_guid_has_lower_case_digits_and_hyphens_in_their_positions() {
        let guid = b"2a8f5d33-eec9-4864-8b49-5636577b40d5";
        assert!(is_usual_guid(guid));
        assert!(is_usual_guid(b"00000000-0000-0000-0000-000000000001"));
        assert!(!is_usual_guid(b"00000000-0000-0000-0000-000000000000"));
        for position in 0..guid.len() {
            for byte in 0..=u8::MAX {
                let mut other = *guid;
                other[position] = byte;
                let expected = match position {
                    8 | 13 | 18 | 23 => byte == b'-',
                    _ => byte.is_ascii_hexdigit() && !byte.is_ascii_uppercase(),
                };
                assert_eq!(is_usual_guid(&other), expected, "{byte:#x} at {position}");
            }
        }
    }
}
