//! How long a service asks to wait: Retry-After (RFC 9110, 10.2.3). In milliseconds, dates since 1970.
//!
//! Our own code for dates, because the crate `httpdate` 1.0.3 adds 4.9 KB to the WebAssembly module, and `SystemTime` and `Duration`
//! another 8 KB for messages of panics. The tests compare it with `httpdate`.

use crate::date::days_in;
use crate::decimal::push_digits;

/// A year: a longer wait is a mistake, and may be a number that no timer can hold.
pub(super) const LONGEST: u64 = 365 * 24 * 60 * 60 * 1000;

const MONTHS: &str = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec";
/// The other words of a date: the day of the week, of which three letters are compared, and the zone.
const WORDS: [&str; 9] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "GMT", "UTC"];

/// Parses Retry-After: seconds, with a fraction or without, or a date, which counts from the Date of the response, or else from
/// the time at which it was received. Returns `None` if it is not valid, and 0 for 0 and for a date that has passed.
pub(super) fn retry_after(value: &str, date: &str, received_at: Option<u64>) -> Option<u64> {
    let wait = match seconds(value) {
        Some(wait) => wait,
        None => {
            let until = parse_date(value)?;
            until.saturating_sub(parse_date(date).or(received_at)?)
        }
    };
    Some(wait.min(LONGEST))
}

/// Parses digits, perhaps with a fraction; a number that is too large is the longest wait. Returns milliseconds.
fn seconds(value: &str) -> Option<u64> {
    let (mut millis, mut digits, mut unit) = (0_u64, 0, None);
    for byte in value.bytes() {
        match (byte, &mut unit) {
            (b'0'..=b'9', None) => {
                millis = millis.saturating_mul(10).saturating_add(u64::from(byte - b'0') * 1000)
            }
            (b'0'..=b'9', Some(unit)) => {
                *unit /= 10;
                millis = millis.saturating_add(u64::from(byte - b'0') * *unit);
            }
            (b'.', None) if digits > 0 => (unit, digits) = (Some(1000), -1),
            _ => return None,
        }
        digits += 1;
    }
    (digits > 0).then_some(millis)
}

/// Parses a date in one of the three forms of HTTP (RFC 9110, 5.6.7):
/// `Sun, 06 Nov 1994 08:49:37 GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`.
///
/// Reads the numbers and the words, and ignores the characters between them. Any other zone than GMT is not valid, since no
/// form has one.
fn parse_date(text: &str) -> Option<u64> {
    let mut numbers = [0_u32; 5];
    let (mut count, mut month) = (0, None);
    for word in text.split([' ', ',', '-', ':']).filter(|word| !word.is_empty()) {
        if word.bytes().all(|byte| byte.is_ascii_digit()) {
            *numbers.get_mut(count)? =
                word.bytes().fold(0, |sum, digit| (sum * 10 + u32::from(digit - b'0')).min(99_999));
            count += 1;
        } else if let Some(position) = MONTHS.split(' ').position(|name| name == word) {
            month = month.or(Some(position));
        } else if !WORDS
            .iter()
            .any(|name| word.get(..3) == Some(*name) && (word.len() == 3 || word.ends_with("day")))
        {
            return None;
        }
    }
    let has_comma = text.contains(',');
    let (day, hour, minute, second, year) = match (count, numbers) {
        (5, [day, year, hour, minute, second]) if has_comma => (day, hour, minute, second, year),
        (5, [day, hour, minute, second, year]) => (day, hour, minute, second, year),
        _ => return None,
    };
    let year = match year {
        // Only the second form has two digits.
        0..70 => year + 2000,
        70..100 => year + 1900,
        1970..10_000 => year,
        _ => return None,
    };
    let month = u32::try_from(month?).ok()? + 1;
    if !(1..=days_in(year, month)).contains(&day) || hour > 23 || minute > 59 || second > 60 {
        return None;
    }
    // A year that begins in March ends with the day that leap years add.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let days = year * 365 + year / 4 - year / 100 + year / 400 + (month * 153 + 2) / 5 + day - 1;
    let seconds = u64::from(hour * 3600 + minute * 60 + second);
    Some((u64::from(days - DAYS_UNTIL_1970) * 86_400 + seconds) * 1000)
}

