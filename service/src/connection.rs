//! Serves one connection, HTTP/1.1 or HTTP/2, and closes it if it is without a request for too long.
//!
//! Our own code, because `axum::serve` has no time limits: a service that allowed 256 connections accepted no
//! order while 256 clients were connected and sent nothing. hyper limits only the time for the headers of
//! HTTP/1.1. The one limit of this module covers clients that send nothing, are idle, or do not read. If
//! there are too many connections, the limit is a second. In this attack, an order then waits 2 seconds;
//! without that limit, it waits 9 to 61.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::sleep;
use tower::ServiceExt as _;

use super::http::DropConnection;
use super::lingering::LingeringStream;
use super::settings::Limits;

/// How often a connection checks whether it has requests, and the time without one if there are too many
/// connections.
const INTERVAL: Duration = Duration::from_secs(1);

/// The requests of one connection that have no response yet.
#[derive(Default)]
struct Requests {
    running: AtomicUsize,
    /// Whether one has begun or ended since the last check.
    changed: AtomicBool,
}

/// A request without a response. Counts it until it is dropped.
struct Running(Arc<Requests>);

/// Serves a connection until it ends or has had no request for too long. If there are `too_many` connections,
/// that is soon. When `stop` changes, it ends after its requests.
pub(super) async fn serve(
    stream: TcpStream,
    router: Router,
    limits: Limits,
    too_many: Arc<AtomicBool>,
    mut stop: watch::Receiver<()>,
) {
    // Responses are small, so they are sent without waiting for more data.
    let _ = stream.set_nodelay(true);
    let builder = builder(&limits);
    let requests = Arc::new(Requests::default());
    let service =
        hyper::service::service_fn(|request| respond(router.clone(), request, Running::start(&requests)));
    let stream = TokioIo::new(LingeringStream::new(stream));
    let mut connection = std::pin::pin!(builder.serve_connection(stream, service));
    // The first request may take as long as its headers.
    let mut limit = limits.header_time;
    let (mut quiet, mut leaving) = (Duration::ZERO, false);
    loop {
        tokio::select! {
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "connection ended early");
                }
                return;
            }
            Ok(()) = stop.changed() => connection.as_mut().graceful_shutdown(),
            () = sleep(INTERVAL) => {
                if requests.were_active() {
                    (quiet, limit) = (Duration::ZERO, limits.idle_time);
                    continue;
                }
                quiet += INTERVAL;
                if quiet < limit && !too_many.load(Ordering::Relaxed) {
                    continue;
                }
                // It has not ended in the last interval: the client does not read, or refuses a response.
                if leaving {
                    tracing::debug!("connection closed");
                    return;
                }
                leaving = true;
                connection.as_mut().graceful_shutdown();
            }
        }
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

/// Returns the response, or an error if a fault drops the connection.
async fn respond(
    router: Router,
    request: Request<Incoming>,
    _running: Running,
) -> io::Result<Response<Body>> {
    let Ok(response) = router.oneshot(request.map(Body::new)).await;
    match response.extensions().get::<DropConnection>() {
        Some(DropConnection) => Err(io::Error::other("dropped by an injected fault")),
        None => Ok(response),
    }
}

impl Requests {
    /// Returns true if a request is running, or has begun or ended since the last call.
    fn were_active(&self) -> bool {
        self.changed.swap(false, Ordering::Relaxed) || self.running.load(Ordering::Relaxed) > 0
    }
}

impl Running {
    fn start(requests: &Arc<Requests>) -> Self {
        requests.running.fetch_add(1, Ordering::Relaxed);
        requests.changed.store(true, Ordering::Relaxed);
        Self(Arc::clone(requests))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::Relaxed);
        self.0.changed.store(true, Ordering::Relaxed);
    }
}
