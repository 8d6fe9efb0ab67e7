//! Faults on request or at random, to test clients. Off by default.

mod injection;
mod rates;
mod scripted;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use http::{Response, StatusCode};

use crate::problem::{Problem, ProblemType};
pub(crate) use injection::inject;
pub use injection::{Faults, Injection, Lost, Outage};
pub use rates::{FaultRate, FaultSettings};
pub use scripted::SCRIPTED;

/// The header that requests a fault.
pub const HEADER: &str = "x-fault";

const MAX_LATENCY: Duration = Duration::from_secs(300);
const MAX_OUTAGE: Duration = Duration::from_secs(86_400);

macro_rules! problems {
    ($($status:literal $problem_type:ident;)*) => {
        /// The problems that a request can ask for, by their statuses.
        const PROBLEMS: &[(&str, ProblemType)] = &[$(($status, ProblemType::$problem_type)),*];

        const EXPECTED: &str = concat!(
            "must be latency=<milliseconds up to 300000>, ", $($status, ", ",)*
            "drop, drop-after or down-until=<seconds up to 86400>"
        );
    };
}

problems! {
    "401" Unauthenticated;
    "403" Forbidden;
    "404" NotFound;
    "409" Conflict;
    "429" RateLimited;
    "500" Internal;
    "503" Unavailable;
}

/// A fault that the service injects. Parses the value of the header `X-Fault`.
///
/// ```
/// use std::time::Duration;
/// use service_rules::injected_fault::InjectedFault;
///
/// let fault: InjectedFault = "latency=250".parse()?;
/// assert_eq!(fault, InjectedFault::Latency(Duration::from_millis(250)));
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InjectedFault {
    /// `latency=<milliseconds>`: the order is stored, and its response is delayed.
    Latency(Duration),
    /// The status of a problem, such as `503`: the order is refused with this problem; nothing is stored.
    Problem(ProblemType),
    /// `drop`: the connection is closed; nothing is stored.
    Drop,
    /// `drop-after`: the order is stored, and the connection is closed before the response.
    DropAfter,
    /// `down-until=<seconds>`: from now on, every order request gets 503 until the seconds have passed;
    /// nothing is stored. 0 ends it at once.
    DownUntil(Duration),
    /// `down`: the service is down until a test ends it.
    Down,
    /// A status that the service itself never responds with; nothing is stored. Only by a test.
    Status(StatusCode),
    /// `html=<status>`: a page, as an intermediary such as a proxy sends it; nothing is stored. Only by a
    /// test.
    Page(StatusCode),
    /// `redirect`: 302 to another address; nothing is stored. Only by a test.
    Redirect,
}

const NOTHING_STORED: &str = "This fault was injected; nothing was stored.";

impl InjectedFault {
    /// Returns the response that replaces the operation, or `None` if the fault has another effect.
    pub(crate) fn response(self) -> Option<Response<String>> {
        match self {
            Self::Problem(problem_type) => {
                let problem = Problem::new(problem_type, NOTHING_STORED);
                Some(match problem_type {
                    ProblemType::Unauthenticated => Problem::unauthenticated(NOTHING_STORED).response(),
                    ProblemType::RateLimited | ProblemType::Unavailable => problem.retry_after(1).response(),
                    _ => problem.response(),
                })
            }
            Self::Status(_) | Self::Page(_) | Self::Redirect => scripted::response(self),
            Self::Latency(_) | Self::Drop | Self::DropAfter | Self::DownUntil(_) | Self::Down => None,
        }
    }
}

impl FromStr for InjectedFault {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "drop" => return Ok(Self::Drop),
            "drop-after" => return Ok(Self::DropAfter),
            _ => {}
        }
        if let Some((_, problem_type)) = PROBLEMS.iter().find(|(status, _)| *status == text) {
            return Ok(Self::Problem(*problem_type));
        }
        let (name, number) = text.split_once('=').ok_or(EXPECTED)?;
        let is_number = number.bytes().all(|digit| digit.is_ascii_digit());
        let number = number.parse().ok().filter(|_| is_number).ok_or(EXPECTED)?;
        let (fault, duration, max): (fn(Duration) -> Self, _, _) = match name {
            "latency" => (Self::Latency, Duration::from_millis(number), MAX_LATENCY),
            "down-until" => (Self::DownUntil, Duration::from_secs(number), MAX_OUTAGE),
            _ => return Err(EXPECTED),
        };
        if duration > max { Err(EXPECTED) } else { Ok(fault(duration)) }
    }
}

impl fmt::Display for InjectedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latency(latency) => write!(f, "latency={}", latency.as_millis()),
            Self::DownUntil(duration) => write!(f, "down-until={}", duration.as_secs()),
            Self::Problem(problem_type) => f.write_str(problem_type.status().as_str()),
            Self::Drop => f.write_str("drop"),
            Self::DropAfter => f.write_str("drop-after"),
            Self::Down => f.write_str("down"),
            Self::Status(status) => f.write_str(status.as_str()),
            Self::Page(StatusCode::OK) => f.write_str("html"),
            Self::Page(status) => write!(f, "html={}", status.as_str()),
            Self::Redirect => f.write_str("redirect"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::InjectedFault;

    #[test]
    fn a_fault_is_parsed_as_it_is_displayed() {
        let faults = "latency=250 401 403 404 409 429 500 503 drop drop-after down-until=86400 down-until=0";
        for text in faults.split(' ') {
            assert_eq!(text.parse::<InjectedFault>().unwrap().to_string(), text);
        }
        let invalid = [
            "",
            "418",
            "latency",
            "latency=",
            "latency=-1",
            "latency=+1",
            "latency=300001",
            "down-until=86401",
        ];
        for text in invalid {
            assert!(text.parse::<InjectedFault>().is_err(), "{text}");
        }
    }
}
