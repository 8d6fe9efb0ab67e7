//! Which fault a request gets.

use std::fmt;
use std::time::Duration;

use http::{Method, Response};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use super::{FaultSettings, InjectedFault};
use crate::order_request::Head;
use crate::problem::{Problem, ProblemType};

/// Where faults come from.
pub struct Faults<'f> {
    /// Faults on request and at random; `None` turns both off.
    pub settings: Option<&'f FaultSettings>,
    /// The fault that a test asks for, for the next request.
    pub scripted: Option<InjectedFault>,
    /// Draws a number below a million; `None` if the platform has no random source.
    pub random: &'f dyn Fn() -> Option<u32>,
    /// Whether the service is down. A fault may change it.
    pub outage: Outage,
}

/// A fault of one request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Injection {
    /// The fault.
    pub fault: InjectedFault,
    /// How long the response waits after everything else has happened: the order is stored.
    pub delay: Duration,
    /// Whether it is the one that the test asked for.
    pub is_scripted: bool,
}

/// What is lost with the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lost {
    /// The request: nothing is stored.
    Request,
    /// The response: the order is stored.
    Response,
}

impl Injection {
    fn new(latency: Option<InjectedFault>, fault: InjectedFault, is_scripted: bool) -> Self {
        let delays = [Some(fault), latency].map(|fault| match fault {
            Some(InjectedFault::Latency(delay)) => delay,
            _ => Duration::ZERO,
        });
        Self { fault, delay: delays.iter().sum(), is_scripted }
    }

    /// Returns what is lost if the fault closes the connection, or `None` if it does not.
    #[must_use]
    pub fn loses(&self) -> Option<Lost> {
        match self.fault {
            InjectedFault::Drop => Some(Lost::Request),
            InjectedFault::DropAfter => Some(Lost::Response),
            _ => None,
        }
    }
}

/// Such as `503, latency=300`.
impl fmt::Display for Injection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { fault, delay, .. } = *self;
        write!(f, "{fault}")?;
        if delay.is_zero() || matches!(fault, InjectedFault::Latency(_)) {
            return Ok(());
        }
        write!(f, ", {}", InjectedFault::Latency(delay))
    }
}

/// Whether the service is down, and until when.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outage {
    /// It is up.
    #[default]
    None,
    /// It is down until this time.
    Until(#[serde(with = "time::serde::rfc3339")] OffsetDateTime),
    /// It is down until somebody ends it.
    Endless,
}

impl Outage {
    /// Returns an outage of this length; none if it is zero.
    pub(super) fn of(now: OffsetDateTime, length: Duration) -> Self {
        let end = length.try_into().ok().and_then(|length| now.checked_add(length));
        end.map_or(Self::Endless, Self::Until)
    }

    /// Returns the fault of every order request during an outage, and its problem; `None` if the service is up.
    /// A problem without an end has no Retry-After.
    pub(super) fn fault(self, now: OffsetDateTime) -> Option<(InjectedFault, Problem)> {
        let problem = Problem::new(ProblemType::Unavailable, "This outage was injected; nothing was stored.");
        match self {
            Self::None => None,
            Self::Endless => Some((InjectedFault::Down, problem)),
            Self::Until(end) => {
                let rest = Duration::try_from(end - now).ok().filter(|rest| !rest.is_zero())?;
                let seconds = rest.as_millis().div_ceil(1000).try_into().unwrap_or(u64::MAX);
                Some((InjectedFault::DownUntil(rest), problem.retry_after(seconds)))
            }
        }
    }
}

/// Returns the fault of a request, and its response if the fault replaces it. A PUT with a valid token gets the
/// fault that it asks for, or a random one. A request that gets neither gets the scripted one. While the
/// service is down, all are refused.
pub(crate) fn inject(
    faults: &mut Faults<'_>,
    head: Head<'_>,
    is_authenticated: impl FnOnce() -> bool,
    now: OffsetDateTime,
) -> Result<(Option<Injection>, Option<Response<String>>), Problem> {
    let chosen = match faults.settings {
        Some(settings)
            if head.method == Method::PUT && settings.may_affect(head.headers) && is_authenticated() =>
        {
            settings.choose(head.headers, faults.random)?
        }
        _ => [None; 2],
    };
    let is_down = faults.outage.fault(now).is_some();
    let injection = match chosen {
        [Some(latency), None] => Some(Injection::new(None, latency, false)),
        [latency, Some(fault)] => Some(Injection::new(latency, fault, false)),
        [None, None] => {
            let scripted = faults.scripted.filter(|_| !is_down);
            scripted.map(|fault| Injection::new(None, fault, true))
        }
    };
    if let Some(Injection { fault: InjectedFault::DownUntil(length), .. }) = injection {
        faults.outage = Outage::of(now, length);
    }
    let Some((fault, problem)) = faults.outage.fault(now) else {
        let response = injection.and_then(|injection| injection.fault.response());
        return Ok((injection, response));
    };
    let is_scripted = injection.is_some_and(|injection| injection.is_scripted);
    Ok((Some(Injection::new(None, fault, is_scripted)), Some(problem.response())))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use time::OffsetDateTime;

    use super::{InjectedFault, Outage};

    #[test]
    fn an_outage_lasts_until_its_seconds_have_passed() {
        let (now, second, rest) =
            (OffsetDateTime::UNIX_EPOCH, Duration::from_secs(1), Duration::from_millis(1));
        let fault = |outage: Outage, now| outage.fault(now).map(|(fault, _)| fault);
        assert_eq!(fault(Outage::None, now), None);
        let outage = Outage::of(now, second);
        assert_eq!(fault(outage, now), Some(InjectedFault::DownUntil(second)));
        assert_eq!(fault(outage, now + second - rest), Some(InjectedFault::DownUntil(rest)));
        for after in [second, 2 * second] {
            assert_eq!(fault(outage, now + after), None);
        }
        assert_eq!(fault(Outage::of(now, Duration::ZERO), now), None);
        assert_eq!(fault(Outage::of(now, Duration::MAX), now), Some(InjectedFault::Down));
    }
}
