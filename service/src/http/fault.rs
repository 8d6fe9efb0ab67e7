//! Injects faults into order requests.

use std::time::Instant;

use axum::body::Body;
use axum::extract::Request;
use axum::http::Method;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tokio::time::sleep;

use super::caller::Caller;
use crate::problem::Problem;
use crate::rules::injected_fault::{FaultSettings, HEADER, InjectedFault, outage};
use crate::state::AppState;

/// Marks a response that is never sent; the connection is closed instead.
#[derive(Clone, Copy)]
pub(crate) struct DropConnection;

/// Runs the request. If faults are on, injects the requested fault, or a random one, into a PUT with a valid token, and
/// marks the response with it.
pub(super) async fn run(app: &AppState, request: Request, next: Next) -> Result<Response, Problem> {
    let fault = match &app.faults {
        // The handler rejects other methods and tokens.
        Some(faults) if is_possible(faults, &request) && is_authenticated(app, &request) => {
            faults.choose(request.headers())?
        }
        _ => None,
    };
    if let Some(InjectedFault::DownUntil(length)) = fault {
        app.outage.start(Instant::now(), length);
    }
    if let Some(rest) = app.outage.rest(Instant::now()) {
        return Ok(marked(outage::problem(rest).into_response(), InjectedFault::DownUntil(rest)));
    }
    match fault {
        Some(fault) => Ok(marked(inject(fault, request, next).await, fault)),
        None => Ok(next.run(request).await),
    }
}

async fn inject(fault: InjectedFault, request: Request, next: Next) -> Response {
    if let Some(problem) = fault.problem() {
        return problem.into_response();
    }
    match fault {
        InjectedFault::Latency(latency) => {
            sleep(latency).await;
            next.run(request).await
        }
        InjectedFault::Drop => drop_connection(Body::empty().into_response()),
        InjectedFault::DropAfter => drop_connection(next.run(request).await),
        _ => next.run(request).await,
    }
}

fn marked(mut response: Response, fault: InjectedFault) -> Response {
    response.extensions_mut().insert(fault);
    response
}

fn drop_connection(mut response: Response) -> Response {
    response.extensions_mut().insert(DropConnection);
    response
}

/// Returns false for most requests without a fault, so that their tokens are not checked twice.
fn is_possible(faults: &FaultSettings, request: &Request) -> bool {
    request.method() == Method::PUT && (request.headers().contains_key(HEADER) || !faults.rates.is_empty())
}

fn is_authenticated(app: &AppState, request: &Request) -> bool {
    Caller::identify(request.headers(), request.extensions(), app).is_ok()
}
