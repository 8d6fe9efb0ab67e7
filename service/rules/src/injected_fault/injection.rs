//! Which fault a request gets.

use std::fmt;
use std::time::Duration;

use http::{Method, Response};
use jiff::Timestamp;

use super::outage::{self, Outage, Rest};
use super::{FaultSettings, InjectedFault};
use crate::order_request::Head;
use crate::problem::Problem;

/// Where faults come from.
pub struct Faults<'f> {
    /// Faults on request and at random; `None` turns both off.
    pub settings: Option<&'f FaultSettings>,
    /// The fault that a test wants for the next request.
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
    /// How long the request waits before anything else happens to it.
    pub delay: Duration,
    /// Whether it is the one that the test wanted.
    pub is_scripted: bool,
}

/// What is lost with the connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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

    /// Returns what is lost with the connection, if it is.
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

/// Returns the fault of a request, and its response if the fault replaces it. A PUT with a valid token gets
/// the fault that it asks for, or a random one. A request that asks for none gets the scripted one. While the
/// service is down, all are refused.
pub(crate) fn inject(
    faults: &mut Faults<'_>,
    head: Head<'_>,
    is_authenticated: impl FnOnce() -> bool,
    now: Timestamp,
) -> Result<(Option<Injection>, Option<Response<String>>), Problem> {
    let chosen = match faults.settings {
        Some(settings)
            if head.method == Method::PUT && settings.may_affect(head.headers) && is_authenticated() =>
        {
            settings.choose(head.headers, faults.random)?
        }
        _ => [None; 2],
    };
    let is_down = faults.outage.rest(now).is_some();
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
    let Some(rest) = faults.outage.rest(now) else {
        let response = injection.and_then(|injection| injection.fault.response());
        return Ok((injection, response));
    };
    let fault = match rest {
        Rest::Of(rest) => InjectedFault::DownUntil(rest),
        Rest::Endless => InjectedFault::Down,
    };
    let is_scripted = injection.is_some_and(|injection| injection.is_scripted);
    Ok((Some(Injection::new(None, fault, is_scripted)), Some(outage::problem(rest).response())))
}
