//! Starts the service, accepts connections up to a limit, and shuts down gracefully within the grace period.
//!
//! Connections beyond the limit wait in the system's queue.
//!
//! Our own loop, because `axum::serve` has no time limit for headers, and its handlers can't close a connection
//! instead of responding, as injected faults do. It does not defend the service against clients that do not read:
//! that is up to a proxy.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use thiserror::Error;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tower::ServiceExt as _;

use super::http::{self, DropConnection};
use super::settings::{Limits, Settings};
use super::state::AppState;
use super::store::Store;
use service_rules::registry::Registry;

/// How long to wait after the system could not accept a connection.
const ACCEPT_INTERVAL: Duration = Duration::from_secs(1);

/// The time for stopped connections to end.
const ABORT_TIME: Duration = Duration::from_millis(200);

/// A service that listens and is ready to run.
///
/// ```
/// use sales_order_intake_service::{Registry, Server, Settings};
///
/// # tokio::runtime::Runtime::new()?.block_on(async {
/// let file = std::env::temp_dir().join(format!("orders-of-an-example-{}.sqlite", std::process::id()));
/// let settings = Settings {
///     address: ([127, 0, 0, 1], 0).into(),
///     database: format!("sqlite:{}", file.display()),
///     ..Settings::default()
/// };
/// let server = Server::start(&settings, Registry::default()).await?;
/// println!("http://{}", server.address()?);
/// server.run(async { /* returns when the service is to stop */ }).await?;
/// # std::fs::remove_file(file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    listener: TcpListener,
    app: Arc<AppState>,
    router: Router,
}

/// The reason why a service did not start.
#[derive(Debug, Error)]
#[error("{0}")]
pub struct StartError(String);

/// The error of a service that cannot store orders any more: the thread that commits them has panicked.
///
/// The process should end, so that it can be restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("the thread that commits orders has panicked; restart the service")]
pub struct RunError;

impl Server {
    /// Opens the database, creates its tables if they are missing, and binds the address. Connections wait until
    /// [`run`](Self::run).
    ///
    /// ```
    /// # use sales_order_intake_service::{Registry, Server, Settings};
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let file = std::env::temp_dir().join(format!("start-{}.sqlite", std::process::id()));
    /// # let database = format!("sqlite:{}", file.display());
    /// let settings = Settings { address: ([127, 0, 0, 1], 0).into(), database, ..Settings::default() };
    /// let server = Server::start(&settings, Registry::default()).await?;
    /// server.run(std::future::ready(())).await?; // stops at once
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`StartError`] if the database cannot be opened, or the address cannot be bound.
    pub async fn start(settings: &Settings, registry: Registry) -> Result<Self, StartError> {
        let store = Store::open(&settings.database, settings.database_connections).await;
        let store = store.map_err(|error| StartError(error.to_string()))?;
        let address = settings.address;
        let listener = listen(address, settings.limits.connections)
            .map_err(|error| StartError(format!("cannot listen on {address}: {error}")))?;
        let app = Arc::new(AppState::new(settings.clone(), registry, store));
        let router = http::router(Arc::clone(&app));
        Ok(Self { listener, app, router })
    }

    /// Returns the address that the service listens on.
    ///
    /// ```
    /// # use sales_order_intake_service::{Registry, Server, Settings};
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let file = std::env::temp_dir().join(format!("address-{}.sqlite", std::process::id()));
    /// # let database = format!("sqlite:{}", file.display());
    /// let settings = Settings { address: ([127, 0, 0, 1], 0).into(), database, ..Settings::default() };
    /// let server = Server::start(&settings, Registry::default()).await?;
    /// assert_ne!(server.address()?.port(), 0); // the system has chosen one
    /// # server.run(std::future::ready(())).await?;
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns the error of the operating system if it does not know the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    pub(crate) fn registry(&self) -> &Registry {
        &self.app.registry
    }

    /// Serves until `stop` completes, then finishes running requests and commits. The grace period of the
    /// settings limits both together; what is not finished by then is logged.
    ///
    /// ```
    /// # use sales_order_intake_service::{Registry, Server, Settings};
    /// # tokio::runtime::Runtime::new()?.block_on(async {
    /// # let file = std::env::temp_dir().join(format!("run-{}.sqlite", std::process::id()));
    /// # let database = format!("sqlite:{}", file.display());
    /// let settings = Settings { address: ([127, 0, 0, 1], 0).into(), database, ..Settings::default() };
    /// let server = Server::start(&settings, Registry::default()).await?;
    /// server.run(async { /* for example tokio::signal::ctrl_c() */ }).await?;
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// # })?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`RunError`] if orders cannot be stored any more.
    pub async fn run(self, stop: impl Future<Output = ()>) -> Result<(), RunError> {
        let mut connections = JoinSet::new();
        let (stop_all, stopping) = watch::channel(());
        let result = self.accept(&mut connections, &stopping, stop).await;
        let stopped = Instant::now();
        // From here on, the system refuses new connections.
        drop(self.listener);
        stop_all.send_replace(());
        let grace = self.app.settings.grace;
        finish(connections, grace.saturating_sub(time_to_close(grace))).await;
        let rest = grace.saturating_sub(stopped.elapsed());
        if timeout(rest, self.app.store.clone().close()).await.is_err() {
            tracing::error!(
                "the database did not finish in time; orders without a response may or may not be stored"
            );
        }
        result
    }

    /// Accepts connections until `stop` completes.
    async fn accept(
        &self,
        connections: &mut JoinSet<()>,
        stopping: &watch::Receiver<()>,
        stop: impl Future<Output = ()>,
    ) -> Result<(), RunError> {
        let limits = self.app.settings.limits;
        let mut stop = std::pin::pin!(stop);
        let mut broken = std::pin::pin!(self.app.store.commits.ended());
        loop {
            let has_room = connections.len() < limits.connections;
            tokio::select! {
                () = &mut stop => return Ok(()),
                () = &mut broken => {
                    tracing::error!(error = %RunError, "stopping");
                    return Err(RunError);
                }
                // Also if it has panicked.
                Some(_) = connections.join_next() => {}
                accepted = self.listener.accept(), if has_room => match accepted {
                    Ok((stream, _)) => {
                        connections.spawn(serve(stream, self.router.clone(), limits, stopping.clone()));
                    }
                    // Nearly always, there are no file descriptors left.
                    Err(error) => {
                        tracing::warn!(%error, "connection not accepted");
                        sleep(ACCEPT_INTERVAL).await;
                    }
                }
            }
        }
    }
}

