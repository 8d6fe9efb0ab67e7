//! Injects faults into order requests.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use tokio::time::sleep;

use crate::service::injected_fault::{DropConnection, InjectedFault};
use crate::service::problem::Problem;
use crate::service::state::AppState;

/// Runs the request. If faults are on, injects the requested fault, or a random one.
pub(super) async fn run(app: &AppState, request: Request, next: Next) -> Result<Response, Problem> {
    let fault = match &app.faults {
        Some(faults) => faults.choose(request.headers())?,
        None => None,
    };
    if let Some(problem) = fault.and_then(InjectedFault::problem) {
        return Err(problem);
    }
    match fault {
        Some(InjectedFault::Latency(latency)) => {
            sleep(latency).await;
            Ok(next.run(request).await)
        }
        Some(InjectedFault::Drop) => Ok(drop_connection(Body::empty().into_response())),
        Some(InjectedFault::DropAfter) => Ok(drop_connection(next.run(request).await)),
        _ => Ok(next.run(request).await),
    }
}

fn drop_connection(mut response: Response) -> Response {
    response.extensions_mut().insert(DropConnection);
    response
}
