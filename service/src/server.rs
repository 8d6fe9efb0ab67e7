//! Starts the service, accepts connections up to a limit, and shuts down gracefully within the grace period.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use tokio::net::{TcpListener, TcpSocket};
use tokio::time::{Instant, sleep, timeout};

use super::connection;
use super::connections::{Admission, Connections};
use super::http;
use super::settings::{Limits, Settings};
use super::state::AppState;
use super::store::{Store, StoreCounters, StoreError};
use service_rules::registry::{Registry, SharedRegistry};

/// ENFILE and EMFILE of Unix systems: there are no file descriptors left.
const NO_FILES: [i32; 2] = [23, 24];

/// How often to try again to admit a connection that waits.
const ADMISSION_INTERVAL: Duration = Duration::from_millis(20);

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
    limits: Limits,
    grace: Duration,
}

/// The reason why a service did not start.
#[derive(Debug)]
pub struct StartError(Cause);

/// The error of a service that cannot store orders any more: the thread that commits them has panicked.
///
/// The process should end, so that it can be restarted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunError;

#[derive(Debug)]
enum Cause {
    /// A limit under which the service could not work.
    Limits(&'static str),
    Listen(SocketAddr, io::Error),
    Store(StoreError),
}

impl Server {
    /// Opens the database, applies new migrations and binds the address. Connections wait until [`run`](Self::run).
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
    /// Returns [`StartError`] if a limit allows no request, the database cannot be opened, or the address cannot be bound.
    pub async fn start(settings: &Settings, registry: Registry) -> Result<Self, StartError> {
        settings.limits.check().map_err(|error| StartError(Cause::Limits(error)))?;
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

    /// Returns a handle that replaces the registry.
    pub(crate) fn registry(&self) -> SharedRegistry {
        self.app.registry.clone()
    }

    /// Serves until `stop` completes, then finishes running requests and commits. The grace period of the settings limits
    /// both together; what is not finished by then is logged.
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
        let mut connections = Connections::new(self.limits, Arc::clone(&self.app.metrics));
        let result = self.accept(&mut connections, stop).await;
        let stopped = Instant::now();
        // From here on, the system refuses new connections.
        drop(self.listener);
        connections.shut_down(self.grace.saturating_sub(time_to_close(self.grace))).await;
        let rest = self.grace.saturating_sub(stopped.elapsed());
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
        connections: &mut Connections,
        stop: impl Future<Output = ()>,
    ) -> Result<(), RunError> {
        let mut stop = std::pin::pin!(stop);
        let mut broken = std::pin::pin!(self.app.store.broken());
        // A connection that waits until another has ended; more wait in the system's queue.
        let mut waiting = None;
        loop {
            if let Some((stream, address)) = waiting.take() {
                match connections.admit(address) {
                    Admission::Accepted => connections.open(address, |activity, ending| {
                        let (router, metrics) = (self.router.clone(), Arc::clone(&self.app.metrics));
                        connection::serve(stream, router, self.limits, activity, ending, metrics)
                    }),
                    Admission::Wait => waiting = Some((stream, address)),
                    Admission::Refused => tracing::debug!("connection refused: too many from its address"),
                }
            }
            tokio::select! {
                () = &mut stop => return Ok(()),
                () = &mut broken => {
                    tracing::error!(error = %RunError, "stopping");
                    return Err(RunError);
                }
                () = connections.ended() => {}
                () = sleep(ADMISSION_INTERVAL), if waiting.is_some() => {}
                accepted = self.listener.accept(), if waiting.is_none() => match accepted {
                    Ok((stream, address)) => waiting = Some((stream, address.ip())),
                    Err(error) => {
                        let no_files = error.raw_os_error().is_some_and(|code| NO_FILES.contains(&code));
                        if !no_files {
                            tracing::warn!(%error, "connection not accepted");
                        }
                        let closing = no_files && connections.make_room();
                        tokio::select! {
                            () = connections.ended(), if closing => {}
                            () = sleep(ADMISSION_INTERVAL) => {}
                        }
                    }
                }
            }
        }
    }
}

/// Returns the part of the grace period that is reserved for closing the database.
fn time_to_close(grace: Duration) -> Duration {
    (grace / 5).min(Duration::from_secs(2))
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

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Limits(error) => f.write_str(error),
            Cause::Listen(address, error) => write!(f, "cannot listen on {address}: {error}"),
            Cause::Store(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the thread that commits orders has panicked; restart the service")
    }
}

impl std::error::Error for RunError {}
