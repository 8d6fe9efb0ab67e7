//! Decimals → strings in plain notation, with every digit (D8).

use rust_decimal::Decimal;

use super::parts::{is_negative, mantissa};

/// Returns the decimal in plain notation, with all its fraction digits (D8): what `Display` prints, without the formatting
/// code of std.
pub(crate) fn to_plain_string(value: &Decimal) -> String {
    let mut out = String::new();
    push_plain(&mut out, value);
    out
}

/// Appends the decimal in plain notation.
pub fn push_plain(out: &mut String, value: &Decimal) {
    if is_negative(*value) {
        out.push('-');
    }
    push_digits(out, mantissa(value), value.scale());
}

/// Appends the digits with a point before the last `scale` of them.
pub(crate) fn push_digits(out: &mut String, mantissa: u128, scale: u32) {
    let digits = Digits::of(mantissa);
    // At least one digit before the point.
    for left in (0..digits.count.max(scale as usize + 1)).rev() {
        out.push(char::from(digits.digit(left)));
        if left == scale as usize && scale != 0 {
            out.push('.');
        }
    }
}

/// Appends a count or an index.
pub(crate) fn push_integer(out: &mut String, integer: usize) {
    push_digits(out, integer as u128, 0);
}

/// The decimal digits of an integer as characters, the last one first; none for 0.
pub(super) struct Digits {
    digits: [u8; 39],
    pub(super) count: usize,
}

impl Digits {
    pub(super) fn of(mut integer: u128) -> Self {
        let mut digits = Self { digits: [b'0'; 39], count: 0 };
        // Nearly every amount fits 32 bits: WebAssembly divides more of them many times more slowly.
        let mut large = loop {
            if let Ok(large) = u64::try_from(integer) {
                break large;
            }
            digits.push((integer % 10) as u8);
            integer /= 10;
        };
        let mut small = loop {
            if let Ok(small) = u32::try_from(large) {
                break small;
            }
            digits.push((large % 10) as u8);
            large /= 10;
        };
        while small != 0 {
            digits.push((small % 10) as u8);
            small /= 10;
        }
        digits
    }

    fn push(&mut self, digit: u8) {
        if let Some(place) = self.digits.get_mut(self.count) {
            *place += digit;
            self.count += 1;
        }
    }

    /// Returns the digit at a position from the end; 0 before the first one.
    pub(super) fn digit(&self, position: usize) -> u8 {
        self.digits.get(position).copied().unwrap_or(b'0')
    }
}
