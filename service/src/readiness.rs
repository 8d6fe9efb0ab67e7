//! Whether orders can be stored: a probe that writes, at most one a second, with a time limit.

use std::time::Duration;

use tokio::sync::Mutex;
use tokio::time::{Instant, timeout_at};

use super::store::StoreError;

/// The time limit of a response. A database that commits more slowly is not ready.
const TIME: Duration = Duration::from_secs(2);

/// How long a result is used again, so that requests without a token cause few writes.
const MAX_AGE: Duration = Duration::from_secs(1);

/// The last result, and when it was known. Locked while a probe runs, so that only one does.
#[derive(Default)]
pub(crate) struct Readiness(Mutex<Option<(Instant, bool)>>);

impl Readiness {
    /// Returns true if a commit succeeds: runs the probe, unless a recent result is known. Responds within two
    /// seconds. The reason why orders cannot be stored is in the log.
    pub(crate) async fn check(&self, probe: impl Future<Output = Result<(), StoreError>>) -> bool {
        let deadline = Instant::now() + TIME;
        // A check that waits for the probe of another check uses its result.
        let Ok(mut last) = timeout_at(deadline, self.0.lock()).await else { return false };
        if let Some((at, ready)) = *last
            && at.elapsed() < MAX_AGE
        {
            return ready;
        }
        let result = timeout_at(deadline, probe).await;
        match &result {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::error!(%error, "not ready"),
            Err(_) => {
                tracing::error!(error = "the database needs more than 2 seconds for a commit", "not ready")
            }
        }
        let ready = matches!(result, Ok(Ok(())));
        *last = Some((Instant::now(), ready));
        ready
    }
}

// Simulated time is a feature of the tests.
#[cfg(all(test, feature = "test-service"))]
mod tests {
    use std::future::pending;
    use std::time::Duration;

    use tokio::time::{Instant, advance};

    use super::Readiness;
    use crate::store::StoreError;

    #[tokio::test(start_paused = true)]
    async fn checks_respond_within_two_seconds_although_the_database_does_not() {
        let (readiness, started) = (Readiness::default(), Instant::now());
        let check = || readiness.check(pending());
        assert_eq!(tokio::join!(check(), check()), (false, false));
        assert_eq!(started.elapsed(), Duration::from_secs(2));
    }

    #[tokio::test(start_paused = true)]
    async fn a_result_is_used_again_for_a_second() {
        let readiness = Readiness::default();
        assert!(readiness.check(async { Ok(()) }).await);
        advance(Duration::from_millis(999)).await;
        assert!(readiness.check(async { Err(StoreError::Closed) }).await);
        advance(Duration::from_millis(1)).await;
        assert!(!readiness.check(async { Err(StoreError::Closed) }).await);
        assert!(!readiness.check(async { Ok(()) }).await);
    }
}
