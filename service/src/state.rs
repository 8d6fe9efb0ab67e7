//! The state that all requests share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::demo::requests::RecentRequests;
use service_rules::injected_fault::Outage;
use service_rules::registry::{Registry, SharedRegistry};
use tokio::sync::Semaphore;

use super::metrics::Metrics;
use super::pos::resources::ViewResources;
use super::readiness::Readiness;
use super::settings::Settings;
use super::store::{Store, StoreCounters};

/// The state of a running service.
pub(crate) struct AppState {
    pub(crate) settings: Settings,
    pub(crate) registry: SharedRegistry,
    pub(crate) store: Store,
    pub(crate) readiness: Readiness,
    pub(crate) metrics: Arc<Metrics>,
    outage: Mutex<Outage>,
    /// `None` if they are not listed.
    pub(crate) recent_requests: Option<RecentRequests>,
    pub(crate) views: ViewResources,
    /// One permit per byte of the bodies of all requests together.
    pub(crate) body_memory: Arc<Semaphore>,
}

impl AppState {
    pub(crate) fn new(
        settings: Settings,
        registry: Registry,
        store: Store,
        counters: &StoreCounters,
    ) -> Self {
        let body_memory = settings.limits.bytes_in_flight.min(Semaphore::MAX_PERMITS);
        Self {
            registry: SharedRegistry::new(registry),
            store,
            readiness: Readiness::default(),
            metrics: Arc::new(Metrics::new(counters)),
            outage: Mutex::default(),
            recent_requests: settings.request_list.then(RecentRequests::default),
            views: ViewResources::new(),
            body_memory: Arc::new(Semaphore::new(body_memory)),
            settings,
        }
    }

    /// Returns the outage that a fault has started.
    pub(crate) fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
