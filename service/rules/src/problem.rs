//! Errors as RFC 9457 problem details, with the issues of the order (D29).

use http::header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use http::{HeaderName, HeaderValue, Response, StatusCode};
use serde::Serialize;

use sales_order_intake::{Issue, IssueCode, Params};

use crate::http_response::respond;

/// The response to a failed request. Contains nothing of the order and nothing of the token (D45).
#[derive(Debug)]
pub struct Problem {
    problem_type: ProblemType,
    pub(crate) detail: String,
    issues: Vec<Issue>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

macro_rules! problem_types {
    ($($variant:ident $name:literal $status:ident $title:literal;)*) => {
        /// The type of a problem. Decides its status and title.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum ProblemType { $(#[doc = $title] $variant),* }

        impl ProblemType {
            /// All types.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// Returns the last part of the URN.
            pub fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            /// Finds a type by the last part of the URN.
            #[must_use]
            pub fn of_name(name: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|each| each.name() == name)
            }

            /// Returns the status of its responses.
            #[must_use]
            pub fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),* }
            }

            fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),* }
            }
        }
    };
}

problem_types! {
    InvalidOrder "invalid-order" BAD_REQUEST "The order is invalid";
    BadRequest "bad-request" BAD_REQUEST "The request is not valid HTTP";
    Unauthenticated "unauthenticated" UNAUTHORIZED "The token is missing or unknown";
    Forbidden "forbidden" FORBIDDEN "The token does not allow this";
    NotFound "not-found" NOT_FOUND "Not found";
    MethodNotAllowed "method-not-allowed" METHOD_NOT_ALLOWED "Method not allowed";
    NotAcceptable "not-acceptable" NOT_ACCEPTABLE "No acceptable media type";
    SlowRequest "slow-request" REQUEST_TIMEOUT "The request took too long";
    BrokenBody "broken-body" BAD_REQUEST "The body is incomplete";
    Conflict "conflict" CONFLICT "Another order has this Id";
    TooLarge "too-large" PAYLOAD_TOO_LARGE "The body is too large";
    WrongHost "wrong-host" MISDIRECTED_REQUEST "Nothing is served under this host name";
    UnsupportedMediaType "unsupported-media-type" UNSUPPORTED_MEDIA_TYPE "Unsupported media type";
    UnknownFault "unknown-fault" BAD_REQUEST "The requested fault is unknown";
    LargeHeaders "large-headers" REQUEST_HEADER_FIELDS_TOO_LARGE "The headers are too large";
    RateLimited "rate-limited" TOO_MANY_REQUESTS "Too many requests";
    Internal "internal" INTERNAL_SERVER_ERROR "Internal error";
    Unavailable "unavailable" SERVICE_UNAVAILABLE "Temporarily unavailable";
    CrossSite "cross-site" FORBIDDEN "Another site sent the request";
    InvalidQuery "invalid-query" BAD_REQUEST "The query is invalid";
    InvalidHeader "invalid-header" BAD_REQUEST "A header is invalid";
    InvalidBody "invalid-body" BAD_REQUEST "The body is invalid";
    WrongState "wrong-state" CONFLICT "The state of the order does not permit this";
    Refused "refused" UNPROCESSABLE_ENTITY "The service has refused the order";
    Stalled "stalled" CONFLICT "The relay has given up on the order";
    Cancelled "cancelled" CONFLICT "The order was cancelled";
}

impl ProblemType {
    /// The types that only the relay of the command line has. It repeats a refusal with the status that the
    /// service gave.
    pub const OF_RELAY: &[Self] = &[
        Self::CrossSite,
        Self::InvalidQuery,
        Self::InvalidHeader,
        Self::InvalidBody,
        Self::WrongState,
        Self::Refused,
        Self::Stalled,
        Self::Cancelled,
    ];
}

#[derive(Serialize)]
struct ProblemBody<'p> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'p str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<ProblemIssue<'p>>,
}

#[derive(Serialize)]
struct ProblemIssue<'p> {
    pointer: &'p str,
    code: IssueCode,
    detail: &'p str,
    #[serde(skip_serializing_if = "Option::is_none")]
    params: Option<&'p Params>,
}

impl Problem {
    /// Creates a problem without issues. `detail` must contain nothing of the order and nothing of the token.
    pub fn new(problem_type: ProblemType, detail: impl Into<String>) -> Self {
        Self { problem_type, detail: detail.into(), issues: Vec::new(), headers: Vec::new() }
    }

    /// Reports all issues of an order, including warnings and notices; their codes imply the severity.
    pub fn invalid_order(issues: Vec<Issue>) -> Self {
        let detail = "The order has errors; `errors` lists all its issues.";
        Self { issues, ..Self::new(ProblemType::InvalidOrder, detail) }
    }

    /// Returns true if an order has errors.
    #[must_use]
    pub fn is_invalid_order(&self) -> bool {
        self.problem_type == ProblemType::InvalidOrder
    }

    /// Reports a missing or wrong token. `detail` must not contain any part of the credentials.
    pub fn unauthenticated(detail: &str) -> Self {
        Self::new(ProblemType::Unauthenticated, detail).with_header(WWW_AUTHENTICATE, "Bearer")
    }

    /// Makes a browser ask for a password.
    #[must_use]
    pub fn and_ask_for_password(mut self) -> Self {
        self.headers.retain(|(name, _)| name != WWW_AUTHENTICATE);
        self.with_header(WWW_AUTHENTICATE, r#"Basic realm="relay", charset="UTF-8""#)
    }

    /// Reports a path that does not exist.
    #[must_use]
    pub fn path_not_found() -> Self {
        Self::new(ProblemType::NotFound, "This path does not exist.")
    }

    /// Reports that the store can take no order now.
    #[must_use]
    pub fn not_ready() -> Self {
        Self::new(ProblemType::Unavailable, "Orders cannot be stored.")
    }

    /// Reports a method that the path does not have. `allow`: those that it has.
    #[must_use]
    pub fn method_not_allowed(allow: &'static str) -> Self {
        let detail = ["Allowed methods: ", allow, "."].concat();
        Self::new(ProblemType::MethodNotAllowed, detail).with_header(ALLOW, allow)
    }

    /// Closes the connection after the response, because the body was not read to its end.
    pub fn and_close(self) -> Self {
        self.with_header(CONNECTION, "close")
    }

    /// Asks the client to wait before it sends the request again.
    #[must_use]
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.headers.push((RETRY_AFTER, seconds.into()));
        self
    }

    fn with_header(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }

    /// Returns the whole response.
    pub fn response(self) -> Response<String> {
        let status = self.problem_type.status();
        let errors = self.issues.iter().map(|issue| ProblemIssue {
            pointer: &issue.pointer,
            code: issue.code,
            detail: &issue.message,
            params: Some(&issue.params).filter(|params| params.iter().next().is_some()),
        });
        let body = ProblemBody {
            r#type: ["urn:sales-order-intake:problem:", self.problem_type.name()].concat(),
            title: self.problem_type.title(),
            status: status.as_u16(),
            detail: &self.detail,
            errors: errors.collect(),
        };
        // Serializing strings and numbers cannot fail.
        let json = serde_json::to_string(&body).unwrap_or_default();
        let mut response = respond(status, [(CONTENT_TYPE, "application/problem+json")], json);
        response.headers_mut().extend(self.headers);
        response
    }
}
