//! `PUT {base}/v2/ServiceOrder({orderId})` and `PUT {base}/v3/ServiceOrder({orderId})` (§4).

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;

use super::body::OrderBody;
use super::media_type::ResponseType;
use super::operation::Operation;
use crate::auth::{Caller, Forbidden};
use crate::intake::{self, Rejection};
use crate::metrics::OrderOutcome;
use crate::problem::{Problem, ProblemType};
use crate::replay::{Repeated, SentOrder, StoredOrder};
use crate::state::AppState;
use crate::store::{Inserted, StoreError};
use sales_order_intake::{Guid, Issue, IssueCode};

/// Stores an order. Responds with 201 if it is new, 200 if it is a replay, and a problem otherwise.
pub(super) async fn put_order(
    State(app): State<Arc<AppState>>,
    Operation { version, id }: Operation,
    Caller { grant, registry }: Caller,
    ResponseType(media_type): ResponseType,
    OrderBody { bytes, memory }: OrderBody,
) -> Result<Response, Problem> {
    let json = std::str::from_utf8(&bytes).map_err(|_| not_utf8())?;
    let accepted = intake::accept(json, version, id, &registry, &grant, Timestamp::now());
    drop(bytes);
    let (outcome, response) = match accepted {
        Ok(order) => {
            let sent = order.sent();
            // The order takes about as much memory as its body did.
            match app.store.put(order, memory).await.map_err(|error| not_stored(&error))? {
                Inserted::New(body) => (OrderOutcome::Created, Ok((StatusCode::CREATED, body))),
                Inserted::Existing(stored) => repeated(id, sent, stored),
            }
        }
        Err(Rejection::Invalid { issues, sent: Some(sent) }) => {
            let stored = app.store.find(id).await.map_err(|error| not_stored(&error))?;
            match stored.map(|stored| sent.compare(stored)) {
                Some(Repeated::Replay(body)) => replayed(body),
                _ => return Err(Problem::invalid_order(issues)),
            }
        }
        Err(rejection) => return Err(rejection.into()),
    };
    app.metrics.count_order(version.as_str(), outcome);
    let (status, body) = response?;
    Ok((status, [(CONTENT_TYPE, media_type.content_type())], body).into_response())
}

type Answer = (OrderOutcome, Result<(StatusCode, String), Problem>);

/// Returns the response to an order whose Id is taken.
fn repeated(id: Guid, sent: SentOrder, stored: StoredOrder) -> Answer {
    match sent.compare(stored) {
        Repeated::Replay(body) => replayed(body),
        Repeated::Conflict => (OrderOutcome::Conflict, Err(conflict())),
        Repeated::ConflictAcrossCompanies { stored } => {
            // Only the operator learns which company has the id; the response is the same as for its own order (D49).
            tracing::warn!(order = %id, company = sent.company, stored, "another company has stored an order with this id");
            (OrderOutcome::ConflictAcrossCompanies, Err(conflict()))
        }
    }
}

fn replayed(body: String) -> Answer {
    (OrderOutcome::Replayed, Ok((StatusCode::OK, body)))
}

/// Rejects every other method. If the path is not an operation, the extractor responds with 404 instead.
pub(super) async fn other_method(_: Operation) -> Problem {
    Problem::method_not_allowed("PUT")
}

fn not_stored(error: &StoreError) -> Problem {
    tracing::error!(%error, "order not stored");
    if error.is_permanent() {
        let detail = "This order cannot be stored; sending it again does not help.";
        return Problem::new(ProblemType::Internal, detail);
    }
    // The order may have been stored nevertheless; sending it again is always safe (D28).
    Problem::new(ProblemType::Unavailable, "The order could not be stored; send it again.").retry_after(1)
}

fn conflict() -> Problem {
    let detail = "A different order with this Id is already stored; it was not changed.";
    Problem::new(ProblemType::Conflict, detail)
}

fn not_utf8() -> Problem {
    let message = "The order is not JSON: it is not valid UTF-8".to_owned();
    Problem::invalid_order(vec![Issue::from_service(IssueCode::NotJson, Vec::new(), message)])
}

impl From<Rejection> for Problem {
    fn from(rejection: Rejection) -> Self {
        match rejection {
            Rejection::Forbidden(Forbidden { member }) => {
                let detail = format!("The token does not cover the {member} of this order.");
                Self::new(ProblemType::Forbidden, detail)
            }
            Rejection::Invalid { issues, .. } => Self::invalid_order(issues),
        }
    }
}
