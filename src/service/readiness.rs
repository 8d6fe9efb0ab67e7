//! Whether orders can be stored: a probe that writes, at most one a second, with a time limit.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use super::store::Store;

/// The time limit of a response. A database that commits more slowly is not ready.
const TIME: Duration = Duration::from_secs(2);

/// How long a result is used again, so that requests without a token cause few writes.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The last result, and when it was known. Locked while a probe runs, so that only one does.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Instant, bool)>>);

/// The reason why orders cannot be stored is in the log.
#[derive(Debug)]
pub(crate) struct NotReady;

impl Readiness {
    /// Checks that a commit succeeds. Responds within two seconds.
    pub(crate) async fn check(&self, store: &Store) -> Result<(), NotReady> {
        let deadline = Instant::now() + TIME;
        // A check that waits for the probe of another check uses its result.
        let mut last = timeout_at(deadline, self.0.lock()).await.map_err(|_| NotReady)?;
        let known = last.filter(|(at, _)| at.elapsed() < MAX_AGE);
        let ready = match known {
            Some((_, ready)) => ready,
            None => {
                let ready = probe(store, deadline).await;
                *last = Some((Instant::now(), ready));
                ready
            }
        };
        if ready { Ok(()) } else { Err(NotReady) }
    }
}

async fn probe(store: &Store, deadline: Instant) -> bool {
    match timeout_at(deadline, store.probe()).await {
        Ok(Ok(())) => return true,
        Ok(Err(error)) => tracing::error!(%error, "not ready"),
        Err(_) => tracing::error!(error = "the database needs more than 2 seconds for a commit", "not ready"),
    }
    false
}
