//! Issues: what the rules and the preview report about an order, as data.

mod collector;
mod details;
mod found;
mod params;
mod path;

use std::borrow::Cow;
use std::fmt;

use crate::code::{IssueCode, Severity};
use crate::json::json_struct;

pub(crate) use collector::IssueCollector;
pub(crate) use details::Details;
pub(crate) use found::hint_of;
pub use params::{Param, Params};
pub use path::Segment;
pub(crate) use path::{PathSegment, pointer_of, push_escaped};

json_struct! {
    /// One finding about an order.
    ///
    /// Displays as `warning at /Items/3/Name: Name is missing or blank; …`, with the hint in brackets.
    ///
    /// The code is stable and can be matched; message and hint are for people and may change.
    /// Neither contains a value of the order (D45).
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Issue {
        /// What was found; see [`IssueCode`] for all codes.
        pub code: IssueCode => "code",
        /// Whether the issue blocks the request.
        pub severity: Severity => "severity",
        /// The message for a person: the member and what is wrong with it.
        pub message: String => "message",
        /// The location as a JSON Pointer (RFC 6901), such as `/Items/3/Quantity`; empty for the whole order.
        pub pointer: String => "pointer",
        /// The same location as a list of names and indices.
        pub path: Vec<Segment> => "path",
        /// What to do about it, if that is known.
        pub hint: Option<Cow<'static, str>> => "hint" optional,
        /// The values in the message, for messages in other languages; empty if there are none.
        pub params: Params => "params",
    }
}

impl fmt::Display for Issue {
    /// Prints severity, location, message and hint.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let location = if self.pointer.is_empty() { "the order" } else { &self.pointer };
        write!(f, "{} at {location}: {}", self.severity, self.message)?;
        self.hint.iter().try_for_each(|hint| write!(f, " ({hint})"))
    }
}

impl Issue {
    /// Makes an issue that a service reported, with the service's message and without params.
    ///
    /// ```
    /// use sales_order_intake::{Issue, IssueCode, Segment};
    ///
    /// let path = vec![Segment::Member("Items".into()), Segment::Index(3)];
    /// let issue = Issue::from_service(IssueCode::NotAnObject, path, "an item is a number".into());
    /// assert_eq!(issue.pointer, "/Items/3");
    /// ```
    #[must_use]
    pub fn from_service(code: IssueCode, path: Vec<Segment>, message: String) -> Self {
        let segments: Vec<_> = path.iter().map(PathSegment::from).collect();
        let pointer = pointer_of(&segments);
        Self {
            code,
            severity: code.severity(),
            message,
            pointer,
            path,
            hint: None,
            params: Params::default(),
        }
    }
}
