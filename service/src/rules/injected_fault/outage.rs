//! A service that is down for a while, to test clients that wait or deliver later.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::problem::{Problem, ProblemType};

/// Whether the service is down, and until when.
#[derive(Default)]
pub(crate) struct Outage(Mutex<Option<Instant>>);

impl Outage {
    /// Starts an outage of this length, or ends one if it is zero.
    pub(super) fn start(&self, now: Instant, length: Duration) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = now.checked_add(length);
    }

    /// Returns the rest of the outage, or `None` if the service is up.
    pub(super) fn rest(&self, now: Instant) -> Option<Duration> {
        let until = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        until?.checked_duration_since(now).filter(|rest| !rest.is_zero())
    }
}

/// Returns the response to every order request during an outage.
pub(super) fn problem(rest: Duration) -> Problem {
    let seconds = rest.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX);
    let detail = "This outage was injected; nothing was stored.";
    Problem::new(ProblemType::Unavailable, detail).retry_after(seconds)
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::Outage;

    #[test]
    fn an_outage_lasts_until_its_seconds_have_passed_or_it_is_ended() {
        let (outage, now, second) = (Outage::default(), Instant::now(), Duration::from_secs(1));
        assert_eq!(outage.rest(now), None);
        outage.start(now, second);
        assert_eq!(outage.rest(now), Some(second));
        let rest = Duration::from_millis(1);
        assert_eq!(outage.rest(now + second - rest), Some(rest));
        assert_eq!(outage.rest(now + second), None);
        outage.start(now, second);
        outage.start(now, Duration::ZERO);
        assert_eq!(outage.rest(now), None);
    }
}
