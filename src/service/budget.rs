//! Memory for the bodies of all requests together: what one connection may send is limited, but not how many there are.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes that are left for bodies.
#[derive(Clone)]
pub(crate) struct Budget {
    left: Arc<AtomicUsize>,
}

/// Bytes of one body, which count until it is dropped.
pub(crate) struct Held {
    budget: Budget,
    bytes: usize,
}

impl Budget {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { left: Arc::new(AtomicUsize::new(bytes)) }
    }

    /// A body of which nothing has come yet: what was only announced takes no memory.
    pub(crate) fn body(&self) -> Held {
        Held { budget: self.clone(), bytes: 0 }
    }
}

impl Held {
    /// Takes room for what has come; false where there is none.
    #[must_use]
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let left = &self.budget.left;
        let taken = left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| left.checked_sub(bytes));
        if taken.is_ok() {
            self.bytes += bytes;
        }
        taken.is_ok()
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        self.budget.left.fetch_add(self.bytes, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::Budget;

    #[test]
    fn what_a_body_held_is_free_again_when_it_is_gone() {
        let budget = Budget::new(100);
        let (mut one, mut other) = (budget.body(), budget.body());
        assert!(one.take(60) && other.take(40));
        assert!(!one.take(1), "nothing is left");
        assert!(other.take(0));
        drop(other);
        assert!(!one.take(41), "what could not be taken is not held");
        assert!(one.take(40));
        drop(one);
        assert!(budget.body().take(100));
    }
}
