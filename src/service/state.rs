//! What every request has to do with.

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
}

impl Service {
    pub(crate) fn new(settings: &Settings, registry: Registry, store: Store) -> Self {
        Self {
            registry,
            store,
            metrics: Metrics::new(),
            faults: settings.faults.clone(),
            limits: settings.limits,
        }
    }
}
