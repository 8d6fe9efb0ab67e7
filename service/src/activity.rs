//! What a connection is doing. Its time limits depend on this, and so does the choice of the connection to close when there
//! are too many.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::Response;
use hyper::body::{Frame, SizeHint};

/// The requests and responses of one connection, counted. Shared by the connection and its requests.
pub(crate) struct Activity {
    opened: Instant,
    /// The time of the last change, in microseconds since `opened`.
    changed: AtomicU64,
    /// Whether a request has arrived.
    has_request: AtomicBool,
    /// Whether a request had a valid token.
    authenticated: AtomicBool,
    /// Requests without a response.
    handling: AtomicUsize,
    /// Responses that have not been written yet, not even to a buffer.
    responding: AtomicUsize,
}

/// What a connection is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Phase {
    /// For its first request.
    New,
    /// For this service.
    Handling,
    /// For the client, which has to read.
    Responding,
    /// For the next request.
    Idle,
}

impl Activity {
    pub(super) fn new() -> Self {
        Self {
            opened: Instant::now(),
            changed: AtomicU64::new(0),
            has_request: AtomicBool::new(false),
            authenticated: AtomicBool::new(false),
            handling: AtomicUsize::new(0),
            responding: AtomicUsize::new(0),
        }
    }

    pub(super) fn phase(&self) -> Phase {
        if self.handling() > 0 {
            Phase::Handling
        } else if self.responding.load(Ordering::Relaxed) > 0 {
            Phase::Responding
        } else if self.has_request.load(Ordering::Relaxed) {
            Phase::Idle
        } else {
            Phase::New
        }
    }

    /// Returns the number of requests without a response.
    pub(super) fn handling(&self) -> usize {
        self.handling.load(Ordering::Relaxed)
    }

    /// Returns the time of the last request, response, or part of a response.
    pub(super) fn changed(&self) -> Instant {
        self.opened + Duration::from_micros(self.changed.load(Ordering::Relaxed))
    }

    pub(super) fn is_authenticated(&self) -> bool {
        self.authenticated.load(Ordering::Relaxed)
    }

    /// Records that a request had a valid token.
    pub(super) fn authenticate(&self) {
        self.authenticated.store(true, Ordering::Relaxed);
    }

    fn change(&self) {
        let micros = u64::try_from(self.opened.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.changed.store(micros, Ordering::Relaxed);
    }
}

/// A request without a response. Counts it until it is dropped.
pub(super) struct Handling(Arc<Activity>);

/// A response that is not yet written. Counts it until it is dropped.
struct Responding(Arc<Activity>);

/// The body of a response. Counts the response until it is dropped, that is, written or abandoned.
pub(super) struct CountedBody {
    body: Body,
    response: Responding,
}

impl Handling {
    pub(super) fn start(activity: &Arc<Activity>) -> Self {
        activity.handling.fetch_add(1, Ordering::Relaxed);
        activity.has_request.store(true, Ordering::Relaxed);
        activity.change();
        Self(Arc::clone(activity))
    }

    /// Returns the activity of the connection.
    pub(super) fn activity(&self) -> Arc<Activity> {
        Arc::clone(&self.0)
    }

    /// Counts the response instead of the request.
    pub(super) fn respond(self, response: Response<Body>) -> Response<CountedBody> {
        self.0.responding.fetch_add(1, Ordering::Relaxed);
        let responding = Responding(Arc::clone(&self.0));
        response.map(|body| CountedBody { body, response: responding })
    }
}

impl Drop for Handling {
    fn drop(&mut self) {
        self.0.handling.fetch_sub(1, Ordering::Relaxed);
        self.0.change();
    }
}

impl Drop for Responding {
    fn drop(&mut self) {
        // The last part of the response was the last change.
        self.0.responding.fetch_sub(1, Ordering::Relaxed);
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if frame.is_ready() {
            self.response.0.change();
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use axum::body::Body;
    use axum::http::Response;

    use super::{Activity, Handling, Phase};

    #[test]
    fn the_phase_follows_requests_and_responses() {
        let activity = Arc::new(Activity::new());
        assert_eq!(activity.phase(), Phase::New);
        let (one, two) = (Handling::start(&activity), Handling::start(&activity));
        assert_eq!((activity.phase(), activity.handling()), (Phase::Handling, 2));
        drop(one);
        let response = two.respond(Response::new(Body::from("{}")));
        assert_eq!((activity.phase(), activity.handling()), (Phase::Responding, 0));
        drop(response);
        assert_eq!(activity.phase(), Phase::Idle);
    }
}
