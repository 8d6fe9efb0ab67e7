//! What happened so far, in the text format of Prometheus.

use std::fmt;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::encoding::{EncodeLabelSet, EncodeLabelValue, LabelValueEncoder};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::registry::{Registry, Unit};

/// Counters of one service.
pub(crate) struct Metrics {
    registry: Registry,
    answers: Family<Answer, Counter>,
    orders: Family<Outcome, Counter>,
    seconds: Histogram,
    pub(crate) connections: Gauge,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Answer {
    status: u16,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, EncodeLabelSet)]
struct Outcome {
    version: &'static str,
    outcome: OrderOutcome,
}

/// What came of an order that was valid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum OrderOutcome {
    Created,
    Repeated,
    Conflict,
}

impl OrderOutcome {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Repeated => "repeated",
            Self::Conflict => "conflict",
        }
    }
}

impl EncodeLabelValue for OrderOutcome {
    fn encode(&self, encoder: &mut LabelValueEncoder<'_>) -> Result<(), fmt::Error> {
        self.name().encode(encoder)
    }
}

/// Bounds of the histogram, in seconds: from an order in memory to one that waited for a slow disk.
const SECONDS: [f64; 12] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0, 30.0];

impl Metrics {
    pub(crate) fn new() -> Self {
        let mut metrics = Self {
            registry: Registry::with_prefix("sales_order_intake"),
            answers: Family::default(),
            orders: Family::default(),
            seconds: Histogram::new(SECONDS),
            connections: Gauge::<i64, _>::default(),
        };
        let registry = &mut metrics.registry;
        registry.register("answers", "Answers to order requests, by status", metrics.answers.clone());
        registry.register("orders", "Valid orders, by version and outcome", metrics.orders.clone());
        registry.register_with_unit(
            "answer",
            "Time to answer an order request",
            Unit::Seconds,
            metrics.seconds.clone(),
        );
        registry.register("connections", "Open connections", metrics.connections.clone());
        metrics
    }

    pub(crate) fn answered(&self, status: u16, took: Duration) {
        self.answers.get_or_create(&Answer { status }).inc();
        self.seconds.observe(took.as_secs_f64());
    }

    pub(crate) fn order(&self, version: &'static str, outcome: OrderOutcome) {
        self.orders.get_or_create(&Outcome { version, outcome }).inc();
    }

    /// Everything as text.
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        // Writing to a string does not fail.
        let _ = encode(&mut text, &self.registry);
        text
    }
}
