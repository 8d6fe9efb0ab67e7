//! `PUT {base}/v2/ServiceOrder({orderId})` and `PUT {base}/v3/ServiceOrder({orderId})` (§4): gives the rules
//! what they ask for, and logs what they decide.

use std::sync::Arc;
use std::time::Instant;

use crate::demo::requests::RecentRequest;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::EXPECT;
use axum::response::{IntoResponse as _, Response};
use service_rules::injected_fault::{Faults, Injection, Lost};
use service_rules::operation::Operation;
use service_rules::order_request::{
    AcceptedHead, CheckedHead, Head, Task, check_head, not_stored, outcome_of_find, outcome_of_put,
};
use service_rules::problem::Problem;
use service_rules::replay::Outcome;
use time::OffsetDateTime;
use tokio::time::sleep;

use super::receive_body::{discard, receive};
use crate::response::response;
use crate::state::AppState;
use crate::store::StoreError;

/// Marks a response that is never sent; the connection is closed instead.
#[derive(Clone, Copy)]
pub(crate) struct DropConnection;

/// Logs the request if it is dropped before its response: the client has disconnected, or the service is
/// stopping.
struct Unfinished(Option<Operation>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(Operation { version, id }) = self.0 {
            tracing::warn!(version = version.as_str(), order = %id, "order request ended without a response");
        }
    }
}

/// Responds to a request, measures it and logs it. The only member of the order in the log is its
/// Id (D45).
pub(super) async fn respond(State(app): State<Arc<AppState>>, request: Request) -> Response {
    let started = Instant::now();
    // A method can be any token.
    let method = app.recent_requests.as_ref().map(|_| request.method().as_str().chars().take(20).collect());
    let CheckedHead { operation, injection, next } = checked_head(&app, &request);
    let mut unfinished = Unfinished(operation);
    let is_lost = injection.as_ref().and_then(Injection::loses);
    let waits_to_send = request.headers().contains_key(EXPECT);
    let mut body = request.into_body();
    let response = match next {
        Err(response) => response.map(Body::from),
        Ok(_) if is_lost == Some(Lost::Request) => Response::default(),
        Ok(accepted) => {
            let stored = store(&app, &accepted, &mut body).await;
            stored.unwrap_or_else(response)
        }
    };
    // Reading asks a client that waits for 100 Continue to send its body.
    if !waits_to_send {
        discard(body).await;
    }
    if let Some(injection) = injection.filter(|injection| !injection.delay.is_zero()) {
        sleep(injection.delay).await;
    }
    unfinished.0 = None;
    let (status, duration) = (response.status().as_u16(), started.elapsed());
    if let (Some(requests), Some(method)) = (&app.recent_requests, method) {
        requests.add(RecentRequest {
            time: OffsetDateTime::now_utc(),
            method,
            version: operation.map(|operation| operation.version),
            order_id: operation.map(|operation| operation.id),
            status: is_lost.is_none().then_some(status),
            fault: injection.map(|injection| injection.to_string()),
            milliseconds: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        });
    }
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    match operation {
        Some(Operation { version, id }) => {
            tracing::info!(version = version.as_str(), order = %id, status, micros, "order request");
        }
        None => tracing::info!(status, micros, "request to an unknown path"),
    }
    if is_lost.is_some() { (axum::Extension(DropConnection), response).into_response() } else { response }
}

fn checked_head(app: &AppState, request: &Request) -> CheckedHead {
    let path = request.uri().path();
    let head = Head { method: request.method(), path, headers: request.headers() };
    let mut outage = app.outage();
    let mut faults = Faults {
        settings: app.settings.faults.as_ref(),
        scripted: None,
        random: &random_below_one_million,
        outage: *outage,
    };
    let limit = app.settings.limits.body_bytes;
    let checked = check_head(head, &app.registry, limit, &mut faults, OffsetDateTime::now_utc());
    *outage = faults.outage;
    checked
}

/// Receives and stores an order. Responds with 201 if it is new, 200 if it is a replay, and a problem
/// otherwise.
async fn store(app: &AppState, accepted: &AcceptedHead, body: &mut Body) -> Result<Response, Problem> {
    let bytes = receive(body, &app.settings.limits).await?;
    let Task { operation, sent, order, media_type } = accepted.receive(&bytes, OffsetDateTime::now_utc())?;
    drop(bytes);
    let outcome = match order {
        Ok(order) => outcome_of_put(sent, app.store.commits.put(order).await.map_err(log)?),
        Err(problem) => {
            outcome_of_find(sent, app.store.find(operation.id).await.map_err(log)?).ok_or(problem)?
        }
    };
    if let Outcome::ConflictAcrossCompanies { sent, stored } = outcome {
        // Only the operator learns which company has the id (D49).
        tracing::warn!(order = %operation.id, company = sent, stored, "another company has stored an order with this id");
    }
    Ok(outcome.response(media_type)?.map(Body::from))
}

fn log(error: StoreError) -> Problem {
    tracing::error!(%error, "order not stored");
    not_stored(error.is_permanent())
}

/// Returns `None` if the platform has no secure random source.
fn random_below_one_million() -> Option<u32> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    u32::try_from(u64::from_le_bytes(bytes) % 1_000_000).ok()
}
