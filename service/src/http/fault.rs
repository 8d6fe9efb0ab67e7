//! Injects faults into order requests.

use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tokio::time::sleep;

use super::caller::Caller;
use crate::problem::Problem;
use crate::rules::injected_fault::{InjectedFault, Injection, inject};
use crate::state::AppState;

/// Marks a response that is never sent; the connection is closed instead.
#[derive(Clone, Copy)]
pub(crate) struct DropConnection;

/// Runs the request, with a fault if one is injected; then the response is marked with it.
pub(super) async fn run(app: &AppState, request: Request, next: Next) -> Result<Response, Problem> {
    let (method, headers) = (request.method(), request.headers());
    let is_authenticated = || Caller::identify(headers, app).is_ok();
    let faults = app.faults.as_ref();
    let injected = inject(faults, &app.outage, method, headers, is_authenticated, Instant::now())?;
    let Some(Injection { fault, response }) = injected else { return Ok(next.run(request).await) };
    let mut response = match (response, fault) {
        (Some(problem), _) => problem.into_response(),
        (None, InjectedFault::Latency(latency)) => {
            sleep(latency).await;
            next.run(request).await
        }
        (None, InjectedFault::Drop) => drop_connection(Body::empty().into_response()),
        (None, InjectedFault::DropAfter) => drop_connection(next.run(request).await),
        (None, _) => next.run(request).await,
    };
    response.extensions_mut().insert(fault);
    Ok(response)
}

fn drop_connection(mut response: Response) -> Response {
    response.extensions_mut().insert(DropConnection);
    response
}
