//! Comparisons of eight bytes at a time.

/// The lowest bit of each byte.
pub(super) const ONES: u64 = u64::MAX / 255;
/// The highest bit of each byte.
pub(super) const HIGHS: u64 = ONES << 7;
const HYPHENS: u64 = ONES * b'-' as u64;
const ZEROS: u64 = ONES * b'0' as u64;

/// The first eight bytes of a key as a word. One comparison distinguishes it from most others.
#[derive(Clone, Copy)]
pub(crate) struct KeyStart {
    word: u64,
    /// The bits of the bytes that the key has.
    mask: u64,
}

impl KeyStart {
    pub(crate) const fn of(key: &str) -> Self {
        let (mut word, mut mask, mut shift) = (0, 0, 0);
        let mut rest = key.as_bytes();
        while let [byte, tail @ ..] = rest
            && shift < u64::BITS
        {
            word |= (*byte as u64) << shift;
            mask |= 0xFF << shift;
            shift += u8::BITS;
            rest = tail;
        }
        Self { word, mask }
    }

    /// Returns true if a text with this [first word](first_word) can begin with the key.
    #[inline(always)]
    pub(crate) fn can_begin(self, word: u64) -> bool {
        (word ^ self.word) & self.mask == 0
    }
}

/// Returns the first eight bytes as a word, with zeros if there are fewer.
#[inline(always)]
pub(super) fn first_word(bytes: &[u8]) -> u64 {
    if let Some(chunk) = bytes.first_chunk() {
        return word(chunk);
    }
    bytes.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte))
}

/// Returns true if bytes that [can begin](KeyStart::can_begin) with a key do. Compares eight bytes at a time; the last eight
/// overlap those before them.
#[inline(always)]
pub(super) fn starts_with(bytes: &[u8], key: &[u8]) -> bool {
    let Some(head) = bytes.get(..key.len()) else { return false };
    let (Some(head_end), Some(key_end)) = (head.last_chunk(), key.last_chunk()) else { return true };
    let mut difference = word(head_end) ^ word(key_end);
    for (head, key) in head.as_chunks().0.iter().zip(key.as_chunks().0).skip(1) {
        difference |= word(head) ^ word(key);
    }
    difference == 0
}

/// Returns true for a GUID in the D form, in lower case, not all zero.
#[inline(always)]
pub(super) fn is_canonical_guid(guid: &[u8; 36]) -> bool {
    let ([a, b, c, d], _) = guid.as_chunks() else { return false };
    let Some(e) = guid.last_chunk() else { return false };
    // The hyphens at 8 and 13 are bytes 0 and 5 of the second word; those at 18 and 23 bytes 2 and 7 of the third.
    let (b, b_hyphens) = without_hyphens(word(b), 0x0000_FF00_0000_00FF);
    let (c, c_hyphens) = without_hyphens(word(c), 0xFF00_0000_00FF_0000);
    let (a, d, e) = (word(a), word(d), word(e));
    let others = not_hex(a) | not_hex(b) | not_hex(c) | not_hex(d) | not_hex(e);
    let is_zero = (a ^ ZEROS) | (b ^ ZEROS) | (c ^ ZEROS) | (d ^ ZEROS) | (e ^ ZEROS) == 0;
    b_hyphens && c_hyphens && others == 0 && !is_zero
}

/// Counts the bytes before the first quote, backslash, or byte that is not a printable ASCII character.
#[inline(always)]
pub(super) fn printable_bytes(chunk: &[u8; 8]) -> usize {
    let word = word(chunk);
    let special = zero_bytes(word ^ (ONES * u64::from(b'"'))) | zero_bytes(word ^ (ONES * u64::from(b'\\')));
    // The lowest bit set is right; those above it may be wrong.
    let found = below_space(word) | special | zero_bytes(word ^ (ONES * 0x7F)) | word & HIGHS;
    found.trailing_zeros() as usize / 8
}

