//! Decimals → strings in plain notation, with every digit (D8).

use rust_decimal::Decimal;

use super::amount::{Amount, is_negative, mantissa};

/// Returns the decimal in plain notation, with all its fraction digits (D8): what `Display` prints, without the formatting
/// code of std.
pub(crate) fn to_plain_string(value: &Decimal) -> String {
    let mut out = String::new();
    push_plain(&mut out, value);
    out
}

/// Appends the decimal in plain notation.
pub(crate) fn push_plain(out: &mut String, value: &Decimal) {
    if is_negative(*value) {
        out.push('-');
    }
    push_digits(out, mantissa(value), value.scale());
}

/// Appends the digits with a point before the last `scale` of them.
pub(crate) fn push_digits(out: &mut String, mantissa: u128, scale: u32) {
    PlainDigits::of(mantissa, scale).push_to(out);
}

/// Returns the number of digits without leading and trailing zeros.
pub(crate) fn significant_digits(value: &Decimal) -> usize {
    let mut digits = String::new();
    push_digits(&mut digits, mantissa(value), 0);
    digits.trim_matches('0').len()
}

impl Amount {
    /// Returns the digits of the amount, to print them.
    #[must_use]
    pub fn digits(self) -> PlainDigits {
        PlainDigits::of(self.units(), self.scale())
    }

    /// Returns the amount in plain notation, with all its fraction digits.
    pub(crate) fn to_plain_string(self) -> String {
        let mut out = String::new();
        self.digits().push_to(&mut out);
        out
    }
}

/// Appends a count or an index.
pub(crate) fn push_integer(out: &mut String, integer: usize) {
    push_digits(out, integer as u128, 0);
}

/// The digits of a value that is not negative, in plain notation.
pub struct PlainDigits {
    /// As characters, the last one first; none for 0.
    digits: [u8; 39],
    count: usize,
    scale: usize,
}

impl PlainDigits {
    fn of(integer: u128, scale: u32) -> Self {
        let mut digits = Self { digits: [b'0'; 39], count: 0, scale: scale as usize };
        // Nearly every amount fits 32 bits, and WebAssembly divides larger integers many times more slowly.
        let mut rest = integer;
        let mut large = loop {
            if let Ok(large) = u64::try_from(rest) {
                break large;
            }
            digits.push((rest % 10) as u8);
            rest /= 10;
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
    fn digit(&self, position: usize) -> u8 {
        self.digits.get(position).copied().unwrap_or(b'0')
    }

    /// Returns the number of digits that are printed: at least one before the point.
    fn printed(&self) -> usize {
        self.count.max(self.scale + 1)
    }

    /// Returns the number of characters.
    #[must_use]
    pub fn length(&self) -> usize {
        self.printed() + usize::from(self.scale != 0)
    }

    /// Appends the digits, with a point before those of the fraction.
    pub fn push_to(&self, out: &mut String) {
        for left in (0..self.printed()).rev() {
            out.push(char::from(self.digit(left)));
            if left == self.scale && left != 0 {
                out.push('.');
            }
        }
    }
}
