//! A service that is down for a while, to test clients that wait or deliver later.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::problem::{Problem, ProblemType};

/// Whether the service is down, and until when.
#[derive(Default)]
pub(crate) struct Outage(Mutex<Option<Instant>>);

impl Outage {
    /// Starts an outage of this length, or ends one if it is zero.
    pub(crate) fn start(&self, length: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Instant::now().checked_add(length);
    }

    /// Returns the rest of the outage, or `None` if the service is up.
    pub(crate) fn rest(&self) -> Option<Duration> {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until?.checked_duration_since(Instant::now()).filter(|rest| !rest.is_zero())
    }
}

/// Returns the response to every order request during an outage.
pub(crate) fn problem(rest: Duration) -> Problem {
    let seconds = rest.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX);
    let detail = "This outage was injected; nothing was stored.";
    Problem::new(ProblemType::Unavailable, detail).retry_after(seconds)
}

// Simulated time is a feature of the tests.
#[cfg(all(test, feature = "test-service"))]
mod tests {
    use std::time::Duration;

    use tokio::time::advance;

    use super::Outage;

    #[tokio::test(start_paused = true)]
    async fn an_outage_lasts_until_its_seconds_have_passed_or_it_is_ended() {
        let (outage, [second, rest]) = (Outage::default(), [1000, 1].map(Duration::from_millis));
        assert_eq!(outage.rest(), None);
        outage.start(second);
        assert_eq!(outage.rest(), Some(second));
        advance(second - rest).await;
        assert_eq!(outage.rest(), Some(rest));
        advance(rest).await;
        assert_eq!(outage.rest(), None);
        outage.start(second);
        outage.start(Duration::ZERO);
        assert_eq!(outage.rest(), None);
    }
}