/// Replaces the bytes of a mask by zeros; returns true if they were hyphens.
#[inline(always)]
fn without_hyphens(word: u64, mask: u64) -> (u64, bool) {
    (word & !mask | ZEROS & mask, (word ^ HYPHENS) & mask == 0)
}

/// Sets the highest bit of each byte that is not a lower-case hexadecimal digit.
#[inline(always)]
fn not_hex(word: u64) -> u64 {
    const fn at_least(byte: u8) -> u64 {
        ONES * (0x80 - byte as u64)
    }
    // Without their highest bits the bytes don't carry into each other.
    let low = word & !HIGHS;
    let digits = (low + at_least(b'0')) & !(low + at_least(b'9' + 1));
    let letters = (low + at_least(b'a')) & !(low + at_least(b'f' + 1));
    (word | !(digits | letters)) & HIGHS
}

/// Sets the highest bit of the first byte below a space; may set those of the bytes after it.
#[inline(always)]
fn below_space(word: u64) -> u64 {
    word.wrapping_sub(ONES * 0x20) & !word & HIGHS
}

/// Sets the highest bit of the first zero byte; may set those of the bytes after it.
#[inline(always)]
fn zero_bytes(word: u64) -> u64 {
    word.wrapping_sub(ONES) & !word & HIGHS
}

#[inline(always)]
fn word(chunk: &[u8; 8]) -> u64 {
    u64::from_le_bytes(*chunk)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GUID: [u8; 36] = *b"2a8f5d33-eec9-4864-8b49-5636577b40d5";

    #[test]
    fn a_guid_is_canonical_only_with_lower_case_digits_and_hyphens_in_their_positions() {
        assert!(is_canonical_guid(&GUID));
        assert!(is_canonical_guid(b"00000000-0000-0000-0000-000000000001"));
        assert!(is_canonical_guid(b"10000000-0000-0000-0000-000000000000"));
        assert!(!is_canonical_guid(b"00000000-0000-0000-0000-000000000000"));
        for position in 0..GUID.len() {
            for byte in 0..=u8::MAX {
                let mut guid = GUID;
                guid[position] = byte;
                let expected = match position {
                    8 | 13 | 18 | 23 => byte == b'-',
                    _ => matches!(byte, b'0'..=b'9' | b'a'..=b'f'),
                };
                assert_eq!(is_canonical_guid(&guid), expected, "{byte:#x} at {position}");
            }
        }
    }

    #[test]
    fn printable_bytes_end_at_the_first_byte_that_needs_a_look() {
        for first in 0..=u8::MAX {
            for position in 0..8 {
                for rest in [0, b' ', b'"', b'x', 0x7F, 0x80, 0xFF] {
                    let mut chunk = [b'a'; 8];
                    chunk[position] = first;
                    chunk[position + 1..].fill(rest);
                    let is_printable =
                        |byte: &u8| matches!(byte, 0x20..0x7F) && !matches!(byte, b'"' | b'\\');
                    let expected = chunk.iter().take_while(|byte| is_printable(byte)).count();
                    assert_eq!(printable_bytes(&chunk), expected, "{chunk:x?}");
                }
            }
        }
    }

    #[test]
    fn bytes_begin_with_a_key_only_if_every_byte_is_the_same() {
        let key = b"\"SellAtPricePerUnit\":";
        for length in 1..=key.len() {
            let key = &key[..length];
            let bytes = [key, b"1.50"].concat();
            let start = KeyStart::of(str::from_utf8(key).unwrap());
            let begins = |bytes: &[u8]| start.can_begin(first_word(bytes)) && starts_with(bytes, key);
            assert!(begins(&bytes) && begins(key));
            assert!(!begins(&key[1..]) && !begins(&key[..length - 1]));
            for position in 0..length {
                let mut other = bytes.clone();
                other[position] ^= 0x80;
                assert!(!begins(&other), "{position} of {length}");
                assert_eq!(start.can_begin(first_word(&other)), position >= 8, "{position} of {length}");
            }
        }
    }
}
