//! A service that is down for a while, to test clients that wait or deliver later.

use std::time::Duration;

use jiff::Timestamp;

use crate::problem::{Problem, ProblemType};

/// Whether the service is down, and until when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outage {
    /// It is up.
    #[default]
    None,
    /// It is down until this time.
    Until(Timestamp),
    /// It is down until somebody ends it.
    Endless,
}

/// The rest of an outage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rest {
    Of(Duration),
    Endless,
}

impl Outage {
    /// Returns an outage of this length; none if it is zero.
    pub(super) fn of(now: Timestamp, length: Duration) -> Self {
        now.checked_add(length).map_or(Self::Endless, Self::Until)
    }

    /// Returns the rest of the outage, or `None` if the service is up.
    pub(super) fn rest(self, now: Timestamp) -> Option<Rest> {
        match self {
            Self::None => None,
            Self::Endless => Some(Rest::Endless),
            Self::Until(end) => {
                let rest = Duration::try_from(end.duration_since(now)).ok()?;
                Some(Rest::Of(rest)).filter(|_| !rest.is_zero())
            }
        }
    }
}

/// Returns the response to every order request during an outage. One without an end has no Retry-After.
pub(super) fn problem(rest: Rest) -> Problem {
    let problem = Problem::new(ProblemType::Unavailable, "This outage was injected; nothing was stored.");
    match rest {
        Rest::Of(rest) => problem.retry_after(rest.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX)),
        Rest::Endless => problem,
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use jiff::Timestamp;

    use super::{Outage, Rest};

    #[test]
    fn an_outage_lasts_until_its_seconds_have_passed() {
        let (now, second, rest) = (Timestamp::UNIX_EPOCH, Duration::from_secs(1), Duration::from_millis(1));
        assert_eq!(Outage::None.rest(now), None);
        let outage = Outage::of(now, second);
        assert_eq!(outage.rest(now), Some(Rest::Of(second)));
        assert_eq!(outage.rest(now + second - rest), Some(Rest::Of(rest)));
        for after in [second, 2 * second] {
            assert_eq!(outage.rest(now + after), None);
        }
        assert_eq!(Outage::of(now, Duration::ZERO).rest(now), None);
        assert_eq!(Outage::Endless.rest(Timestamp::MAX), Some(Rest::Endless));
    }
}
