//! The PUT as a value: version, path, headers and body (§4, D38, D39).

use std::fmt;

use crate::check::CheckedOrder;
use crate::code::{IssueCode, Severity};
use crate::guid::Guid;
use crate::issue::{Details, Issue, IssueCollector};
use crate::options::Version;
use crate::order::order;
use crate::order_writer::{DecimalForm, write_order};

/// The headers of every request except Authorization and Host (§4, D39).
pub const HEADERS: [(&str, &str); 2] = [("Accept", "application/json"), ("Content-Type", "application/json")];

/// A request that is ready to be sent: the caller adds the base URL and the Authorization header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreparedRequest {
    /// The operation.
    pub version: Version,
    /// The id in path and body.
    pub order_id: Guid,
    /// The path relative to the base URL, such as `v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)`.
    pub path: String,
    /// The body: every decimal in plain notation with the digits it was given with (D8).
    pub body: String,
    /// Warnings and notices; there is no request for an order with an error.
    pub issues: Vec<Issue>,
}

impl PreparedRequest {
    /// The method: PUT creates the order at the identifier that the caller generated (§1).
    pub const METHOD: &'static str = "PUT";
}

/// An order that can't be sent, with all the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidOrder {
    /// The order's own Id, if it has one that can be read.
    pub order_id: Option<Guid>,
    /// All issues; at least one is an error.
    pub issues: Vec<Issue>,
}

impl fmt::Display for InvalidOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut errors = self.issues.iter().filter(|issue| issue.severity == Severity::Error);
        let Some(first) = errors.next() else { return f.write_str("the order can't be sent") };
        write!(f, "{} ({} at \"{}\")", first.message, first.code, first.pointer)?;
        match errors.count() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for InvalidOrder {}

impl CheckedOrder<'_> {
    /// Formats the whole PUT request.
    ///
    /// ```
    /// use sales_order_intake::{ParseMode, Records, RuleOptions, parse};
    ///
    /// let options = RuleOptions::default();
    /// let checked = parse("{}", ParseMode::Send(Records::Strict)).check(&options);
    /// assert!(checked.request().unwrap_err().issues.iter().any(|issue| issue.pointer == "/Id"));
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOrder`] with all issues if one is an error; a missing Id is one here, even if the parse mode allows
    /// it.
    pub fn request(&self) -> Result<PreparedRequest, InvalidOrder> {
        if let Some(request) = self.request_without_issues() {
            return Ok(PreparedRequest { issues: self.issues(), ..request });
        }
        let mut issues = self.issues.snapshot();
        if let (Some(records), None) = (self.valid_records(), self.order_id) {
            issues.report_absent(records.root().raw(), &order::ID, IssueCode::Missing, &Details::default);
        }
        Err(InvalidOrder { order_id: self.order_id, issues: issues.finish() })
    }

    /// Returns the request, without issues; `None` if an issue of the order or of its totals is an error. The totals can have
    /// one of their own: an amount that does not fit.
    pub(crate) fn request_after_preview(&self, issues: &IssueCollector<'_>) -> Option<PreparedRequest> {
        if issues.has_error() { None } else { self.request_without_issues() }
    }

    /// Returns `None` if an issue is an error, or the order has no Id.
    pub(crate) fn request_without_issues(&self) -> Option<PreparedRequest> {
        let (records, order_id) = (self.valid_records()?, self.order_id?);
        Some(PreparedRequest {
            version: self.options.version,
            order_id,
            path: request_path(self.options.version, order_id),
            body: write_order(records, DecimalForm::Number),
            issues: Vec::new(),
        })
    }
}

/// Returns the path of an order relative to the base URL: the id in the D form, no quotes, nothing escaped (§4, D38).
///
/// ```
/// use sales_order_intake::{Version, request_path};
///
/// let id = "2A8F5D33EEC948648B495636577B40D5".parse()?;
/// assert_eq!(request_path(Version::V3, id), "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// # Ok::<(), sales_order_intake::ParseGuidError>(())
/// ```
#[must_use]
pub fn request_path(version: Version, order_id: Guid) -> String {
    let mut path = String::with_capacity(55);
    path.push_str(version.as_str());
    path.push_str("/ServiceOrder(");
    order_id.push_to(&mut path);
    path.push(')');
    path
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{Records, RuleOptions};
    use crate::parse::{ParseMode, parse};

    #[test]
    fn a_cart_without_id_gives_no_request_and_reports_the_missing_id() {
        let cart = r#"{
            "CompanyId": 1, "EntityId": 2, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
            "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 1 }]
        }"#;
        let options = RuleOptions::default();
        let checked = parse(cart, ParseMode::Preview(Records::Strict)).check(&options);
        assert!(checked.is_ok());
        let error = checked.request().unwrap_err();
        assert_eq!(error.issues.len(), 1);
        assert_eq!((error.issues[0].code, &*error.issues[0].pointer), (IssueCode::Missing, "/Id"));
    }
}
