//! `PUT {base}/v2/ServiceOrder({orderId})` and `PUT {base}/v3/ServiceOrder({orderId})` (§4).

use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;

use super::body::OrderBody;
use super::caller::Caller;
use super::extract::ResponseType;
use crate::metrics::OrderOutcome;
use crate::problem::Problem;
use crate::rules::operation::Operation;
use crate::rules::put_order::{OrderRequest, Outcome, Task, not_stored, outcome_of_put, receive};
use crate::rules::replay::Repeated;
use crate::state::AppState;
use crate::store::StoreError;

/// Stores an order. Responds with 201 if it is new, 200 if it is a replay, and a problem otherwise.
pub(super) async fn put_order(
    State(app): State<Arc<AppState>>,
    operation: Operation,
    Caller { grant, registry }: Caller,
    ResponseType(media_type): ResponseType,
    OrderBody { bytes, memory }: OrderBody,
) -> Result<Response, Problem> {
    let now = Timestamp::now();
    let request = OrderRequest { operation, grant: &grant, registry: &registry, body: &bytes, now };
    let task = receive(&request)?;
    drop(bytes);
    let outcome = match task {
        Task::Put(order) => {
            let sent = order.sent();
            // The order takes about as much memory as its body did.
            outcome_of_put(sent, app.store.put(order, memory).await.map_err(log)?)
        }
        Task::Find(invalid) => invalid.outcome(app.store.find(operation.id).await.map_err(log)?)?,
    };
    app.metrics.count_order(operation.version.as_str(), label(&outcome));
    if let Outcome::Repeated(Repeated::ConflictAcrossCompanies { sent, stored }) = outcome {
        // Only the operator learns which company has the id (D49).
        tracing::warn!(order = %operation.id, company = sent, stored, "another company has stored an order with this id");
    }
    Ok(outcome.response(media_type)?.into_response())
}

/// Rejects every other method. If the path is not an operation, the extractor responds with 404 instead.
pub(super) async fn other_method(_: Operation) -> Problem {
    Problem::method_not_allowed("PUT")
}

fn log(error: StoreError) -> Problem {
    tracing::error!(%error, "order not stored");
    not_stored(error.is_permanent())
}

fn label(outcome: &Outcome) -> OrderOutcome {
    match outcome {
        Outcome::Created(_) => OrderOutcome::Created,
        Outcome::Repeated(Repeated::Replay(_)) => OrderOutcome::Replayed,
        Outcome::Repeated(Repeated::Conflict) => OrderOutcome::Conflict,
        Outcome::Repeated(Repeated::ConflictAcrossCompanies { .. }) => OrderOutcome::ConflictAcrossCompanies,
    }
}
