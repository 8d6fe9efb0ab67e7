//! Sentences from their pieces.

use crate::decimal::push_digits;
use crate::u512::U512;

/// The pieces one after the other.
pub(crate) fn joined(pieces: &[&str]) -> String {
    let mut text = String::with_capacity(pieces.iter().map(|piece| piece.len()).sum());
    for piece in pieces {
        text.push_str(piece);
    }
    text
}

/// Appends a count or a position.
pub(crate) fn push_number(out: &mut String, number: usize) {
    push_digits(out, U512::Small(number as u64), 0);
}
