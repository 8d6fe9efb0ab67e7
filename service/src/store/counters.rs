//! Counts what an operator of the database should know.

use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::gauge::Gauge;

/// Shared by the store and the metrics.
#[derive(Clone, Default)]
pub(crate) struct StoreCounters {
    /// Commits that ran again, because another process stored one of their orders or waited for the same rows.
    pub(crate) retries: Counter,
    /// Receipt counters that were raised to the highest receipt number of their location.
    pub(crate) repairs: Counter,
    /// Orders that wait for their commit.
    pub(crate) waiting: Gauge,
}
