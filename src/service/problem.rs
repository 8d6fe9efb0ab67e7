//! Errors as RFC 9457 problem details, with the issues of the core (D29).

use axum::http::header::{ALLOW, CONNECTION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;

use crate::code::IssueCode;
use crate::issue::Issue;

/// Why a request was not done. Holds nothing of the order and nothing of the token (D45).
#[derive(Debug)]
pub(crate) struct Problem {
    kind: Kind,
    detail: String,
    issues: Vec<Issue>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

macro_rules! kinds {
    ($($variant:ident $name:literal $status:ident $title:literal;)*) => {
        /// What kind of problem it is: the last part of its type, and its status.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Kind { $($variant),* }

        impl Kind {
            /// Every kind: the OpenAPI document is held against them.
            #[cfg(test)]
            pub(crate) const ALL: &[Self] = &[$(Self::$variant),*];

            pub(crate) fn name(self) -> &'static str {
                match self { $(Self::$variant => $name),* }
            }

            pub(crate) fn status(self) -> StatusCode {
                match self { $(Self::$variant => StatusCode::$status),* }
            }

            fn title(self) -> &'static str {
                match self { $(Self::$variant => $title),* }
            }
        }
    };
}

kinds! {
    InvalidOrder "invalid-order" BAD_REQUEST "The order can't be created";
    Unauthenticated "unauthenticated" UNAUTHORIZED "No token that is known here";
    Forbidden "forbidden" FORBIDDEN "The token is not for this";
    NotFound "not-found" NOT_FOUND "Nothing is here";
    MethodNotAllowed "method-not-allowed" METHOD_NOT_ALLOWED "The method is not allowed here";
    NotAcceptable "not-acceptable" NOT_ACCEPTABLE "No media type that is accepted";
    SlowBody "slow-body" REQUEST_TIMEOUT "The body took too long";
    BrokenBody "broken-body" BAD_REQUEST "The body could not be read";
    Conflict "conflict" CONFLICT "Another order has this id";
    TooLarge "too-large" PAYLOAD_TOO_LARGE "The body is too large";
    UnsupportedMediaType "unsupported-media-type" UNSUPPORTED_MEDIA_TYPE "The body is of another media type";
    RateLimited "rate-limited" TOO_MANY_REQUESTS "Too many requests";
    Internal "internal" INTERNAL_SERVER_ERROR "The service failed";
    Unavailable "unavailable" SERVICE_UNAVAILABLE "The service can't do this now";
}

#[derive(Serialize)]
struct Body<'p> {
    r#type: String,
    title: &'static str,
    status: u16,
    detail: &'p str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<BodyIssue<'p>>,
}

#[derive(Serialize)]
struct BodyIssue<'p> {
    pointer: &'p str,
    code: IssueCode,
    detail: String,
}

impl Problem {
    pub(crate) fn new(kind: Kind, detail: impl Into<String>) -> Self {
        Self { kind, detail: detail.into(), issues: Vec::new(), headers: Vec::new() }
    }

    /// All issues of an order, warnings too: the code says which is which.
    pub(crate) fn invalid(issues: Vec<Issue>) -> Self {
        let detail = "The order has errors; `errors` lists all there is to say about it.";
        Self { issues, ..Self::new(Kind::InvalidOrder, detail) }
    }

    /// `detail` says what is the matter with the credentials, in words without any of them.
    pub(crate) fn unauthenticated(detail: &str) -> Self {
        Self::new(Kind::Unauthenticated, detail).with(WWW_AUTHENTICATE, "Bearer")
    }

    pub(crate) fn method_not_allowed(allow: &'static str) -> Self {
        Self::new(Kind::MethodNotAllowed, ["Only ", allow, " is allowed here."].concat()).with(ALLOW, allow)
    }

    /// After what could not be read to its end the connection is of no more use.
    pub(crate) fn and_close(self) -> Self {
        self.with(CONNECTION, "close")
    }

    pub(crate) fn retry_after(self, seconds: &'static str) -> Self {
        self.with(RETRY_AFTER, seconds)
    }

    fn with(mut self, name: HeaderName, value: &'static str) -> Self {
        self.headers.push((name, HeaderValue::from_static(value)));
        self
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.kind.status();
        let errors = self.issues.iter().map(|issue| BodyIssue {
            pointer: &issue.pointer,
            code: issue.code,
            detail: match &issue.hint {
                Some(hint) => [&issue.message, "; ", hint].concat(),
                None => issue.message.clone(),
            },
        });
        let body = Body {
            r#type: ["urn:sales-order-intake:problem:", self.kind.name()].concat(),
            title: self.kind.title(),
            status: status.as_u16(),
            detail: &self.detail,
            errors: errors.collect(),
        };
        // Nothing in it can fail to be serialized.
        let text = serde_json::to_string(&body).unwrap_or_default();
        let mut response = (status, [(CONTENT_TYPE, "application/problem+json")], text).into_response();
        response.headers_mut().extend(self.headers);
        response
    }
}
