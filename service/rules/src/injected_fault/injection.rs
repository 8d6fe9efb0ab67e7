//! Which fault a request gets.

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
    /// Returns how long the request waits before it is received.
    #[must_use]
    pub fn delay(&self) -> Duration {
        if let InjectedFault::Latency(delay) = self.fault { delay } else { Duration::ZERO }
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

/// Returns the fault of a request, and its response if the fault replaces it. A PUT with a valid token gets the fault that it asks
/// for, or a random one. A request that asks for none gets the scripted one. While the service is down, all are refused.
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
        _ => None,
    };
    let is_down = faults.outage.rest(now).is_some();
    let injection = chosen.map(|fault| Injection { fault, is_scripted: false }).or_else(|| {
        let scripted = faults.scripted.filter(|_| !is_down)?;
        Some(Injection { fault: scripted, is_scripted: true })
    });
    if let Some(Injection { fault: InjectedFault::DownUntil(length), .. }) = injection {
        faults.outage = Outage::of(now, length);
    }
    let is_scripted = injection.is_some_and(|injection| injection.is_scripted);
    let Some(rest) = faults.outage.rest(now) else {
        let response = injection.and_then(|injection| injection.fault.response());
        return Ok((injection, response));
    };
    let fault = match rest {
        Rest::Of(rest) => InjectedFault::DownUntil(rest),
        Rest::Endless => InjectedFault::Down,
    };
    Ok((Some(Injection { fault, is_scripted }), Some(outage::problem(rest).response())))
}
