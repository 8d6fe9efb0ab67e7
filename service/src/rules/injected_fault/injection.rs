//! Which fault a request gets.

use std::time::Instant;

use http::{HeaderMap, Method};

use super::outage::{self, Outage};
use super::{FaultSettings, HEADER, InjectedFault};
use crate::problem::Problem;

/// A fault of one request.
#[derive(Debug)]
pub(crate) struct Injection {
    pub(crate) fault: InjectedFault,
    /// The response instead of that of the operation; `None` if the fault has another effect.
    pub(crate) response: Option<Problem>,
}

/// Returns the fault of a request: the requested one, or a random one, if it is a PUT with a valid token; or an outage, which
/// every request gets while it lasts. Returns `None` if there is none.
///
/// # Errors
/// Returns a problem that lists the valid faults if the request asks for an unknown one.
pub(crate) fn inject(
    faults: Option<&FaultSettings>,
    outage: &Outage,
    method: &Method,
    headers: &HeaderMap,
    is_authenticated: impl FnOnce() -> bool,
    now: Instant,
) -> Result<Option<Injection>, Problem> {
    let fault = match faults {
        // The handler rejects other methods and tokens. Most requests get no fault, so their tokens are not checked twice.
        Some(faults) if method == Method::PUT && faults.may_affect(headers) && is_authenticated() => {
            faults.choose(headers)?
        }
        _ => None,
    };
    if let Some(InjectedFault::DownUntil(length)) = fault {
        outage.start(now, length);
    }
    Ok(match outage.rest(now) {
        Some(rest) => {
            let response = Some(outage::problem(rest));
            Some(Injection { fault: InjectedFault::DownUntil(rest), response })
        }
        None => fault.map(|fault| Injection { fault, response: fault.problem() }),
    })
}

impl FaultSettings {
    fn may_affect(&self, headers: &HeaderMap) -> bool {
        headers.contains_key(HEADER) || !self.rates.is_empty()
    }
}
