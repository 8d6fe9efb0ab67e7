//! Log and metrics of order requests.

use std::sync::Arc;
use std::time::Instant;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use jiff::Timestamp;

use super::fault::{self, DropConnection};
use crate::demo::requests::RecentRequest;
use crate::problem::Problem;
use crate::rules::injected_fault::InjectedFault;
use crate::rules::operation::Operation;
use crate::state::AppState;

/// Logs the request if it is dropped before its response: the client has disconnected, or the service is stopping.
struct Unfinished(Option<Operation>);

impl Drop for Unfinished {
    fn drop(&mut self) {
        if let Some(Operation { version, id }) = self.0 {
            tracing::warn!(version = version.as_str(), order = %id, "order request ended without a response");
        }
    }
}

/// Runs a request, measures it, counts it and logs it. The only member of the order in the log is its Id (D45).
pub(super) async fn record(
    State(app): State<Arc<AppState>>,
    operation: Result<Operation, Problem>,
    request: Request,
    next: Next,
) -> Response {
    let started = Instant::now();
    // A method can be any token.
    let method = app.recent_requests.as_ref().map(|_| request.method().as_str().chars().take(20).collect());
    let mut unfinished = Unfinished(operation.as_ref().ok().copied());
    let response = match &operation {
        // Not a second middleware, because each one allocates for every request.
        Ok(_) => fault::run(&app, request, next).await.into_response(),
        Err(_) => next.run(request).await,
    };
    unfinished.0 = None;
    let (status, duration) = (response.status().as_u16(), started.elapsed());
    app.metrics.count_request(status, duration);
    if let (Some(requests), Some(method)) = (&app.recent_requests, method) {
        let extensions = response.extensions();
        requests.add(RecentRequest {
            time: Timestamp::now().to_string(),
            method,
            version: operation.as_ref().ok().map(|operation| operation.version),
            order_id: operation.as_ref().ok().map(|operation| operation.id),
            status: extensions.get::<DropConnection>().is_none().then_some(status),
            fault: extensions.get::<InjectedFault>().map(InjectedFault::to_string),
            milliseconds: u64::try_from(duration.as_millis()).unwrap_or(u64::MAX),
        });
    }
    let micros = u64::try_from(duration.as_micros()).unwrap_or(u64::MAX);
    match operation {
        Ok(Operation { version, id }) => {
            tracing::info!(version = version.as_str(), order = %id, status, micros, "order request");
        }
        Err(_) => tracing::info!(status, micros, "request to an unknown path"),
    }
    response
}
