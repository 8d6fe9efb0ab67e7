//! Counts requests and orders; prints them in the text format of OpenMetrics, which Prometheus reads.

use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

use service_rules::replay::Outcome;

use super::store::StoreCounters;

/// The metrics of one service.
pub(crate) struct Metrics {
    registry: Registry,
    /// By status.
    requests: Family<[(&'static str, u16); 1], Counter>,
    request_duration: Histogram,
    /// By version and outcome.
    orders: Family<[(&'static str, &'static str); 2], Counter>,
    connections: Gauge,
}

/// Upper bounds of the histogram's buckets in seconds: 1 ms is an order in memory, 30 s the time limit of a
/// body.
const BUCKETS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

impl Metrics {
    /// Registers the metrics. The encoder appends `_total` to counters and the unit to the histogram.
    pub(crate) fn new(store: &StoreCounters) -> Self {
        let mut metrics = Self {
            registry: Registry::default(),
            requests: Family::default(),
            request_duration: Histogram::new(BUCKETS),
            orders: Family::default(),
            connections: Gauge::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("http_requests", "Order requests, by status", metrics.requests.clone());
        registry.register_with_unit(
            "http_request_duration",
            "Time from the headers of an order request to its response",
            Unit::Seconds,
            metrics.request_duration.clone(),
        );
        let own = registry.sub_registry_with_prefix("sales_order_intake");
        own.register("orders", "Valid orders, by version and outcome", metrics.orders.clone());
        own.register("connections", "Open connections", metrics.connections.clone());
        own.register("commit_retries", "Commits that were repeated", store.retries.clone());
        own.register("orders_waiting", "Orders that wait for their commit", store.waiting.clone());
        metrics
    }

    pub(crate) fn count_request(&self, status: u16, duration: Duration) {
        self.requests.get_or_create(&[("status", status)]).inc();
        self.request_duration.observe(duration.as_secs_f64());
    }

    pub(crate) fn count_order(&self, version: &'static str, outcome: &Outcome) {
        let outcome = match outcome {
            Outcome::Created(_) => "created",
            Outcome::Replayed(_) => "replayed",
            Outcome::Conflict => "conflict",
            Outcome::ConflictAcrossCompanies { .. } => "conflict_across_companies",
        };
        self.orders.get_or_create(&[("version", version), ("outcome", outcome)]).inc();
    }

    pub(crate) fn set_connections(&self, open: usize) {
        self.connections.set(i64::try_from(open).unwrap_or(i64::MAX));
    }

    /// Returns all metrics in the text format of OpenMetrics.
    pub(crate) fn encode(&self) -> String {
        let mut text = String::new();
        // Writing to a String cannot fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
