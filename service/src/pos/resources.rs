//! What all requests for the view share. It limits the part of the service that they take together.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use super::cache::Cache;

/// The maximum number of responses that are being prepared or sent.
const MAX_RESPONSES: usize = 8;
/// How long a request waits for one of the others to finish.
const MAX_WAIT: Duration = Duration::from_secs(2);

#[derive(Clone)]
pub(crate) struct ViewResources {
    responses: Arc<Semaphore>,
    previews: Arc<Semaphore>,
    cache: Arc<Mutex<Cache>>,
}

impl ViewResources {
    pub(crate) fn new() -> Self {
        // One preview at a time: it takes a core for as long as it runs.
        let (responses, previews) = (Semaphore::new(MAX_RESPONSES), Semaphore::new(1));
        Self { responses: Arc::new(responses), previews: Arc::new(previews), cache: Arc::default() }
    }

    /// Returns the permit for a response, to be held until it is sent, or `None` if there are too many.
    pub(super) async fn response_permit(&self) -> Option<OwnedSemaphorePermit> {
        timeout(MAX_WAIT, Arc::clone(&self.responses).acquire_owned()).await.ok()?.ok()
    }

    /// Returns the permit for a preview, to be held while it runs. `None` never happens: the semaphore is
    /// never closed.
    pub(super) async fn preview_permit(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.previews).acquire_owned().await.ok()
    }

    pub(super) fn cache(&self) -> MutexGuard<'_, Cache> {
        self.cache.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
