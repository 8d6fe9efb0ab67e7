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
pub(crate) fn push_plain(out: &mut String, value: &Decimal) {
    if is_negative(*value) {
        out.push('-');
    }
    push_digits(out, mantissa(value), value.scale());
}

/// Appends the digits with a point before the last `scale` of them.
pub(crate) fn push_digits(out: &mut String, mantissa: u128, scale: u32) {
    let mut digits = digits(mantissa);
    // At least one digit before the point.
    digits.resize(digits.len().max(scale as usize + 1), 0);
    for (left, digit) in digits.into_iter().enumerate().rev() {
        out.push(char::from(b'0' + digit));
        if left == scale as usize && scale != 0 {
            out.push('.');
        }
    }
}

/// Appends a count or an index.
pub(crate) fn push_integer(out: &mut String, integer: usize) {
    push_digits(out, integer as u128, 0);
}

/// Returns the decimal digits of an integer, the last one first; none for 0.
pub(super) fn digits(mut integer: u128) -> Vec<u8> {
    let mut digits = Vec::with_capacity(38);
    let mut small = loop {
        // Nearly every amount: a division of 64 bits is many times faster.
        if let Ok(small) = u64::try_from(integer) {
            break small;
        }
        digits.push((integer % 10) as u8);
        integer /= 10;
    };
    while small != 0 {
        digits.push((small % 10) as u8);
        small /= 10;
    }
    digits
}
