//! Orders that have been shown, so that polling pages cost little. A stored order never changes.

use std::collections::{HashMap, VecDeque};

use axum::body::Bytes;

/// The maximum size of all orders in bytes.
const MAX_BYTES: usize = 8 << 20;

/// An order, and the options of its preview.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub(super) company: u32,
    pub(super) entity: u32,
    pub(super) receipt: i64,
    /// A hash.
    pub(super) options: u64,
}

/// Contains the orders that were added most recently.
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
        while self.bytes > MAX_BYTES {
            let Some(oldest) = self.keys.pop_front() else { return };
            let removed = self.orders.remove(&oldest);
            self.bytes -= removed.map_or(0, |order| order.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cache, Key, MAX_BYTES};

    fn key(receipt: i64) -> Key {
        Key { company: 1, entity: 1, receipt, options: 0 }
    }

    #[test]
    fn the_oldest_orders_make_room_for_new_ones() {
        let mut cache = Cache::default();
        for receipt in 0..100 {
            cache.insert(key(receipt), vec![0; MAX_BYTES / 10].into());
            cache.insert(key(receipt), vec![0; MAX_BYTES / 10].into());
            assert!(cache.bytes <= MAX_BYTES);
            assert!(cache.get(&key(receipt)).is_some());
        }
        assert_eq!((cache.orders.len(), cache.keys.len()), (10, 10));
        assert!(cache.get(&key(90)).is_some() && cache.get(&key(89)).is_none());
    }
}
