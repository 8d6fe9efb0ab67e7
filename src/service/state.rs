//! What every request has to do with.

use super::budget::Budget;
use super::fault::FaultSettings;
use super::metrics::Metrics;
use super::registry::Registry;
use super::settings::{Limits, Settings};
use super::store::Store;

/// The parts of a running service that requests share.
pub(crate) struct Service {
    pub(crate) registry: Registry,
    pub(crate) store: Store,
    pub(crate) metrics: Metrics,
    pub(crate) faults: Option<FaultSettings>,
    pub(crate) limits: Limits,
    /// For the bodies of all requests together.
    pub(crate) budget: Budget,
    /// What stands before `/v2` and `/v3`.
    pub(crate) base_path: String,
}

impl Service {
    pub(crate) fn new(settings: &Settings, registry: Registry, store: Store) -> Self {
        Self {
            registry,
            store,
            metrics: Metrics::new(),
            faults: settings.faults.clone(),
            limits: settings.limits,
            budget: Budget::new(settings.limits.bytes_in_flight),
            base_path: settings.base_path.clone(),
        }
    }
}
