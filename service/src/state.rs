//! The state that all requests share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use super::demo::requests::RecentRequests;
use service_rules::injected_fault::Outage;
use service_rules::registry::Registry;
use tokio::sync::Semaphore;

use super::metrics::Metrics;
use super::readiness::Readiness;
use super::settings::Settings;
use super::store::{Store, StoreCounters};

/// The state of a running service.
pub(crate) struct AppState {
    pub(crate) settings: Settings,
    registry: RwLock<Arc<Registry>>,
    pub(crate) store: Store,
    pub(crate) readiness: Readiness,
    pub(crate) metrics: Metrics,
    outage: Mutex<Outage>,
    /// `None` if they are not listed.
    pub(crate) recent_requests: Option<RecentRequests>,
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
            registry: RwLock::new(Arc::new(registry)),
            store,
            readiness: Readiness::default(),
            metrics: Metrics::new(counters),
            outage: Mutex::default(),
            recent_requests: settings.request_list.then(RecentRequests::default),
            body_memory: Arc::new(Semaphore::new(body_memory)),
            settings,
        }
    }

    /// Returns the current registry. A request uses the same one from its token to its order.
    pub(crate) fn registry(&self) -> Arc<Registry> {
        Arc::clone(&self.registry.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the registry for all further requests.
    pub(crate) fn replace_registry(&self, registry: Registry) {
        *self.registry.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(registry);
    }

    /// Returns the outage that a fault has started.
    pub(crate) fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
