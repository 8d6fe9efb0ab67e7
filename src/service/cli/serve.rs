//! `serve`: flags and environment → settings, logs and a running service.

use std::io::{self, Write as _};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::{HeaderValue, Uri};
use clap::Args;
use tracing_subscriber::EnvFilter;

use super::{Failure, read_registry};
use crate::service::demo;
use crate::service::fault::{Fault, FaultSettings};
use crate::service::registry::Registry;
use crate::service::server::Server;
use crate::service::settings::{Limits, Settings};
use crate::service::token::Token;

#[derive(Args)]
pub(super) struct Serve {
    /// Companies, locations, integrators and tokens: a TOML file. Without one, --demo is needed.
    #[arg(long, env = "SALES_ORDER_INTAKE_REGISTRY", value_name = "FILE", required_unless_present = "demo")]
    registry: Option<PathBuf>,

    /// A ready company with three locations (Exclusive, none, Inclusive) and a new token, printed once. Turns on
    /// --point-of-sale, --faults and the demo page at /, which finds its locations at /demo.json; keeps its orders in
    /// demo-orders.sqlite unless --database says otherwise.
    #[arg(long, conflicts_with = "registry")]
    demo: bool,

    /// Where to listen. Put a proxy with TLS in front where others are to reach it. Port 0 takes a free one.
    #[arg(long, env = "SALES_ORDER_INTAKE_LISTEN", value_name = "ADDRESS", default_value = "127.0.0.1:8080")]
    listen: SocketAddr,

    /// What stands before /v2 and /v3 in paths, such as /covaorderintake.
    #[arg(long, env = "SALES_ORDER_INTAKE_BASE_PATH", value_name = "PATH", default_value = "", value_parser = base_path)]
    base_path: String,

    /// sqlite:FILE, or postgres://USER@HOST/DATABASE where more than one process takes orders. The schema is made and
    /// kept up to date at every start.
    #[arg(long, env = "DATABASE_URL", value_name = "URL", hide_env_values = true)]
    database: Option<String>,

    /// Connections to PostgreSQL at most.
    #[arg(long, env = "SALES_ORDER_INTAKE_DATABASE_CONNECTIONS", value_name = "N", default_value_t = 16)]
    database_connections: u32,

    /// Serve what a cashier would see at /pos/{companyId}/{entityId}, as a page and as JSON. It is not part of the
    /// specified service and asks for no token: everyone who can reach the service sees names and notes.
    #[arg(long, env = "SALES_ORDER_INTAKE_POINT_OF_SALE")]
    point_of_sale: bool,

    /// The folder of the demo page, served at /: index.html and what it loads from assets/. With --demo it is
    /// www/demo/dist, from the folder the service is started in, unless another is given; else there is no page.
    #[arg(long, env = "SALES_ORDER_INTAKE_PAGE", value_name = "DIR")]
    page: Option<PathBuf>,

    /// Let pages of another origin, such as http://127.0.0.1:3000, send orders from a browser (CORS); can be given
    /// more than once. The pages that the service serves itself need none.
    #[arg(long, env = "SALES_ORDER_INTAKE_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    allow_origin: Vec<HeaderValue>,

    /// Let callers ask for a fault with the header X-Fault: latency=<milliseconds>, 429, 500, 503, drop (nothing is
    /// stored) or drop-after (the order is stored, the answer never arrives).
    #[arg(long, env = "SALES_ORDER_INTAKE_FAULTS")]
    faults: bool,

    /// Let a fault happen by chance, as in 503=0.05 or latency=2000:0.1; can be given more than once. Turns on --faults.
    #[arg(long, value_name = "FAULT=RATE", value_parser = fault_rate)]
    fault_rate: Vec<(Fault, u16)>,

    /// Bytes of a body at most; more is answered with 413.
    #[arg(long, env = "SALES_ORDER_INTAKE_MAX_BODY_BYTES", value_name = "BYTES", default_value_t = Limits::default().body_bytes)]
    max_body_bytes: usize,

    /// Bytes of the bodies of all requests together, which bounds the memory for them whatever the number of
    /// connections; beyond that a request is answered with 503 and Retry-After.
    #[arg(long, env = "SALES_ORDER_INTAKE_MAX_BYTES_IN_FLIGHT", value_name = "BYTES", default_value_t = Limits::default().bytes_in_flight)]
    max_bytes_in_flight: usize,

    /// Time for the headers of a request.
    #[arg(long, env = "SALES_ORDER_INTAKE_HEADER_SECONDS", value_name = "SECONDS", default_value_t = Limits::default().header_time.as_secs())]
    header_seconds: u64,

    /// Time for the body of a request; more is answered with 408.
    #[arg(long, env = "SALES_ORDER_INTAKE_BODY_SECONDS", value_name = "SECONDS", default_value_t = Limits::default().body_time.as_secs())]
    body_seconds: u64,

    /// Connections at the same time; more wait.
    #[arg(long, env = "SALES_ORDER_INTAKE_MAX_CONNECTIONS", value_name = "N", default_value_t = Limits::default().connections)]
    max_connections: usize,

    /// How long a stop waits for what is in flight.
    #[arg(long, env = "SALES_ORDER_INTAKE_GRACE_SECONDS", value_name = "SECONDS", default_value_t = 30)]
    grace_seconds: u64,

