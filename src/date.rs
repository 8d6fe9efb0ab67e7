//! The dates of responses (§2.1, D41).
//!
//! Our own code, because the crate `jiff` rejects more than 9 fraction digits of a second, while D41 allows up to 16. The
//! WebAssembly module only needs to validate dates, not to calculate with them.

/// The offset of a date that has none.
pub(crate) const UTC: &str = "+00:00";

/// The offset of a valid date; printing adds a missing one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Date {
    /// False if neither `Z` nor an offset follows the time.
    pub(crate) has_offset: bool,
}

/// Parses `DateCreatedUtc`: ISO 8601 with 0 to 16 fraction digits of a second, and `Z`, an offset or neither (D41).
///
/// Returns `None` if the text is not such a date.
pub(crate) fn parse_date(text: &[u8]) -> Option<Date> {
    let ([year, month, day], rest) = numbers(text, b'-', [4, 2, 2])?;
    let ([hour, minute, second], rest) = numbers(rest.strip_prefix(b"T")?, b':', [2, 2, 2])?;
    let exists = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    let offset = match rest.strip_prefix(b".") {
        Some(fraction) => {
            let digits = fraction.iter().take_while(|digit| digit.is_ascii_digit()).count();
            fraction.get(digits..).filter(|_| (1..=16).contains(&digits))?
        }
        None => rest,
    };
    let is_offset = match offset {
        b"" | b"Z" => true,
        [b'+' | b'-', time @ ..] => {
            matches!(numbers(time, b':', [2, 2]), Some(([0..24, 0..60], [])))
        }
        _ => false,
    };
    (exists && is_offset).then_some(Date { has_offset: !offset.is_empty() })
}

/// Reads numbers of fixed lengths with a separator between them; returns them, and what follows.
fn numbers<const N: usize>(mut text: &[u8], separator: u8, lengths: [usize; N]) -> Option<([u32; N], &[u8])> {
    let mut numbers = [0; N];
    for (index, (number, length)) in numbers.iter_mut().zip(lengths).enumerate() {
        if index > 0 {
            text = text.strip_prefix(&[separator])?;
        }
        let (digits, rest) = text.split_at_checked(length)?;
        for digit in digits {
            *number = *number * 10 + char::from(*digit).to_digit(10)?;
        }
        text = rest;
    }
    Some((numbers, text))
}

pub(crate) fn days_in(year: u32, month: u32) -> u32 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if is_leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_with_and_without_offset_are_parsed() {
        for (string, has_offset) in [
            ("2026-11-20T09:30:00Z", true),
            ("2026-11-20T09:30:00.1234567+00:00", true),
            ("2026-11-20T23:59:59.1234567890123456-08:00", true),
            ("2024-02-29T00:00:00", false),
            ("2000-02-29T00:00:00.0", false),
        ] {
            assert_eq!(parse_date(string.as_bytes()), Some(Date { has_offset }), "{string}");
        }
    }

    #[test]
    fn other_strings_and_days_that_do_not_exist_are_rejected() {
        for string in [
            "",
            "2026-11-20",
            "2026-11-20 09:30:00",
            "2026-11-20T09:30",
            "2026-11-20T24:00:00",
            "2026-11-20T09:60:00",
            "2026-11-20T09:30:60",
            "2026-13-01T00:00:00",
            "2026-00-01T00:00:00",
            "2026-11-31T00:00:00",
            "2026-02-29T00:00:00",
            "1900-02-29T00:00:00",
            "2026-11-20T09:30:00.",
            "2026-11-20T09:30:00.12345678901234567",
            "2026-11-20T09:30:00z",
            "2026-11-20T09:30:00+24:00",
            "2026-11-20T09:30:00+0800",
            "2026-11-20T09:30:0é",
            "+026-11-20T09:30:00",
        ] {
            assert_eq!(parse_date(string.as_bytes()), None, "{string}");
        }
    }
}
