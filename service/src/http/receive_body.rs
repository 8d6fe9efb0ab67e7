//! Receives the body of an order request; refuses one that is too large, too slow or incomplete.

use std::sync::Arc;

use axum::body::{Body, Bytes};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use service_rules::body::too_large;
use service_rules::problem::{Problem, ProblemType};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::settings::Limits;

/// A complete body, and its share of the memory for all bodies, which is released when the permit is dropped.
type Received = (Bytes, OwnedSemaphorePermit);

/// Receives the whole body within its time.
pub(super) async fn receive(
    body: Body,
    limits: &Limits,
    memory: &Arc<Semaphore>,
) -> Result<Received, Problem> {
    let received = collect(body, limits.body_bytes, memory);
    timeout(limits.body_time, received).await.unwrap_or_else(|_| {
        let detail = format!("The body must arrive within {} seconds.", limits.body_time.as_secs());
        Err(Problem::new(ProblemType::SlowRequest, detail).and_close())
    })
}

/// Takes memory for what has arrived, not for what was announced.
async fn collect(body: Body, max_bytes: usize, memory: &Arc<Semaphore>) -> Result<Received, Problem> {
    let mut body = Limited::new(body, max_bytes);
    let mut permit = take(memory, 0)?;
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
            Some(_) => too_large(max_bytes),
            None => Problem::new(ProblemType::BrokenBody, "The body ended early.").and_close(),
        })?;
        // Trailers are ignored.
        let Ok(data) = frame.into_data() else { continue };
        permit.merge(take(memory, data.len())?);
        // Most bodies arrive in one piece, which is not copied.
        if first.is_empty() && all.is_empty() {
            first = data;
        } else {
            all.extend_from_slice(&std::mem::take(&mut first));
            all.extend_from_slice(&data);
        }
    }
    Ok((if all.is_empty() { first } else { all.into() }, permit))
}

fn take(memory: &Arc<Semaphore>, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
    let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
    Arc::clone(memory).try_acquire_many_owned(permits).map_err(|_| {
        let detail = "Too many bodies are being received; send the order again.";
        Problem::new(ProblemType::Unavailable, detail).retry_after(1).and_close()
    })
}
