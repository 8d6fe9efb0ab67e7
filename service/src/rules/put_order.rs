//! The operation `PUT …/ServiceOrder({orderId})` (§4): a request in, what the store has to do, then the response.

use http::header::CONTENT_TYPE;
use http::{HeaderValue, Response, StatusCode};
use jiff::Timestamp;
use sales_order_intake::{Issue, IssueCode};

use super::authorization::Forbidden;
use super::intake::{Rejection, accept};
use super::media_type::MediaType;
use super::new_order::{Inserted, NewOrder};
use super::operation::Operation;
use super::replay::{Repeated, SentOrder, StoredOrder};
use crate::problem::{Problem, ProblemType};
use crate::registry::{Grant, Registry};

/// A request whose token is known.
pub(crate) struct OrderRequest<'r> {
    pub(crate) operation: Operation,
    pub(crate) grant: &'r Grant,
    pub(crate) registry: &'r Registry,
    pub(crate) body: &'r [u8],
    pub(crate) now: Timestamp,
}

/// What the store has to do before there is a response.
pub(crate) enum Task {
    /// Store the order, unless its Id is taken; then [`outcome_of_put`] decides.
    Put(NewOrder),
    /// Find the order that has the Id; then [`InvalidOrder::outcome`] decides.
    Find(InvalidOrder),
}

/// An order that is invalid now, but that another registry may have allowed.
pub(crate) struct InvalidOrder {
    issues: Vec<Issue>,
    sent: SentOrder,
}

/// The result of an order that is valid, or was when it was stored.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The order is new; its body, with the receipt number.
    Created(String),
    /// Its Id was taken.
    Repeated(Repeated),
}

/// Checks a request, and returns what the store has to do for it.
///
/// # Errors
/// Returns the problem of an order that is invalid, or that the token does not cover.
pub(crate) fn receive(request: &OrderRequest<'_>) -> Result<Task, Problem> {
    let json = std::str::from_utf8(request.body).map_err(|_| not_utf8())?;
    match accept(json, request.operation, request.registry, request.grant, request.now) {
        Ok(order) => Ok(Task::Put(order)),
        Err(Rejection::Invalid { issues, sent: Some(sent) }) => Ok(Task::Find(InvalidOrder { issues, sent })),
        Err(Rejection::Invalid { issues, sent: None }) => Err(Problem::invalid_order(issues)),
        Err(Rejection::Forbidden(Forbidden { member })) => {
            let detail = format!("The token does not cover the {member} of this order.");
            Err(Problem::new(ProblemType::Forbidden, detail))
        }
    }
}

/// Returns the result of an order that the store was to store.
pub(crate) fn outcome_of_put(sent: SentOrder, inserted: Inserted) -> Outcome {
    match inserted {
        Inserted::New(body) => Outcome::Created(body),
        Inserted::Existing(stored) => Outcome::Repeated(sent.compare(stored)),
    }
}

impl InvalidOrder {
    /// Returns the result by the stored order with the Id; `None` if there is none.
    ///
    /// # Errors
    /// Returns the problem with the issues unless the order is the stored one.
    pub(crate) fn outcome(self, stored: Option<StoredOrder>) -> Result<Outcome, Problem> {
        match stored.map(|stored| self.sent.compare(stored)) {
            Some(replay @ Repeated::Replay(_)) => Ok(Outcome::Repeated(replay)),
            _ => Err(Problem::invalid_order(self.issues)),
        }
    }
}

impl Outcome {
    /// Returns the response: 201 if the order is new, 200 if it is the stored one (D27).
    ///
    /// # Errors
    /// Returns the problem of a conflict. It is the same whichever company has the Id (D49).
    pub(crate) fn response(self, media_type: MediaType) -> Result<Response<String>, Problem> {
        let (status, body) = match self {
            Self::Created(body) => (StatusCode::CREATED, body),
            Self::Repeated(Repeated::Replay(body)) => (StatusCode::OK, body),
            Self::Repeated(Repeated::Conflict | Repeated::ConflictAcrossCompanies { .. }) => {
                let detail = "A different order with this Id is already stored; it was not changed.";
                return Err(Problem::new(ProblemType::Conflict, detail));
            }
        };
        let mut response = Response::new(body);
        *response.status_mut() = status;
        let content_type = HeaderValue::from_static(media_type.content_type());
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        Ok(response)
    }
}

/// Returns the problem of an order that the store could not store or look up. `is_permanent`: the order or its location is the
/// cause, so that it would fail again.
pub(crate) fn not_stored(is_permanent: bool) -> Problem {
    if is_permanent {
        let detail = "This order cannot be stored; sending it again does not help.";
        return Problem::new(ProblemType::Internal, detail);
    }
    // The order may have been stored nevertheless; sending it again is always safe (D28).
    Problem::new(ProblemType::Unavailable, "The order could not be stored; send it again.").retry_after(1)
}

fn not_utf8() -> Problem {
    let message = "The order is not JSON: it is not valid UTF-8".to_owned();
    Problem::invalid_order(vec![Issue::from_service(IssueCode::NotJson, Vec::new(), message)])
}