/// From 1 March of the year 0.
const DAYS_UNTIL_1970: u32 = 719_468;

/// Writes a wait for people: milliseconds below a second, else seconds with one digit, rounded up.
pub(super) fn push_wait(out: &mut String, millis: u64) {
    let tenths = u128::from(millis.div_ceil(100));
    match millis {
        0..1000 => push_digits(out, u128::from(millis), 0),
        _ if tenths.is_multiple_of(10) => push_digits(out, tenths / 10, 0),
        _ => push_digits(out, tenths, 1),
    }
    out.push_str(if millis < 1000 { " ms" } else { " s" });
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, SystemTime};

    use proptest::prelude::*;

    use super::*;

    const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";

    #[test]
    fn seconds_and_the_three_forms_of_a_date_are_read() {
        for (value, millis) in [
            ("7", 7_000),
            ("1.5", 1_500),
            ("0.0019", 1),
            ("Sun, 06 Nov 1994 08:49:47 GMT", 10_000),
            ("Sunday, 06-Nov-94 08:50:37 GMT", 60_000),
            ("Sun Nov  6 08:49:38 1994", 1_000),
            ("Sun, 06 Nov 1994 08:49:47 UTC", 10_000),
            ("0", 0),
            ("0.0", 0),
            (DATE, 0),
            ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
        ] {
            assert_eq!(retry_after(value, DATE, None), Some(millis), "{value}");
        }
    }

    proptest! {
        #[test]
        fn dates_are_read_as_by_httpdate(seconds in 0_u64..253_402_300_800) {
            let text = httpdate::fmt_http_date(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds));
            prop_assert_eq!(parse_date(&text), Some(seconds * 1000), "{}", text);
        }
    }

    #[test]
    fn a_wait_is_at_most_a_year() {
        for value in ["31536001", "99999999999999999999999999", "Thu, 06 Nov 2994 08:49:37 GMT"] {
            assert_eq!(retry_after(value, "", Some(0)), Some(LONGEST), "{value}");
        }
    }

    #[test]
    fn a_date_counts_from_when_the_response_was_received_if_it_has_no_date_and_is_unknown_without_both() {
        let value = "Thu, 01 Jan 1970 00:01:05 GMT";
        assert_eq!(retry_after(value, "", Some(60_000)), Some(5_000));
        assert_eq!(retry_after(value, "yesterday", Some(60_000)), Some(5_000));
        assert_eq!(retry_after(value, "", None), None);
    }

    #[test]
    fn anything_else_is_no_wait() {
        for value in [
            "",
            "-5",
            "NaN",
            "1e3",
            "7s",
            "1.",
            ".5",
            "+7",
            "tomorrow",
            "Sun, 06 Nov",
            "\u{667}",
            "Sun, 31 Feb 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 24:49:37 GMT",
            "Sun, 06 Nov 1969 08:49:37 GMT",
            "Sun, 06 Nov 99999 08:49:37 GMT",
            "Sun, 0x Nov 1994 08:49:37 GMT",
            "Sun, 06 Nov 1994 08:49:37 +0500",
            "Sun, 06 Nov 1994 08:49:37 -0500",
            "Sun, 06 Nov 1994 08:49:37 +00:00",
            "Sun, 06 Nov 1994 08:49:37 PST",
            "Sun, 06 Nov 1994 08:49:37 CEST",
            "Sun, 06 Nov 1994 08:49:37 GMT+2",
        ] {
            assert_eq!(retry_after(value, "", Some(0)), None, "{value}");
        }
    }

    #[test]
    fn a_wait_is_written_for_people() {
        for (millis, text) in
            [(0, "0 ms"), (999, "999 ms"), (1_000, "1 s"), (1_001, "1.1 s"), (60_000, "60 s")]
        {
            let mut out = String::new();
            push_wait(&mut out, millis);
            assert_eq!(out, text);
        }
    }
}
