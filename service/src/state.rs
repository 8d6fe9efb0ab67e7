//! The state that all requests share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::demo::requests::RecentRequests;
use service_rules::injected_fault::Outage;
use service_rules::registry::Registry;

use super::settings::Settings;
use super::store::Store;

/// The state of a running service.
pub(crate) struct AppState {
    pub(crate) settings: Settings,
    pub(crate) registry: Arc<Registry>,
    pub(crate) store: Store,
    outage: Mutex<Outage>,
    /// `None` if they are not listed.
    pub(crate) recent_requests: Option<RecentRequests>,
}

impl AppState {
    pub(crate) fn new(settings: Settings, registry: Registry, store: Store) -> Self {
        Self {
            registry: Arc::new(registry),
            store,
            outage: Mutex::default(),
            recent_requests: settings.request_list.then(RecentRequests::default),
            settings,
        }
    }

    /// Returns the outage that a fault has started.
    pub(crate) fn outage(&self) -> MutexGuard<'_, Outage> {
        self.outage.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
