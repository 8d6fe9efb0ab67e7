//! Connections: accepted up to a limit, served with time limits, finished before a stop.

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

use super::fault::Dropped;
use super::http;
use super::lingering::Lingering;
use super::registry::Registry;
use super::settings::{Limits, Settings};
use super::state::Service;
use super::store::{Store, StoreError};

/// A service that is ready to take orders.
pub struct Server {
    listener: TcpListener,
    service: Arc<Service>,
    router: Router,
    limits: Limits,
    grace: Duration,
}

/// Why a service did not start.
#[derive(Debug)]
pub struct StartError(Cause);

#[derive(Debug)]
enum Cause {
    Listen(SocketAddr, io::Error),
    Store(StoreError),
}

impl Server {
    /// Opens the database, brings its schema up to date and binds the address; from here on connections wait.
    ///
    /// # Errors
    /// Where the database can't be opened or the address can't be bound.
    pub async fn start(settings: &Settings, registry: Registry) -> Result<Self, StartError> {
        let store = Store::open(&settings.database, settings.database_connections).await;
        let store = store.map_err(|error| StartError(Cause::Store(error)))?;
        let listener = listen(settings.address, settings.limits.connections);
        let listener = listener.map_err(|error| StartError(Cause::Listen(settings.address, error)))?;
        let service = Arc::new(Service::new(settings, registry, store));
        let router = http::router(Arc::clone(&service), settings);
        Ok(Self { listener, service, router, limits: settings.limits, grace: settings.grace })
    }

    /// The address that is listened on.
    ///
    /// # Errors
    /// Where the system does not know it.
    pub fn address(&self) -> io::Result<SocketAddr> {
        self.listener.local_addr()
    }

    /// Serves until `stop`, then finishes what is in flight, within the grace of the settings.
    pub async fn run(self, stop: impl Future<Output = ()>) {
        let connections = GracefulShutdown::new();
        let places = Arc::new(Semaphore::new(self.limits.connections));
        let mut stop = std::pin::pin!(stop);
        loop {
            let accept = async {
                // Closed it is never.
                let place = Arc::clone(&places).acquire_owned().await;
                (place, self.listener.accept().await)
            };
            let (place, accepted) = tokio::select! {
                accepted = accept => accepted,
                () = &mut stop => break,
            };
            let stream = match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of file descriptors, most likely: some will be free again soon.
                    tracing::warn!(%error, "a connection was not accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            };
            let connection = connection(stream, &self, connections.watcher());
            let metrics = Arc::clone(&self.service);
            tokio::spawn(async move {
                metrics.metrics.connections.inc();
                connection.await;
                metrics.metrics.connections.dec();
                drop(place);
            });
        }
        // Nobody new; the system tells them.
        drop(self.listener);
        tracing::info!(connections = connections.count(), "stopping");
        if tokio::time::timeout(self.grace, connections.shutdown()).await.is_err() {
            tracing::warn!("some requests were not finished in time");
        }
        self.service.store.clone().close().await;
    }
}

/// Listens with room for as many connections to wait as are served: with the 128 of the standard library a burst of
/// callers loses some, who learn of it only by their own time-outs.
fn listen(address: SocketAddr, waiting: usize) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4()? } else { TcpSocket::new_v6()? };
    // As TcpListener::bind does: a restart need not wait for connections of the process before.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    socket.listen(u32::try_from(waiting).unwrap_or(4096))
}

/// Serves one connection, HTTP/1.1 or HTTP/2, until it is done, too slow or told to finish.
fn connection(
    stream: TcpStream,
    server: &Server,
    watcher: Watcher,
) -> impl Future<Output = ()> + Send + use<> {
    let (router, limits) = (server.router.clone(), server.limits);
    let begun = Arc::new(AtomicBool::new(false));
    // Answers are small: they must not wait for more.
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
    let first = Arc::clone(&begun);
    let serve = hyper::service::service_fn(move |request: Request<Incoming>| {
        first.store(true, Ordering::Relaxed);
        answer(router.clone(), request)
    });
    async move {
        let served = builder.serve_connection(TokioIo::new(Lingering::new(stream)), serve).into_owned();
        let served = watcher.watch(served);
        // hyper has no limit for the bytes that tell HTTP/1 from HTTP/2.
        let silent = async {
            tokio::time::sleep(limits.header_time).await;
            if begun.load(Ordering::Relaxed) {
                std::future::pending::<()>().await;
            }
        };
        tokio::select! {
            result = served => if let Err(error) = result {
                tracing::debug!(%error, "a connection ended early");
            },
            () = silent => tracing::debug!("a connection was silent"),
        }
    }
}

/// An answer, or none where a fault drops the connection.
async fn answer(router: Router, request: Request<Incoming>) -> io::Result<Response<Body>> {
    let router = TowerToHyperService::new(router);
    let Ok(response) = hyper::service::Service::call(&router, request.map(Body::new)).await;
    match response.extensions().get::<Dropped>() {
        Some(Dropped) => Err(io::Error::other("dropped on demand")),
        None => Ok(response),
    }
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Listen(address, error) => write!(f, "{address} can't be listened on: {error}"),
            Cause::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}
