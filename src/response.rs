//! Reading what a service answered, with tolerance (D26).

use crate::code::IssueCode;
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
    read(body, |written| print(written, Form::Value))
}

fn read<T>(
    body: &str,
    result: impl FnOnce(&crate::written::WrittenOrder<'_>) -> T,
) -> (Option<T>, Vec<Issue>) {
    // Some servers begin their answers with a byte order mark.
    let body = body.strip_prefix('\u{FEFF}').unwrap_or(body);
    let mut issues = Issues::new(body);
    if body.trim().is_empty() {
        issues.at(body, IssueCode::BodyEmpty);
        return (None, issues.finish());
    }
    let order = decode::read_order(body, Reading::Response, false, &mut issues);
    if order.is_none() {
        issues = Issues::new(body);
        issues.at(body, IssueCode::BodyNotAnOrder);
    }
    (order.as_ref().map(result), issues.finish())
}
