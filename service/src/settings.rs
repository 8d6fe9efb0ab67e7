//! The settings of a service: address, storage, limits and options.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;

use service_rules::injected_fault::FaultSettings;

/// The settings of a [`Server`](super::Server). Its [`Registry`](super::Registry) is separate.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The address to listen on; port 0 picks a free one.
    pub address: SocketAddr,
    /// The path before `/v2` and `/v3`: empty, or one such as `/covaorderintake`.
    pub base_path: String,
    /// `sqlite:<file>` or `postgres://…`.
    pub database: String,
    /// The maximum number of connections to PostgreSQL.
    pub database_connections: u32,
    /// Whether to serve the orders as a cashier would see them. This needs no token: everyone who can reach
    /// the service sees them.
    pub point_of_sale: bool,
    /// The folder of the demo page, served at `/`; `None` for no page.
    pub page: Option<PathBuf>,
    /// Whether to list companies, locations and integrators at `/demo.json`, for the demo page.
    pub directory: bool,
    /// Whether to list the last requests at `/requests`, with status and fault, for tests of clients.
    pub request_list: bool,
    /// The host names under which pages and the point of sale are served, besides `localhost` and IP
    /// addresses. Requests for others are rejected with 421, because a page of another site could read the
    /// orders (DNS rebinding).
    pub allowed_hosts: Vec<String>,
    /// Other origins whose pages may send orders from a browser.
    pub allowed_origins: Vec<HeaderValue>,
    /// The faults to inject, to test clients; `None` turns faults off.
    pub faults: Option<FaultSettings>,
    /// The limits of requests and connections.
    pub limits: Limits,
    /// The time for a shutdown: for running requests and the database together.
    pub grace: Duration,
}

/// The limits of requests and connections (§8 specifies none).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// The maximum size of a body in bytes.
    pub body_bytes: usize,
    /// The maximum size of the bodies of all requests together, in bytes, until their orders have been stored
    /// or refused; more are rejected with 503.
    pub bytes_in_flight: usize,
    /// The time for the first request of a connection, and for the headers of every request.
    pub header_time: Duration,
    /// The time for a whole body.
    pub body_time: Duration,
    /// The time without a request after which a connection is closed; with HTTP/1.1, `header_time` applies if
    /// it is shorter. A response that the client does not read does not count as a request.
    pub idle_time: Duration,
    /// The maximum number of open connections. If there are as many, those without a request for a second are
    /// closed; others wait to be accepted.
    pub connections: usize,
}

impl Limits {
    /// Returns an error if no request, or not the largest body, could ever be accepted.
    pub(super) fn check(&self) -> Result<(), &'static str> {
        if self.connections == 0 {
            return Err("the maximum number of connections, --max-connections, must be at least 1");
        }
        if self.bytes_in_flight < self.body_bytes {
            return Err(
                "the maximum size of all bodies together, --max-bytes-in-flight, must be at least that of one body, \
                 --max-body-bytes",
            );
        }
        Ok(())
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            bytes_in_flight: 64 << 20,
            header_time: Duration::from_secs(10),
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(60),
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
