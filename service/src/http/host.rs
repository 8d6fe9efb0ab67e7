//! Serves pages only under host names that cannot belong to somebody else.

use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::uri::Authority;
use axum::middleware::Next;
use axum::response::Response;
use service_rules::host;

use super::Failure;
use crate::state::AppState;

/// Rejects a request with another host than `localhost`, an IP address or one that the settings allow.
pub(super) async fn check(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Result<Response, Failure> {
    let target = request.uri().authority().map(Authority::as_str);
    let advice = "Use localhost or an IP address, or start the service with --allow-host.";
    host::check(target, request.headers(), &app.allowed_hosts, advice)?;
    Ok(next.run(request).await)
}