    /// What is logged, as JSON on standard error: error, warn, info, debug, or a filter such as
    /// sales_order_intake=debug. Tokens, names and notes never are.
    #[arg(long, env = "SALES_ORDER_INTAKE_LOG", value_name = "FILTER", default_value = "info")]
    log: String,
}

impl Serve {
    pub(super) fn run(self) -> Result<(), Failure> {
        let filter = EnvFilter::try_new(&self.log)?;
        tracing_subscriber::fmt().json().with_writer(io::stderr).with_env_filter(filter).init();
        let settings = self.settings();
        let (registry, token) = match &self.registry {
            Some(path) => (read_registry(path)?, None),
            None => {
                let token = Token::new_random()?;
                let registry = demo::registry(&token).map_err(|faults| Failure(format!("{faults:?}")))?;
                (registry, Some(token))
            }
        };
        // One core is for the thread that commits: with a worker on each they take turns (benches/README.md).
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let workers = cores.saturating_sub(1).max(1);
        let runtime =
            tokio::runtime::Builder::new_multi_thread().worker_threads(workers).enable_all().build()?;
        runtime.block_on(serve(&settings, registry, token))
    }

    fn settings(&self) -> Settings {
        let file = if self.demo { "sqlite:demo-orders.sqlite" } else { "sqlite:orders.sqlite" };
        let faults = self.faults || self.demo || !self.fault_rate.is_empty();
        Settings {
            address: self.listen,
            base_path: self.base_path.clone(),
            database: self.database.clone().unwrap_or_else(|| file.to_owned()),
            database_connections: self.database_connections,
            point_of_sale: self.point_of_sale || self.demo,
            page: self.page.clone().or_else(|| self.demo.then(|| PathBuf::from("www/demo/dist"))),
            directory: self.demo,
            allowed_origins: self.allow_origin.clone(),
            faults: faults.then(|| FaultSettings { rates: self.fault_rate.clone() }),
            limits: Limits {
                body_bytes: self.max_body_bytes,
                bytes_in_flight: self.max_bytes_in_flight,
                header_time: Duration::from_secs(self.header_seconds),
                body_time: Duration::from_secs(self.body_seconds),
                connections: self.max_connections,
            },
            grace: Duration::from_secs(self.grace_seconds),
        }
    }
}

async fn serve(settings: &Settings, registry: Registry, token: Option<Token>) -> Result<(), Failure> {
    let views: Vec<_> = registry
        .locations()
        .map(|(company, entity, location)| (format!("/pos/{company}/{entity}"), location.name.clone()))
        .collect();
    let server = Server::start(settings, registry).await?;
    let base = format!("http://{}", server.address()?);
    let mut out = io::stdout().lock();
    writeln!(out, "base URL  {base}{}", settings.base_path)?;
    if let Some(token) = token {
        let token = token.reveal();
        writeln!(out, "token     {token}")?;
        // A fragment is never sent: the token stays between terminal and page.
        writeln!(out, "page      {base}/#token={token}")?;
    }
    if settings.point_of_sale {
        for (path, name) in views {
            writeln!(out, "view      {base}{path}  {name}")?;
        }
    }
    out.flush()?;
    drop(out);
    server.run(told_to_stop()).await;
    Ok(())
}

/// Ctrl-C, or SIGTERM as service managers send it.
async fn told_to_stop() {
    let interrupted = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminated = async {
        match tokio::signal::unix::signal(tokio::signal::unix::SignalKind::terminate()) {
            Ok(mut signal) => _ = signal.recv().await,
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminated = std::future::pending::<()>();
    tokio::select! {
        () = interrupted => {}
        () = terminated => {}
    }
}

/// Empty, or segments that each follow a slash.
fn base_path(text: &str) -> Result<String, &'static str> {
    let path = text.trim_end_matches('/');
    let plain = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
    match path {
        "" => Ok(String::new()),
        _ if path.starts_with('/') && !path.contains("//") && path.chars().all(plain) => Ok(path.to_owned()),
        _ => Err("must be empty or a path such as /covaorderintake"),
    }
}

/// Scheme, host and port as browsers send them in Origin: without a path, not even a slash.
fn origin(text: &str) -> Result<HeaderValue, &'static str> {
    let says = "must be an origin such as https://shop.example.com or http://127.0.0.1:3000";
    let uri: Uri = text.parse().map_err(|_| says)?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(says) };
    let whole = [scheme, "://", authority.as_str()].concat();
    if !["http", "https"].contains(&scheme) || whole != text || text.contains('@') {
        return Err(says);
    }
    text.parse().map_err(|_| says)
}

/// `503=0.05`, in thousandths; `latency=2000:0.1` where the fault has a value itself.
fn fault_rate(text: &str) -> Result<(Fault, u16), String> {
    let (fault, rate) = text
        .rsplit_once(if text.starts_with("latency") { ':' } else { '=' })
        .ok_or("must be a fault and its rate, as in 503=0.05 or latency=2000:0.1")?;
    let rate = crate::decimal::parse_decimal(rate).map_err(|error| format!("the rate is {error}"))?;
    let thousandths = rate * rust_decimal::Decimal::ONE_THOUSAND;
    let thousandths = u16::try_from(thousandths.trunc()).ok().filter(|rate| *rate <= 1000);
    Ok((fault.parse()?, thousandths.ok_or("the rate must be from 0 to 1")?))
}
