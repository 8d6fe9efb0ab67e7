//! The dates of responses (§2.1, D41).

/// What is written behind a date that has no offset: it is taken as UTC.
pub(crate) const UTC: &str = "+00:00";

/// Reads `DateCreatedUtc`: 0 to 16 fraction digits, `Z`, an offset or none (D41).
///
/// Gives whether it has an offset; nothing where the text is no date.
pub(crate) fn read_date(text: &str) -> Option<bool> {
    let (date, time) = text.split_once('T')?;
    let [year, month, day] = numbers(date, '-', [4, 2, 2])?;
    let clock = time.get(..8)?;
    let [hour, minute, second] = numbers(clock, ':', [2, 2, 2])?;
    let possible = (1..=12).contains(&month)
        && (1..=days_in(year, month)).contains(&day)
        && hour < 24
        && minute < 60
        && second < 60;
    let rest = time.get(8..)?;
    let offset = match rest.strip_prefix('.') {
        Some(fraction) => {
            let offset = fraction.trim_start_matches(|digit: char| digit.is_ascii_digit());
            let digits = fraction.len() - offset.len();
            (1..=16).contains(&digits).then_some(offset)?
        }
        None => rest,
    };
    if !possible {
        return None;
    }
    match offset {
        "" => Some(false),
        "Z" => Some(true),
        _ => {
            let [hours, minutes] = numbers(offset.strip_prefix(['+', '-'])?, ':', [2, 2])?;
            (hours < 24 && minutes < 60).then_some(true)
        }
    }
}

/// Numbers of fixed lengths with a separator between them.
fn numbers<const N: usize>(text: &str, separator: char, lengths: [usize; N]) -> Option<[u32; N]> {
    let mut parts = text.split(separator);
    let mut numbers = [0; N];
    for (number, length) in numbers.iter_mut().zip(lengths) {
        let part = parts.next()?;
        let digits = part.len() == length && part.bytes().all(|digit| digit.is_ascii_digit());
        *number = digits.then(|| part.parse().ok()).flatten()?;
    }
    parts.next().is_none().then_some(numbers)
}

fn days_in(year: u32, month: u32) -> u32 {
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        2 if leap => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}
