//! How a service is run: address, storage, limits, and what it offers beyond the two operations.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;

use super::fault::FaultSettings;

/// Everything a [`Server`](super::Server) needs beside its [`Registry`](super::Registry).
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where to listen; port 0 takes a free one.
    pub address: SocketAddr,
    /// What stands before `/v2` and `/v3`: empty, or a path such as `/covaorderintake`.
    pub base_path: String,
    /// `sqlite:<file>` or `postgres://…`.
    pub database: String,
    /// Connections to PostgreSQL at most.
    pub database_connections: u32,
    /// Whether the point of sale's view is served: it shows orders to everyone who can reach the service.
    pub point_of_sale: bool,
    /// The folder of the demo page, served at `/`; none where absent.
    pub page: Option<PathBuf>,
    /// Whether companies, locations and integrators are told at `/demo.json`, for the demo page to choose from.
    pub directory: bool,
    /// Origins of other pages that may send orders from a browser.
    pub allowed_origins: Vec<HeaderValue>,
    /// Faults on demand, for those who test their client; none where absent.
    pub faults: Option<FaultSettings>,
    /// What a request may take.
    pub limits: Limits,
    /// How long a stop waits for what is in flight.
    pub grace: Duration,
}

/// What a request may take (§8 shows no limits).
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Bytes of a body.
    pub body_bytes: usize,
    /// Bytes of the bodies of all requests together; beyond that a request is answered with 503.
    pub bytes_in_flight: usize,
    /// Time for a connection's first request, and for the headers of each.
    pub header_time: Duration,
    /// Time for a whole body.
    pub body_time: Duration,
    /// Connections at the same time; more wait to be accepted.
    pub connections: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            body_bytes: 1 << 20,
            bytes_in_flight: 64 << 20,
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
            allowed_origins: Vec::new(),
            faults: None,
            limits: Limits::default(),
            grace: Duration::from_secs(30),
        }
    }
}
