//! The PUT as a value: version, path, headers and body (§4, D38, D39).

#[cfg(feature = "http")]
mod to_http;

use std::fmt;

use crate::code::Severity;
use crate::guid::Guid;
use crate::issue::Issue;
use crate::options::Version;
use crate::order_writer::body_of;
use crate::record::RecordSet;

const JSON: &str = "application/json";

/// The headers of every request except Authorization and Host (§4, D39).
pub const HEADERS: [(&str, &str); 2] = [("Accept", JSON), ("Content-Type", JSON)];

#[cfg(feature = "http")]
pub use to_http::ToHttpError;

/// A request that is ready to be sent: the caller adds the base URL and the Authorization header. With the feature `http`,
/// `to_http` makes the whole `http::Request`.
#[derive(Clone, PartialEq, Eq)]
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

impl fmt::Debug for PreparedRequest {
    /// Prints no personal data (D45), and only the size of the body.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedRequest")
            .field("version", &self.version)
            .field("order_id", &self.order_id)
            .field("path", &self.path)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .field("issues", &self.issues)
            .finish()
    }
}

/// An order that can't be sent, with all the reasons. Displays the first error; each issue displays itself.
///
/// ```
/// use sales_order_intake::{RuleOptions, prepare_request};
///
/// let invalid = prepare_request(r#"{ "CompanyId": 0 }"#, &RuleOptions::default()).unwrap_err();
/// let reasons: Vec<_> = invalid.issues.iter().map(|issue| issue.to_string()).collect();
/// assert_eq!(reasons[1], "error at /CompanyId: CompanyId must be between 1 and 2147483647");
/// ```
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

impl PreparedRequest {
    /// Formats the request of an order that has no error. The caller adds the issues.
    pub(crate) fn new(version: Version, order_id: Guid, records: &RecordSet<'_>) -> Self {
        let path = request_path(version, order_id);
        let body = body_of(records).into_owned();
        Self { version, order_id, path, body, issues: Vec::new() }
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
    path_pieces(version, &order_id.into_string()).concat()
}

/// Returns the pieces of the path; `id` is in the D form.
#[must_use]
pub fn path_pieces(version: Version, id: &str) -> [&str; 4] {
    [version.as_str(), "/ServiceOrder(", id, ")"]
}
