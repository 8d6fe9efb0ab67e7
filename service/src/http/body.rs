//! The body of an order request: rejects one that is too large, too slow, compressed or of another media type.

use std::sync::Arc;

use axum::body::{Body, Bytes, HttpBody as _};
use axum::extract::{FromRequest, Request};
use http_body_util::{BodyExt as _, LengthLimitError, Limited};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::problem::{Problem, ProblemType};
use crate::rules::media_type::check_content;
use crate::settings::Limits;
use crate::state::AppState;

/// A complete body.
pub(super) struct OrderBody {
    pub(super) bytes: Bytes,
    /// The body's share of the memory for all bodies; released when this is dropped.
    pub(super) memory: OwnedSemaphorePermit,
}

impl FromRequest<Arc<AppState>> for OrderBody {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &Arc<AppState>) -> Result<Self, Problem> {
        check_content(request.headers())?;
        let limits = &app.limits;
        // The lower bound is Content-Length, if the request has one.
        let announced = request.body().size_hint().lower();
        if announced > u64::try_from(limits.body_bytes).unwrap_or(u64::MAX) {
            return Err(too_large(limits));
        }
        let body = receive(request.into_body(), limits, &app.body_memory);
        timeout(limits.body_time, body).await.unwrap_or_else(|_| {
            let detail = format!("The body must arrive within {} seconds.", limits.body_time.as_secs());
            Err(Problem::new(ProblemType::SlowBody, detail).and_close())
        })
    }
}

/// Receives the whole body. Takes memory for what has arrived, not for what was announced.
async fn receive(body: Body, limits: &Limits, memory: &Arc<Semaphore>) -> Result<OrderBody, Problem> {
    let mut body = Limited::new(body, limits.body_bytes);
    let mut permit = take(memory, 0)?;
    let mut first = Bytes::new();
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
            Some(_) => too_large(limits),
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
    Ok(OrderBody { bytes: if all.is_empty() { first } else { all.into() }, memory: permit })
}

fn take(memory: &Arc<Semaphore>, bytes: usize) -> Result<OwnedSemaphorePermit, Problem> {
    let permits = u32::try_from(bytes).unwrap_or(u32::MAX);
    Arc::clone(memory).try_acquire_many_owned(permits).map_err(|_| {
        let detail = "Too many bodies are being received; send the order again.";
        Problem::new(ProblemType::Unavailable, detail).retry_after(1).and_close()
    })
}

fn too_large(limits: &Limits) -> Problem {
    let detail = format!("The body must not exceed {} bytes.", limits.body_bytes);
    Problem::new(ProblemType::TooLarge, detail).and_close()
}
