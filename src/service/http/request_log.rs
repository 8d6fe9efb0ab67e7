//! Log and metrics of order requests.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::fault;
use super::operation::Operation;
use crate::service::problem::Problem;
use crate::service::state::AppState;

/// Runs a request, measures it, counts it and logs it. The only member of the order in the log is its Id (D45).
pub(super) async fn record(
    State(app): State<Arc<AppState>>,
    operation: Result<Operation, Problem>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    // Not a second middleware, because each one allocates for every request.
    let response = fault::run(&app, request, next).await.into_response();
    let (status, duration) = (response.status().as_u16(), started.elapsed());
    app.metrics.count_request(status, duration);
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    match operation {
        Ok(Operation { version, id }) => {
            tracing::info!(version = version.as_str(), order = %id, status, micros, "order request");
        }
        Err(_) => tracing::info!(status, micros, "request to an unknown path"),
    }
    response
}
