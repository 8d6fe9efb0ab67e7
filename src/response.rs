//! The order in a response, read tolerantly (D26).

use crate::code::IssueCode;
use crate::issue::{Details, Issue, IssueCollector};
use crate::json::{self, DecimalForm};
use crate::order::{FromRecord as _, ReceivedOrder};
use crate::order_writer::write_order;
use crate::parse::{MAX_BYTES, parse_response};
use crate::record::RecordSet;

/// The content of a response body.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OrderRead {
    /// The created order; `None` if the body has none.
    pub order: Option<ReceivedOrder>,
    /// What could not be read, as warnings; a body above 32 MiB is the error `too_large`, and more than 200 unknown members in an
    /// object are the error `too_many_members`.
    pub issues: Vec<Issue>,
}

/// Reads the body of a successful response: names in any case, null as absent, unknown members preserved (D26).
///
/// Never fails: a member that can't be read is absent from the order and reported as an issue.
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
    let issues = read_with(body, &mut |records, _| order = ReceivedOrder::from_record(records.root()));
    OrderRead { order, issues }
}

/// Reads the order as JSON with decimals as strings.
pub fn read_order_json(body: &str) -> (Option<String>, Vec<Issue>) {
    let mut order = None;
    let issues = read_with(body, &mut |records, _| order = Some(write_order(records, DecimalForm::String)));
    (order, issues)
}

/// Calls the function with the order, if the body has one, and with its issues, to which it may add. Returns all issues.
pub(crate) fn read_with<'a>(
    body: &'a str,
    read: &mut dyn FnMut(&RecordSet<'a>, &mut IssueCollector<'a>),
) -> Vec<Issue> {
    let body = json::without_bom(body);
    let mut issues = IssueCollector::default();
    if body.len() > MAX_BYTES {
        let hint = "check the base URL: this response is too large for an order";
        let details = || Details { hint: Some(hint.to_owned()), ..Details::default().limit(MAX_BYTES) };
        issues.report_with(IssueCode::TooLarge, &details);
    } else if body.trim().is_empty() {
        issues.report(IssueCode::BodyEmpty);
    } else {
        let parsed = parse_response(body);
        match &parsed.records {
            Some(records) => {
                issues = parsed.issues;
                read(records, &mut issues);
            }
            None => issues.report(IssueCode::BodyNotAnOrder),
        }
    }
    issues.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_response_above_the_limit_is_reported_as_too_large() {
        let order = r#"{"receiptNumber":"R-17"}"#;
        let padded = |length: usize| format!("{order}{}", " ".repeat(length - order.len()));
        let codes = |body: &str| read_order(body).issues.iter().map(|issue| issue.code).collect::<Vec<_>>();
        assert_eq!(codes(&padded(MAX_BYTES)), []);
        let read = read_order(&padded(MAX_BYTES + 1));
        assert!(read.order.is_none());
        assert_eq!(read.issues.len(), 1);
        assert_eq!(read.issues[0].code, IssueCode::TooLarge);
        assert_eq!(read.issues[0].message, "The order is larger than 33554432 bytes");
        assert!(
            read.issues[0].hint.as_ref().unwrap().contains("response"),
            "not the hint for an order that is sent"
        );
        // Whether it is JSON is then unknown.
        assert_eq!(codes(&"x".repeat(MAX_BYTES + 1)), [IssueCode::TooLarge]);
        assert_eq!(codes("x"), [IssueCode::BodyNotAnOrder]);
    }
}
