//! Receives the body of an order request; refuses one that is too large, too slow or incomplete.

use std::time::Duration;

use axum::body::{Body, Bytes};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use service_rules::body::too_large;
use service_rules::problem::{Problem, ProblemType};
use tokio::time::timeout;

use crate::settings::Limits;

/// The maximum size of what is discarded of a body, in bytes.
const MAX_DISCARDED: usize = 16 << 20;
/// The time in which it must arrive.
const DISCARD_TIME: Duration = Duration::from_secs(1);

/// Receives the whole body within its time.
pub(super) async fn receive(body: &mut Body, limits: &Limits) -> Result<Bytes, Problem> {
    let received = timeout(limits.body_time, Limited::new(body, limits.body_bytes).collect()).await;
    let received = received.map_err(|_| {
        let detail = format!("The body must arrive within {} seconds.", limits.body_time.as_secs());
        Problem::new(ProblemType::SlowRequest, detail).and_close()
    })?;
    let body = received.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
        Some(_) => too_large(limits.body_bytes),
        None => Problem::new(ProblemType::BrokenBody, "The body ended early.").and_close(),
    })?;
    Ok(body.to_bytes())
}

/// Receives what is left of a body, and discards it. A connection that is closed while its client is still
/// sending is reset by the system, and the client may lose the response.
pub(super) async fn discard(body: Body) {
    let mut rest = Limited::new(body, MAX_DISCARDED);
    let _ = timeout(DISCARD_TIME, async { while let Some(Ok(_)) = rest.frame().await {} }).await;
}
