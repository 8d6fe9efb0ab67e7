//! `serve`: turns flags and environment into settings, starts the log, and runs the service.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::Args;
use tracing_subscriber::EnvFilter;

use super::Failure;
use super::registry_file::{read_registry, reload_on_hangup};
use super::values::{base_path, host, origin, seconds};
use crate::demo;
use crate::server::Server;
use crate::settings::{Limits, Settings};
use service_rules::injected_fault::{FaultRate, FaultSettings, InjectedFault};
use service_rules::registry::Registry;
use service_rules::token::Token;

#[derive(Args)]
pub(super) struct Serve {
    /// The TOML file with companies, locations, integrators and tokens. Required without --demo. SIGHUP reads
    /// it again; if it has errors, they are logged and the previous registry stays in force.
    #[arg(long, env = "SALES_ORDER_INTAKE_REGISTRY", value_name = "FILE", required_unless_present = "demo")]
    registry: Option<PathBuf>,

    /// Start with the companies, locations (Exclusive, no tax pricing, Inclusive) and integrators of the
    /// documentation's examples, or with those of --registry, and with a token for all of them; prints the
    /// token and the ids. Turns on
    /// --point-of-sale, --faults, the demo page at / with its list of locations at /demo.json, and the list of the last
    /// requests at /requests. Stores orders in demo-orders.sqlite unless --database is given.
    #[arg(long)]
    demo: bool,

    /// The token of --demo, for scripts. The default is a new one at every start.
    #[arg(
        long,
        env = "SALES_ORDER_INTAKE_DEMO_TOKEN",
        value_name = "TOKEN",
        hide_env_values = true,
        requires = "demo"
    )]
    token: Option<String>,

    /// The address to listen on. For access by others, put a proxy with TLS in front. Port 0 picks a free
    /// one.
    #[arg(long, env = "SALES_ORDER_INTAKE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// The path before /v2 and /v3, such as /covaorderintake.
    #[arg(long, env = "SALES_ORDER_INTAKE_BASE_PATH", value_name = "PATH", default_value = "", value_parser = base_path)]
    base_path: String,

    /// sqlite:FILE, or postgres://USER@HOST/DATABASE if several processes accept orders. The schema is
    /// created and migrated at every start.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database: Option<String>,

    /// The maximum number of connections to PostgreSQL.
    #[arg(long, env = "SALES_ORDER_INTAKE_DATABASE_CONNECTIONS", value_name = "N", default_value_t = 16)]
    database_connections: u32,

    /// Serve the orders as a cashier would see them at /pos/{companyId}/{entityId}, as a page and as JSON. It
    /// is not part of the specified service and needs no token: everyone who can reach the service sees names
    /// and notes.
    #[arg(long, env = "SALES_ORDER_INTAKE_POINT_OF_SALE")]
    point_of_sale: bool,

    /// The folder of the demo page, served at /: index.html and the files in assets/. With --demo, the
    /// default is www/demo/dist in the current folder; otherwise there is no page.
    #[arg(long, env = "SALES_ORDER_INTAKE_PAGE", value_name = "DIR")]
    page: Option<PathBuf>,

    /// Serve pages, the point of sale and demo lists under this host name too, such as the name of a proxy.
    /// By default they are served only under localhost and IP addresses, because a page of another site could
    /// read the orders (DNS rebinding). Can be given more than once.
    #[arg(long, env = "SALES_ORDER_INTAKE_ALLOW_HOST", value_name = "NAME", value_delimiter = ',', value_parser = host)]
    allow_host: Vec<String>,

    /// Let pages of another origin, such as http://127.0.0.1:3000, send orders from a browser (CORS). Can be
    /// given more than once. Pages that the service serves itself do not need it.
    #[arg(long, env = "SALES_ORDER_INTAKE_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    allow_origin: Vec<HeaderValue>,

    /// Let clients request a fault with the header X-Fault: latency=<milliseconds>, 401, 403, 404, 409, 429,
    /// 500, 503, drop (nothing is stored), drop-after (the order is stored, but the response is never sent)
    /// or down-until=<seconds> (503 to every order until the seconds have passed).
    #[arg(long, env = "SALES_ORDER_INTAKE_FAULTS")]
    faults: bool,

    /// Inject a fault at random, such as 503=0.05 or latency=2000:0.1. Rates are from 0 to 1, with at most 6
    /// decimal places, and together at most 1. Can be given more than once. Turns on --faults.
    #[arg(long, value_name = "FAULT=RATE", value_parser = FaultSettings::parse_rate)]
    fault_rate: Vec<(InjectedFault, FaultRate)>,

    /// The maximum size of a body; a larger one is rejected with 413.
    #[arg(long, env = "SALES_ORDER_INTAKE_MAX_BODY_BYTES", value_name = "BYTES", default_value_t = Limits::default().body_bytes)]
    max_body_bytes: usize,

    /// The maximum size of the bodies of all requests together, until their orders have been stored or
    /// refused. It limits their memory, whatever the number of connections; requests beyond it are rejected
    /// with 503 and Retry-After.
    #[arg(long, env = "SALES_ORDER_INTAKE_MAX_BYTES_IN_FLIGHT", value_name = "BYTES", default_value_t = Limits::default().bytes_in_flight)]
    max_bytes_in_flight: usize,

    /// The time for the headers of a request.
    #[arg(long, env = "SALES_ORDER_INTAKE_HEADER_SECONDS", value_name = "SECONDS", value_parser = seconds(1), default_value_t = Limits::default().header_time.as_secs())]
    header_seconds: u64,

    /// The time for the body of a request; a slower one is rejected with 408.
    #[arg(long, env = "SALES_ORDER_INTAKE_BODY_SECONDS", value_name = "SECONDS", value_parser = seconds(1), default_value_t = Limits::default().body_time.as_secs())]
    body_seconds: u64,

    /// The time without a request after which a connection is closed, also if its client does not read a
    /// response. With HTTP/1.1,
    /// --header-seconds applies if it is shorter.
    #[arg(long, env = "SALES_ORDER_INTAKE_IDLE_SECONDS", value_name = "SECONDS", value_parser = seconds(1), default_value_t = Limits::default().idle_time.as_secs())]
    idle_seconds: u64,

    /// The maximum number of open connections. If there are as many, those without a request for a second are
    /// closed; if all are in use, new ones wait.
    #[arg(long, env = "SALES_ORDER_INTAKE_MAX_CONNECTIONS", value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,

    /// The time for a shutdown: for running requests and the database together. What is not finished is
    /// logged.
    #[arg(long, env = "SALES_ORDER_INTAKE_GRACE_SECONDS", value_name = "SECONDS", value_parser = seconds(0), default_value_t = 30)]
    grace_seconds: u64,

    /// The level of the log on standard error, which is JSON: error, warn, info, debug, or a filter such as
    /// sales_order_intake=debug. Tokens, names and notes are never logged.
    #[arg(long, env = "SALES_ORDER_INTAKE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let filter = EnvFilter::try_new(&self.log)?;
        tracing_subscriber::fmt().json().with_writer(io::stderr).with_env_filter(filter).init();
        let settings = self.settings()?;
        let mut registry = match &self.registry {
            Some(path) => read_registry(path)?,
            None => demo::registry().map_err(|errors| Failure(format!("{errors:?}")))?,
        };
        // Not parsed by clap, whose errors contain the value.
        let token = match self.token.as_deref().map(str::parse::<Token>) {
            None if self.demo => Some(Token::new_random()?),
            token => token.transpose().map_err(|error| Failure(format!("--token {error}")))?,
        };
        if let Some(token) = &token {
            registry.add_token_for_everything(token.hash());
        }
        // One core is left to the thread that commits (benches/findings.md).
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = cores.saturating_sub(1).max(1);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
        let result = runtime.block_on(serve(&settings, registry, self.registry, token));
        // Does not wait for a database that is still busy after the grace period.
        runtime.shutdown_background();
        result
    }

    fn settings(&self) -> Result<Settings, Failure> {
        let default_database = if self.demo { "sqlite:demo-orders.sqlite" } else { "sqlite:orders.sqlite" };
        let faults = self.faults || self.demo || !self.fault_rate.is_empty();
        let fault_settings = FaultSettings::with_rates(self.fault_rate.clone())
            .map_err(|error| Failure(format!("--fault-rate: {error}")))?;
        Ok(Settings {
            address: self.listen,
            base_path: self.base_path.clone(),
            database: self.database.clone().unwrap_or_else(|| default_database.to_owned()),
            database_connections: self.database_connections,
            point_of_sale: self.point_of_sale || self.demo,
            page: self.page.clone().or_else(|| self.demo.then(|| PathBuf::from("www/demo/dist"))),
            directory: self.demo,
            request_list: self.demo,
            allowed_hosts: self.allow_host.clone(),
            allowed_origins: self.allow_origin.clone(),
            faults: faults.then_some(fault_settings),
            limits: Limits {
                body_bytes: self.max_body_bytes,
                bytes_in_flight: self.max_bytes_in_flight,
                header_time: Duration::from_secs(self.header_seconds),
                body_time: Duration::from_secs(self.body_seconds),
                idle_time: Duration::from_secs(self.idle_seconds),
                connections: self.max_connections,
            },
            grace: Duration::from_secs(self.grace_seconds),
        })
    }
}

