//! Reading what a service answered, with tolerance (D26, D41).

use std::borrow::Cow;

use crate::code::Code;
use crate::decode::{self, Reading};
use crate::issue::{Issue, Issues};
use crate::order::SalesOrderV2V3Put;
use crate::request::{Form, print};

/// A response body that was read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OrderRead {
    /// The created order; nothing where the body holds none.
    pub order: Option<SalesOrderV2V3Put>,
    /// What could not be read, as warnings.
    pub issues: Vec<Issue>,
}

/// Reads the body of a successful response: names in any case, null as absent, unknown members kept (D26).
///
/// Never fails: what can't be read is absent from the order, and an issue says so.
///
/// ```
/// use sales_order_intake::read_order;
///
/// let read = read_order(r#"{"id":"2A8F5D33-EEC9-4864-8B49-5636577B40D5","receiptNumber":"R-17","notes":null}"#);
/// let order = read.order.unwrap();
/// assert_eq!(order.receipt_number.as_deref(), Some("R-17"));
/// assert_eq!(order.id.unwrap().to_string(), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
/// assert!(read_order("").order.is_none());
/// ```
#[must_use]
pub fn read_order(body: &str) -> OrderRead {
    let mut order = None;
    let (_, issues) = read(body, |written| order = Some(written.into()));
    OrderRead { order, issues }
}

/// The same with the order as JSON text, decimals as text.
pub(crate) fn read_order_text(body: &str) -> (Option<String>, Vec<Issue>) {
    read(body, |written| print(written, None, Form::Value))
}

fn read<T>(
    body: &str,
    result: impl FnOnce(&crate::written::WrittenOrder<'_>) -> T,
) -> (Option<T>, Vec<Issue>) {
    // Some servers begin their answers with a byte order mark.
    let body = body.strip_prefix('\u{FEFF}').unwrap_or(body);
    let mut issues = Issues::new(body);
    if body.trim().is_empty() {
        issues.at(body, Code::BodyEmpty);
        return (None, issues.finish());
    }
    let order = decode::read_order(body, Reading::Response, false, &mut issues);
    if order.is_none() {
        issues = Issues::new(body);
        issues.at(body, Code::BodyNotAnOrder);
    }
    (order.as_ref().map(result), issues.finish())
}

/// Reads `DateCreatedUtc`: 0 to 16 fraction digits, `Z`, an offset or none (D41).
///
/// Gives the date as it was written, and whether it had an offset; where it had none, UTC is written in.
pub(crate) fn read_date(text: Cow<'_, str>) -> Option<(Cow<'_, str>, bool)> {
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
        "" => Some((Cow::Owned(text.into_owned() + "+00:00"), false)),
        "Z" => Some((text, true)),
        _ => {
            let [hours, minutes] = numbers(offset.strip_prefix(['+', '-'])?, ':', [2, 2])?;
            (hours < 24 && minutes < 60).then_some((text, true))
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
