//! Faults on request or at random, to test clients. Off by default.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use axum::http::HeaderMap;
use rust_decimal::Decimal;

use super::problem::{Problem, ProblemType};

/// The header that requests a fault.
pub(crate) const HEADER: &str = "x-fault";

const MAX_LATENCY: Duration = Duration::from_secs(300);

const EXPECTED: &str = "must be latency=<milliseconds up to 300000>, 429, 500, 503, drop or drop-after";

/// Faults that happen at random. Any fault can also be requested with the header `X-Fault`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultSettings {
    /// Faults with their rates. At most one happens per request.
    pub rates: Vec<(InjectedFault, FaultRate)>,
}

/// A fault that the service injects. Parses the value of the header `X-Fault`.
///
/// ```
/// use std::time::Duration;
/// use sales_order_intake::service::InjectedFault;
///
/// let fault: InjectedFault = "latency=250".parse()?;
/// assert_eq!(fault, InjectedFault::Latency(Duration::from_millis(250)));
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InjectedFault {
    /// `latency=<milliseconds>`: the request is delayed.
    Latency(Duration),
    /// `429`: too many requests; nothing is stored.
    RateLimited,
    /// `500`: internal error; nothing is stored.
    Internal,
    /// `503`: temporarily unavailable; nothing is stored.
    Unavailable,
    /// `drop`: the connection is closed; nothing is stored.
    Drop,
    /// `drop-after`: the order is stored, and the connection is closed before the response.
    DropAfter,
}

/// How often a fault happens: a share of all requests from 0 to 1, in steps of 0.000001.
///
/// ```
/// use sales_order_intake::service::FaultRate;
///
/// let rate: FaultRate = "0.0004".parse()?;
/// assert!("1.5".parse::<FaultRate>().is_err());
/// # let _ = rate;
/// # Ok::<(), &'static str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FaultRate {
    per_million: u32,
}

/// Marks a response that is never sent; the connection is closed instead.
#[derive(Clone, Copy)]
pub(crate) struct DropConnection;

impl FaultSettings {
    /// Returns the requested fault, or else a random one, or `None`.
    ///
    /// # Errors
    /// Returns a problem that lists the valid faults if the request asks for an unknown one.
    pub(crate) fn choose(&self, headers: &HeaderMap) -> Result<Option<InjectedFault>, Problem> {
        match headers.get(HEADER) {
            Some(requested) => {
                let fault = requested.to_str().ok().and_then(|requested| requested.parse().ok());
                let unknown =
                    || Problem::new(ProblemType::UnknownFault, ["X-Fault ", EXPECTED, "."].concat());
                fault.map(Some).ok_or_else(unknown)
            }
            None => Ok(self.choose_at_random()),
        }
    }

    fn choose_at_random(&self) -> Option<InjectedFault> {
        if self.rates.is_empty() {
            return None;
        }
        let mut rest = random_below_one_million()?;
        for (fault, rate) in &self.rates {
            match rest.checked_sub(rate.per_million) {
                Some(more) => rest = more,
                None => return Some(*fault),
            }
        }
        None
    }
}

impl InjectedFault {
    /// Returns the response that replaces the operation, or `None` if the fault has another effect.
    pub(crate) fn problem(self) -> Option<Problem> {
        let detail = "This fault was injected; nothing was stored.";
        match self {
            Self::RateLimited => Some(Problem::new(ProblemType::RateLimited, detail).retry_after("1")),
            Self::Internal => Some(Problem::new(ProblemType::Internal, detail)),
            Self::Unavailable => Some(Problem::new(ProblemType::Unavailable, detail).retry_after("1")),
            Self::Latency(_) | Self::Drop | Self::DropAfter => None,
        }
    }
}

impl FromStr for InjectedFault {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "429" => Self::RateLimited,
            "500" => Self::Internal,
            "503" => Self::Unavailable,
            "drop" => Self::Drop,
            "drop-after" => Self::DropAfter,
            _ => {
                let digits = text.strip_prefix("latency=").ok_or(EXPECTED)?;
                let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
                let latency = digits.parse().ok().filter(|_| is_number).map(Duration::from_millis);
                Self::Latency(latency.filter(|latency| *latency <= MAX_LATENCY).ok_or(EXPECTED)?)
            }
        })
    }
}

impl fmt::Display for InjectedFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latency(latency) => write!(f, "latency={}", latency.as_millis()),
            Self::RateLimited => f.write_str("429"),
            Self::Internal => f.write_str("500"),
            Self::Unavailable => f.write_str("503"),
            Self::Drop => f.write_str("drop"),
            Self::DropAfter => f.write_str("drop-after"),
        }
    }
}

impl FromStr for FaultRate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = "the rate must be a number from 0 to 1";
        let rate = crate::decimal::parse_decimal(text).map_err(|_| range)?.normalize();
        if !(Decimal::ZERO..=Decimal::ONE).contains(&rate) {
            return Err(range);
        }
        if rate.scale() > 6 {
            return Err("the rate must have at most 6 decimal places; the smallest is 0.000001");
        }
        let per_million = rate.checked_mul(Decimal::from(1_000_000)).and_then(|rate| rate.try_into().ok());
        Ok(Self { per_million: per_million.ok_or(range)? })
    }
}

/// Returns `None` if the platform has no secure random source.
fn random_below_one_million() -> Option<u32> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    u32::try_from(u64::from_le_bytes(bytes) % 1_000_000).ok()
}

#[cfg(test)]
mod tests {
    use super::{FaultRate, FaultSettings, InjectedFault};

    #[test]
    fn a_fault_is_parsed_as_it_is_displayed() {
        for text in ["latency=250", "429", "500", "503", "drop", "drop-after"] {
            assert_eq!(text.parse::<InjectedFault>().unwrap().to_string(), text);
        }
        for text in ["", "418", "latency", "latency=", "latency=-1", "latency=+1", "latency=300001"] {
            assert!(text.parse::<InjectedFault>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_rate_is_exact_or_rejected() {
        for (text, per_million) in
            [("0", 0), ("0.05", 50_000), ("0.0004", 400), ("0.000001", 1), ("1.00", 1_000_000)]
        {
            assert_eq!(text.parse::<FaultRate>().unwrap().per_million, per_million, "{text}");
        }
        let max = rust_decimal::Decimal::MAX.to_string();
        for (text, error) in [
            ("0.0000004", "at most 6 decimal places"),
            ("0.0000015", "at most 6 decimal places"),
            ("1.000001", "from 0 to 1"),
            ("-0.1", "from 0 to 1"),
            ("half", "from 0 to 1"),
            (&max, "from 0 to 1"),
        ] {
            assert!(text.parse::<FaultRate>().unwrap_err().contains(error), "{text}");
        }
    }

    #[test]
    fn a_fault_with_rate_1_always_happens_and_one_with_rate_0_never() {
        let rate = |text: &str| text.parse::<FaultRate>().unwrap();
        let rates = vec![(InjectedFault::Drop, rate("0")), (InjectedFault::Internal, rate("1"))];
        let settings = FaultSettings { rates };
        assert!((0..100).all(|_| settings.choose_at_random() == Some(InjectedFault::Internal)));
        assert_eq!(FaultSettings::default().choose_at_random(), None);
    }
}