async fn serve(
    settings: &Settings,
    registry: Registry,
    registry_file: Option<PathBuf>,
    token: Option<Token>,
) -> Result<(), Failure> {
    let views: Vec<_> = registry
        .locations()
        .map(|(company, entity, location)| (format!("/pos/{company}/{entity}"), location.name.clone()))
        .collect();
    let integrators: Vec<_> =
        registry.integrators().map(|(id, integrator)| format!("{id}  {}", integrator.name)).collect();
    let server = Server::start(settings, registry).await?;
    if let Some(path) = registry_file {
        reload_on_hangup(path, server.registry(), token.as_ref().map(Token::hash))?;
    }
    let stop = stop_signal()?;
    let base = format!("http://{}", server.address()?);
    // Printed at once, so that a program that reads them gets all of them together.
    let mut out = Vec::new();
    writeln!(out, "base URL  {base}{}", settings.base_path)?;
    if let Some(token) = token {
        let token = token.reveal();
        writeln!(out, "token     {token}")?;
        // Browsers do not send fragments, so the token reaches only the page.
        writeln!(out, "page      {base}/#token={token}")?;
        for integrator in integrators {
            writeln!(out, "integrator {integrator}")?;
        }
    }
    if settings.point_of_sale {
        for (path, name) in views {
            writeln!(out, "view      {base}{path}  {name}")?;
        }
    }
    io::stdout().write_all(&out)?;
    Ok(server.run(stop).await?)
}

/// Returns a future that completes on Ctrl-C, or on SIGTERM, which service managers send. The signals are
/// handled from now on: one that arrives before the future is polled does not kill the process.
#[cfg(unix)]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};

    let (mut interrupt, mut terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// Returns a future that completes on Ctrl-C.
#[cfg(not(unix))]
fn stop_signal() -> io::Result<impl Future<Output = ()>> {
    Ok(async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