/// Serves a connection, HTTP/1.1 or HTTP/2, until it ends. When `stop` changes, it ends after its requests.
async fn serve(stream: TcpStream, router: Router, limits: Limits, mut stop: watch::Receiver<()>) {
    // Responses are small, so they are sent without waiting for more data.
    let _ = stream.set_nodelay(true);
    // The time for headers begins with their first byte.
    let mut first = [0];
    let has_begun = tokio::select! {
        peeked = timeout(limits.header_time, stream.peek(&mut first)) => matches!(peeked, Ok(Ok(1))),
        _ = stop.changed() => false,
    };
    if !has_begun {
        return;
    }
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.header_time).max_buf_size(64 << 10);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(64)
        .max_header_list_size(16 << 10)
        .keep_alive_interval(limits.body_time)
        .keep_alive_timeout(limits.header_time);
    let service = service_fn(|request| respond(router.clone(), request));
    let mut connection = std::pin::pin!(builder.serve_connection(TokioIo::new(stream), service));
    loop {
        tokio::select! {
            result = connection.as_mut() => {
                if let Err(error) = result {
                    tracing::debug!(%error, "connection ended early");
                }
                return;
            }
            Ok(()) = stop.changed() => connection.as_mut().graceful_shutdown(),
        }
    }
}

/// Returns the response, or an error if a fault drops the connection.
async fn respond(router: Router, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let Ok(response) = router.oneshot(request.map(Body::new)).await;
    match response.extensions().get::<DropConnection>() {
        Some(DropConnection) => Err(io::Error::other("dropped by an injected fault")),
        None => Ok(response),
    }
}

/// Finishes running requests for at most this time, then closes all connections.
async fn finish(mut connections: JoinSet<()>, time: Duration) {
    tracing::info!(connections = connections.len(), "stopping");
    if timeout(time, async { while connections.join_next().await.is_some() {} }).await.is_err() {
        tracing::warn!(connections = connections.len(), "stopped before these were finished");
        // Dropping the requests logs each of them.
        let _ = timeout(ABORT_TIME, connections.shutdown()).await;
    }
}

/// Returns the part of the grace period that is reserved for closing the database.
fn time_to_close(grace: Duration) -> Duration {
    (grace / 5).min(Duration::from_secs(2))
}

/// Binds the address with a backlog as large as the number of connections. With the 128 of the standard
/// library, some connections of a burst are dropped, and those clients notice only by their own time-outs.
fn listen(address: SocketAddr, backlog: usize) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // As TcpListener::bind does: a restart does not wait for connections of the previous process.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(u32::try_from(backlog).unwrap_or(4096))
}
