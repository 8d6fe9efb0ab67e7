//! Accepts connections up to a limit, serves them with time limits, and shuts down gracefully.
//!
//! hyper is called directly because `axum::serve` has no time limit for headers or silent connections and no limit on the
//! number of connections.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, Response};
use hyper::body::Incoming;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;

use super::http;
use super::injected_fault::DropConnection;
use super::lingering::LingeringStream;
use super::registry::Registry;
use super::settings::{Limits, Settings};
use super::state::AppState;
use super::store::{Store, StoreCounters, StoreError};

/// A service that listens and is ready to run.
///
/// ```
/// use sales_order_intake::service::{Registry, Server, Settings};
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
/// server.run(async { /* returns when the service is to stop */ }).await;
/// # std::fs::remove_file(file)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// # })?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Server {
    listener: TcpListener,
    app: Arc<AppState>,
    router: Router,
    limits: Limits,
    grace: Duration,
}

/// The reason why a service did not start.
#[derive(Debug)]
pub struct StartError(Cause);

#[derive(Debug)]
enum Cause {
    Listen(SocketAddr, io::Error),
    Store(StoreError),
}

impl Server {
    /// Opens the database, applies new migrations and binds the address. Connections wait until [`run`](Self::run).
    ///
    /// # Errors
    /// Returns [`StartError`] if the database cannot be opened or the address cannot be bound.
    pub async fn start(settings: &Settings, registry: Registry) -> Result<Self, StartError> {
        let counters = StoreCounters::default();
        let store = Store::open(&settings.database, settings.database_connections, counters.clone()).await;
        let store = store.map_err(|error| StartError(Cause::Store(error)))?;
        let listener = listen(settings.address, settings.limits.connections);
        let listener = listener.map_err(|error| StartError(Cause::Listen(settings.address, error)))?;
        let app = Arc::new(AppState::new(settings, registry, store, &counters));
        let router = http::router(Arc::clone(&app), settings);
        Ok(Self { listener, app, router, limits: settings.limits, grace: settings.grace })
    }

    /// Returns the address that the service listens on.
    ///
    /// # Errors
    /// Returns the error of the operating system if it does not know the address.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop` completes, then finishes running requests for at most the grace period of the settings.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let connections = GracefulShutdown::new();
        let permits = Arc::new(Semaphore::new(self.limits.connections.min(Semaphore::MAX_PERMITS)));
        let mut stop = std::pin::pin!(stop);
        loop {
            let accept = async {
                // The semaphore is never closed.
                let permit = Arc::clone(&permits).acquire_owned().await;
                (permit, self.listener.accept().await)
            };
            let (permit, accepted) = tokio::select! {
                accepted = accept => accepted,
                () = &mut stop => break,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Most likely there are no file descriptors left; some will soon be free again.
                    tracing::warn!(%error, "connection not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let connection = connection(stream, &self, connections.watcher());
            let app = Arc::clone(&self.app);
            tokio::spawn(async move {
                app.metrics.connection_opened();
                connection.await;
                app.metrics.connection_closed();
                drop(permit);
            });
        }
        // From here on, the system refuses new connections.
        drop(self.listener);
        tracing::info!(connections = connections.count(), "stopping");
        if tokio::time::timeout(self.grace, connections.shutdown()).await.is_err() {
            tracing::warn!("some requests did not finish in time");
        }
        self.app.store.clone().close().await;
    }
}

/// Binds the address with a backlog as large as the number of connections. With the 128 of the standard library, some
/// connections of a burst are dropped, and those clients notice only by their own time-outs.
fn listen(address: SocketAddr, backlog: usize) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // As TcpListener::bind does: a restart does not wait for connections of the previous process.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(u32::try_from(backlog).unwrap_or(4096))
}

/// Serves one connection, HTTP/1.1 or HTTP/2, until it ends, is too slow, or the server shuts down.
fn connection(
    stream: TcpStream,
    server: &Server,
    watcher: Watcher,
) -> impl Future<Output = ()> + Send + use<> {
    let (router, limits) = (server.router.clone(), server.limits);
    let has_request = Arc::new(AtomicBool::new(false));
    // Responses are small; they are sent at once.
    let _ = stream.set_nodelay(true);
    let mut builder = auto::Builder::new(TokioExecutor::new());
    builder.http1().timer(TokioTimer::new()).header_read_timeout(limits.header_time).max_buf_size(64 << 10);
    builder
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(64)
        .max_header_list_size(16 << 10)
        .keep_alive_interval(limits.body_time)
        .keep_alive_timeout(limits.header_time);
    let received = Arc::clone(&has_request);
    let serve = hyper::service::service_fn(move |request: Request<Incoming>| {
        received.store(true, Ordering::Relaxed);
        respond(router.clone(), request)
    });
    async move {
        let served = builder.serve_connection(TokioIo::new(LingeringStream::new(stream)), serve).into_owned();
        let served = watcher.watch(served);
        // hyper has no time limit for the bytes that distinguish HTTP/1.1 from HTTP/2.
        let silent = async {
            tokio::time::sleep(limits.header_time).await;
            if has_request.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            result = served => if let Err(error) = result {
                tracing::debug!(%error, "connection ended early");
            },
            () = silent => tracing::debug!("connection sent no request"),
        }
    }
}

/// Returns the response, or an error if a fault drops the connection.
async fn respond(router: Router, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let router = TowerToHyperService::new(router);
    let Ok(response) = hyper::service::Service::call(&router, request.map(Body::new)).await;
    match response.extensions().get::<DropConnection>() {
        Some(DropConnection) => Err(io::Error::other("dropped by an injected fault")),
        None => Ok(response),
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Cause::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}
