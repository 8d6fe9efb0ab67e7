//! The resources that all requests for the view share. They limit the part of the service that these requests
//! use together.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;

use crate::store::LocationIds;

/// The maximum number of responses that are being prepared or sent.
const MAX_RESPONSES: usize = 8;
/// How long a request waits for one of the others to finish.
const MAX_WAIT: Duration = Duration::from_secs(2);
/// The maximum size of all cached orders in bytes.
const MAX_CACHED_BYTES: usize = 8 << 20;

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

/// An order, and the options of its preview.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) location: LocationIds,
    pub(super) receipt: i64,
    /// A hash.
    pub(super) options: u64,
}

/// The orders that were shown most recently, so that polling pages cost little. A stored order never changes.
#[derive(Default)]
pub(super) struct Cache {
    orders: HashMap<Key, Bytes>,
    /// The oldest first.
    keys: VecDeque<Key>,
    bytes: usize,
}

impl Cache {
    pub(super) fn get(&self, key: &Key) -> Option<Bytes> {
        self.orders.get(key).cloned()
    }

    /// Adds an order. Removes the oldest ones if there are too many bytes.
    pub(super) fn insert(&mut self, key: Key, order: Bytes) {
        self.bytes += order.len();
        if let Some(replaced) = self.orders.insert(key.clone(), order) {
            self.bytes -= replaced.len();
        } else {
            self.keys.push_back(key);
        }
        while self.bytes > MAX_CACHED_BYTES {
            let Some(oldest) = self.keys.pop_front() else { return };
            let removed = self.orders.remove(&oldest);
            self.bytes -= removed.map_or(0, |order| order.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, Key, MAX_CACHED_BYTES};

    fn key(receipt: i64) -> Key {
        Key { location: (1, 1), receipt, options: 0 }
    }

    #[test]
    fn the_oldest_orders_make_room_for_new_ones() {
        let mut cache = Cache::default();
        for receipt in 0..100 {
            cache.insert(key(receipt), vec![0; MAX_CACHED_BYTES / 10].into());
            cache.insert(key(receipt), vec![0; MAX_CACHED_BYTES / 10].into());
            assert!(cache.bytes <= MAX_CACHED_BYTES);
            assert!(cache.get(&key(receipt)).is_some());
        }
        assert_eq!((cache.orders.len(), cache.keys.len()), (10, 10));
        assert!(cache.get(&key(90)).is_some() && cache.get(&key(89)).is_none());
    }
}
