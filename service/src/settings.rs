//! The settings of a service: address, storage, limits and options.

mod values;

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::Args;

use service_rules::injected_fault::FaultSettings;
use values::{at_least_one, base_path, host, in_seconds, origin, seconds};

/// The settings of a [`Server`](super::Server), which are options of `serve`. Its [`Registry`](super::Registry) is
/// separate.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// The address to listen on. For access by others, put a proxy with TLS in front. Port 0 picks a free
    /// one.
    #[arg(
        long = "listen",
        env = "SALES_ORDER_INTAKE_LISTEN",
        value_name = "ADDRESS",
        default_value_t = Self::default().address
    )]
    pub address: SocketAddr,

    /// The path before /v2 and /v3, such as /covaorderintake.
    #[arg(long, env = "SALES_ORDER_INTAKE_BASE_PATH", value_name = "PATH", default_value_t = Self::default().base_path, value_parser = base_path)]
    pub base_path: String,

    /// sqlite:FILE, or postgres://USER@HOST/DATABASE if several processes accept orders. Tables that are
    /// missing are created.
    #[arg(
        long,
        env = "DATABASE_URL",
        value_name = "URL",
        hide_env_values = true,
        default_value_t = Self::default().database,
        default_value_if("demo", "true", "sqlite:demo-orders.sqlite")
    )]
    pub database: String,

    /// The maximum number of connections to PostgreSQL.
    #[arg(long, env = "SALES_ORDER_INTAKE_DATABASE_CONNECTIONS", value_name = "N", default_value_t = Self::default().database_connections)]
    pub database_connections: u32,

    /// Serve the orders as a cashier would see them at /pos/{companyId}/{entityId}, as a page and as JSON. It
    /// is not part of the specified service and needs no token: everyone who can reach the service sees names
    /// and notes.
    #[arg(long, env = "SALES_ORDER_INTAKE_POINT_OF_SALE")]
    pub point_of_sale: bool,

    /// The folder of the demo page, served at /: index.html and the files in assets/. With --demo, the
    /// default is www/demo/dist in the current folder; otherwise there is no page.
    #[arg(
        long,
        env = "SALES_ORDER_INTAKE_PAGE",
        value_name = "DIR",
        default_value_if("demo", "true", "www/demo/dist")
    )]
    pub page: Option<PathBuf>,

    /// Whether to list companies, locations and integrators at `/demo.json`, for the demo page.
    #[arg(skip)]
    pub directory: bool,

    /// Whether to list the last requests at `/requests`, with status and fault, for tests of clients.
    #[arg(skip)]
    pub request_list: bool,

    /// Serve pages, the point of sale and demo lists under this host name too, such as the name of a proxy.
    /// By default they are served only under localhost and IP addresses, because a page of another site could
    /// read the orders (DNS rebinding). Can be given more than once.
    #[arg(long = "allow-host", env = "SALES_ORDER_INTAKE_ALLOW_HOST", value_name = "NAME", value_delimiter = ',', value_parser = host)]
    pub allowed_hosts: Vec<String>,

    /// Let pages of another origin, such as http://127.0.0.1:3000, send orders from a browser (CORS). Can be
    /// given more than once. Pages that the service serves itself do not need it.
    #[arg(long = "allow-origin", env = "SALES_ORDER_INTAKE_ALLOW_ORIGIN", value_name = "ORIGIN", value_delimiter = ',', value_parser = origin)]
    pub allowed_origins: Vec<HeaderValue>,

    /// The faults to inject, to test clients; `None` turns faults off.
    #[arg(skip)]
    pub faults: Option<FaultSettings>,

    /// The limits of requests and connections.
    #[command(flatten)]
    pub limits: Limits,

    /// The time for a shutdown: for running requests and the database together. What is not finished is
    /// logged.
    #[arg(long = "grace-seconds", env = "SALES_ORDER_INTAKE_GRACE_SECONDS", value_name = "SECONDS", value_parser = seconds(0), default_value = in_seconds(Self::default().grace))]
    pub grace: Duration,
}

/// The limits of requests and connections (§8 specifies none).
#[derive(Args, Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size of a body; a larger one is rejected with 413.
    #[arg(long = "max-body-bytes", env = "SALES_ORDER_INTAKE_MAX_BODY_BYTES", value_name = "BYTES", default_value_t = Self::default().body_bytes)]
    pub body_bytes: usize,

    /// The time for the headers of a request. Over HTTP/1.1, also the time without a request after which a
    /// connection is closed.
    #[arg(long = "header-seconds", env = "SALES_ORDER_INTAKE_HEADER_SECONDS", value_name = "SECONDS", value_parser = seconds(1), default_value = in_seconds(Self::default().header_time))]
    pub header_time: Duration,

    /// The time for the body of a request; a slower one is rejected with 408.
    #[arg(long = "body-seconds", env = "SALES_ORDER_INTAKE_BODY_SECONDS", value_name = "SECONDS", value_parser = seconds(1), default_value = in_seconds(Self::default().body_time))]
    pub body_time: Duration,

    /// The maximum number of open connections; new ones wait.
    #[arg(long = "max-connections", env = "SALES_ORDER_INTAKE_MAX_CONNECTIONS", value_name = "N", value_parser = at_least_one, default_value_t = Self::default().connections)]
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            connections: 2048,
        }
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            address: SocketAddr::from(([127, 0, 0, 1], 8080)),
            base_path: String::new(),
            database: "sqlite:orders.sqlite".to_owned(),
            database_connections: 16,
            point_of_sale: false,
            page: None,
            directory: false,
            request_list: false,
            allowed_hosts: Vec::new(),
            allowed_origins: Vec::new(),
            faults: None,
            limits: Limits::default(),
            grace: Duration::from_secs(30),
        }
    }
}
