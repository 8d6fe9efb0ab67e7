//! Serves one connection, HTTP/1.1 or HTTP/2, within its time limits.
//!
//! hyper is called directly because `axum::serve` has no time limits. hyper itself limits only the time for the headers of
//! HTTP/1.1. The limits for a connection without a request, for an idle one, and for a client that does not read are here.

use std::error::Error;
use std::io::{self, ErrorKind};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::{Instant, sleep_until};

use super::activity::{Activity, CountedBody, Handling, Phase};
use super::http::DropConnection;
use super::lingering::LingeringStream;
use super::metrics::{ClosedReason, Metrics};
use super::settings::Limits;
use super::write_limit::WriteLimited;

/// The time that an idle connection gets to close gracefully.
const LEAVING_TIME: Duration = Duration::from_secs(1);

/// The bounds of the interval between checks of the time limits.
const SHORTEST: Duration = Duration::from_millis(10);
const LONGEST: Duration = Duration::from_secs(60);

/// Whether the server wants a connection to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    No,
    /// After the running requests, however long they take.
    AfterRequests,
    /// After the running requests, but soon.
    Soon,
}

/// Serves a connection until it ends, exceeds a time limit, or `ending` requests its end.
pub(super) async fn serve(
    stream: TcpStream,
    router: Router,
    limits: Limits,
    activity: Arc<Activity>,
    mut ending: watch::Receiver<Ending>,
    metrics: Arc<Metrics>,
) {
    // Responses are small, so they are sent without waiting for more data.
    let _ = stream.set_nodelay(true);
    let stream = WriteLimited::new(LingeringStream::new(stream), limits.write_time);
    let builder = builder(&limits);
    let counted = Arc::clone(&activity);
    let service = hyper::service::service_fn(move |request| {
        respond(router.clone(), request, Handling::start(&counted))
    });
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    let interval = limits.header_time.min(limits.write_time).min(limits.idle_time).clamp(SHORTEST, LONGEST);
    let mut timer = std::pin::pin!(sleep_until(Instant::now() + interval));
    let mut deadline = None;
    loop {
        tokio::select! {
            biased;
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "connection ended early");
                    if is_timeout(&*error) {
                        metrics.count_closed(ClosedReason::NotRead);
                    }
                }
                return;
            }
            Ok(()) = ending.changed() => {
                connection.as_mut().graceful_shutdown();
                if *ending.borrow_and_update() == Ending::Soon {
                    deadline.get_or_insert(Instant::now() + LEAVING_TIME);
                }
            }
            () = timer.as_mut() => {}
        }
        let next = match (time_left(&activity, &limits), deadline) {
            (_, Some(deadline)) if deadline > Instant::now() => deadline,
            // A request that arrived in the meantime is finished.
            (_, Some(_)) if activity.handling() > 0 => Instant::now() + LEAVING_TIME,
            (_, Some(_)) => return,
            (Ok(left), None) => Instant::now() + left.min(interval),
            (Err(reason), None) => {
                tracing::debug!(reason = reason.as_str(), "connection closed");
                metrics.count_closed(reason);
                if reason != ClosedReason::Idle {
                    return;
                }
                connection.as_mut().graceful_shutdown();
                *deadline.insert(Instant::now() + LEAVING_TIME)
            }
        };
        timer.as_mut().reset(next);
    }
}

fn builder(limits: &Limits) -> auto::Builder<TokioExecutor> {
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.header_time).max_buf_size(64 << 10);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(64)
        .max_header_list_size(16 << 10)
        .keep_alive_interval(limits.body_time)
        .keep_alive_timeout(limits.header_time);
    builder
}

/// Returns true if a write took too long (write_limit.rs).
fn is_timeout(error: &(dyn Error + 'static)) -> bool {
    let timed_out = |error: &io::Error| error.kind() == ErrorKind::TimedOut;
    error.downcast_ref().is_some_and(timed_out) || error.source().is_some_and(is_timeout)
}

/// Returns how long the connection may stay as it is, or the reason to close it now.
fn time_left(activity: &Activity, limits: &Limits) -> Result<Duration, ClosedReason> {
    let (limit, reason) = match activity.phase() {
        // The handler has its own limits.
        Phase::Handling => return Ok(Duration::MAX),
        Phase::New => (limits.header_time, ClosedReason::NoRequest),
        Phase::Responding => (limits.write_time, ClosedReason::NotRead),
        Phase::Idle => (limits.idle_time, ClosedReason::Idle),
    };
    limit.checked_sub(activity.changed().elapsed()).filter(|left| !left.is_zero()).ok_or(reason)
}

/// Returns the response, or an error if a fault drops the connection.
async fn respond(
    router: Router,
    request: Request<Incoming>,
    handling: Handling,
) -> io::Result<Response<CountedBody>> {
    let router = TowerToHyperService::new(router);
    let mut request = request.map(Body::new);
    // `Caller::identify` records a valid token in it.
    request.extensions_mut().insert(handling.activity());
    let Ok(response) = hyper::service::Service::call(&router, request).await;
    match response.extensions().get::<DropConnection>() {
        Some(DropConnection) => Err(io::Error::other("dropped by an injected fault")),
        None => Ok(handling.respond(response)),
    }
}
