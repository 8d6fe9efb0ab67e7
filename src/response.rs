//! The order in a response, read tolerantly (D26).

use crate::code::IssueCode;
use crate::issue::{FoundIssue, Issue, IssueCollector};
use crate::json::{self, DecimalForm};
use crate::order::{FromRecord as _, ReceivedOrder};
use crate::order_writer::write_order;
use crate::parse::parse_response;
use crate::record::RecordSet;

/// The content of a response body.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OrderRead {
    /// The created order; `None` if the body has none.
    pub order: Option<ReceivedOrder>,
    /// What could not be read, as warnings.
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
    let (order, issues) = read_with(body, |records| ReceivedOrder::from_record(records.root()));
    OrderRead { order: order.flatten(), issues: issues.into_iter().map(Issue::from).collect() }
}

/// Reads the order as JSON with decimals as strings.
pub fn read_order_json(body: &str) -> (Option<String>, Vec<FoundIssue<'_>>) {
    read_with(body, |records| write_order(records, DecimalForm::String))
}

fn read_with<T>(body: &str, result: impl FnOnce(&RecordSet<'_>) -> T) -> (Option<T>, Vec<FoundIssue<'_>>) {
    let body = json::without_bom(body);
    let only = |code| {
        let mut issues = IssueCollector::new(body);
        issues.report(body, code);
        (None, issues.sorted())
    };
    if body.trim().is_empty() {
        return only(IssueCode::BodyEmpty);
    }
    let parsed = parse_response(body);
    match &parsed.records {
        Some(records) => (Some(result(records)), parsed.issues.sorted()),
        None => only(IssueCode::BodyNotAnOrder),
    }
}
