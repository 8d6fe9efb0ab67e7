//! An order request (§4), from its head to its response. It is checked in this order: path, injected fault,
//! method, token, Accept, Content-Type, size, order.

use std::sync::Arc;

use http::header::CONTENT_TYPE;
use http::{HeaderMap, Method, Response, StatusCode};
use sales_order_intake::Version;
use time::OffsetDateTime;

use crate::authorization;
use crate::body;
use crate::http_response::respond;
use crate::injected_fault::{Faults, Injection, inject};
use crate::intake::{Rejection, accept};
use crate::media_type::MediaType;
use crate::new_order::{Inserted, NewOrder};
use crate::operation::Operation;
use crate::problem::{Problem, ProblemType};
use crate::registry::{Grant, Registry};
use crate::replay::{Outcome, SentOrder, StoredOrder};

/// The head of a request.
#[derive(Clone, Copy)]
pub struct Head<'r> {
    /// Any token: most are rejected.
    pub method: &'r Method,
    /// The path below the base path, escaped as it was sent.
    pub path: &'r str,
    /// All headers.
    pub headers: &'r HeaderMap,
}

/// A request after its head was checked.
pub struct CheckedHead {
    /// `None` if the path is not one of an operation.
    pub operation: Option<Operation>,
    /// The fault that is injected. It may delay what is next, or lose it.
    pub injection: Option<Injection>,
    /// The request, whose body comes next; or the response.
    pub next: Result<AcceptedHead, Response<String>>,
}

/// The head of a request of a known sender for an operation. Its body comes next.
pub struct AcceptedHead {
    operation: Operation,
    grant: Arc<Grant>,
    /// The registry that lists the token.
    registry: Arc<Registry>,
    media_type: MediaType,
    max_body_bytes: usize,
}

/// What the store has to do before there is a response.
pub struct Task {
    /// The path of the request.
    pub operation: Operation,
    /// What is compared with the stored order that has the Id, if there is one.
    pub sent: SentOrder,
    /// The order to store, unless its Id is taken; or the problem of an order that is refused now, but that
    /// another registry may have allowed: it is only looked up.
    pub order: Result<NewOrder, Problem>,
    /// The media type of the response.
    pub media_type: MediaType,
}

/// Checks the head of a request, and injects a fault if one is due.
pub fn check_head(
    head: Head<'_>,
    registry: &Arc<Registry>,
    max_body_bytes: usize,
    faults: &mut Faults<'_>,
    now: OffsetDateTime,
) -> CheckedHead {
    let operation = match Operation::of_path(head.path) {
        Ok(operation) => operation,
        Err(problem) => {
            return CheckedHead { operation: None, injection: None, next: Err(problem.response()) };
        }
    };
    // Most requests get no fault, so their tokens are not checked twice.
    let is_authenticated = || authorization::identify(head.headers, registry, now).is_ok();
    let (injection, next) = match inject(faults, head, is_authenticated, now) {
        Err(unknown_fault) => (None, Err(unknown_fault.response())),
        Ok((injection, Some(response))) => (injection, Err(response)),
        Ok((injection, None)) => {
            let grant = || authorization::identify(head.headers, registry, now);
            (
                injection,
                accept_head(operation, head, registry, grant, max_body_bytes).map_err(Problem::response),
            )
        }
    };
    CheckedHead { operation: Some(operation), injection, next }
}

/// Checks the head of a request for an operation. `grant` identifies its sender.
pub(crate) fn accept_head(
    operation: Operation,
    head: Head<'_>,
    registry: &Arc<Registry>,
    grant: impl FnOnce() -> Result<Arc<Grant>, Problem>,
    max_body_bytes: usize,
) -> Result<AcceptedHead, Problem> {
    if head.method != Method::PUT {
        return Err(Problem::method_not_allowed("PUT"));
    }
    let grant = grant()?;
    let media_type = MediaType::of_response(head.headers)?;
    body::check_headers(head.headers, max_body_bytes)?;
    Ok(AcceptedHead { operation, grant, registry: Arc::clone(registry), media_type, max_body_bytes })
}

impl AcceptedHead {
    /// The version in the path.
    #[must_use]
    pub const fn version(&self) -> Version {
        self.operation.version
    }

    /// Checks the order, and returns what the store has to do for it.
    ///
    /// # Errors
    /// Returns the problem of a body that is too large, of an order that is invalid whatever the registry
    /// says, or of one that the token does not cover.
    pub fn receive(&self, body: &[u8], now: OffsetDateTime) -> Result<Task, Problem> {
        let json = body::checked(body, self.max_body_bytes)?;
        let (sent, order) = match accept(json, self.operation, &self.registry, &self.grant, now) {
            Ok(order) => (order.sent(), Ok(order)),
            Err(Rejection { problem, sent: Some(sent) }) => (sent, Err(problem)),
            Err(Rejection { problem, sent: None }) => return Err(problem),
        };
        Ok(Task { operation: self.operation, sent, order, media_type: self.media_type })
    }
}

/// Returns the result of an order that the store was to store.
#[must_use]
pub fn outcome_of_put(sent: SentOrder, inserted: Inserted) -> Outcome {
    match inserted {
        Inserted::New(body) => Outcome::Created(body),
        Inserted::Existing(stored) => sent.compare(stored),
    }
}

/// Returns the result of an order that is refused now: a replay, or `None` if its problem is the response.
#[must_use]
pub fn outcome_of_find(sent: SentOrder, stored: Option<StoredOrder>) -> Option<Outcome> {
    stored.map(|stored| sent.compare(stored)).filter(|outcome| matches!(outcome, Outcome::Replayed(_)))
}

impl Outcome {
    /// Returns the response: 201 if the order is new, 200 if it is the stored one (D27).
    ///
    /// # Errors
    /// Returns the problem of a conflict. It is the same whichever company has the Id (D49).
    pub fn response(self, media_type: MediaType) -> Result<Response<String>, Problem> {
        let (status, body) = match self {
            Self::Created(body) => (StatusCode::CREATED, body),
            Self::Replayed(body) => (StatusCode::OK, body),
            Self::Conflict | Self::ConflictAcrossCompanies { .. } => {
                let detail = "A different order with this Id is already stored; it was not changed.";
                return Err(Problem::new(ProblemType::Conflict, detail));
            }
        };
        Ok(respond(status, [(CONTENT_TYPE, media_type.content_type())], body))
    }
}

/// Returns the problem of an order that the store could not store or look up. `is_permanent`: the order or
/// its location is the cause, so that it would fail again.
#[must_use]
pub fn not_stored(is_permanent: bool) -> Problem {
    if is_permanent {
        let detail = "This order cannot be stored; sending it again does not help.";
        return Problem::new(ProblemType::Internal, detail);
    }
    // The order may have been stored nevertheless; sending it again is always safe (D28).
    Problem::new(ProblemType::Unavailable, "The order could not be stored; send it again.").retry_after(1)
}
