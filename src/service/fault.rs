//! Faults on demand, for those who test their client: off unless a flag turns them on.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use axum::http::HeaderMap;

use super::problem::{Kind, Problem};

/// The header that asks for a fault, with one of [`Fault`]'s texts.
pub(crate) const HEADER: &str = "x-fault";

/// How long a request can be asked to wait.
const LONGEST: Duration = Duration::from_secs(300);

/// Which faults happen without being asked for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultSettings {
    /// Faults, each with how often it happens in a thousand requests.
    pub rates: Vec<(Fault, u16)>,
}

/// What goes wrong on purpose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// `latency=<milliseconds>`: the answer takes longer.
    Latency(Duration),
    /// `429`: too many requests, nothing is stored.
    RateLimited,
    /// `500`: the service failed, nothing is stored.
    Internal,
    /// `503`: the service can't now, nothing is stored.
    Unavailable,
    /// `drop`: the connection is dropped, nothing is stored.
    Drop,
    /// `drop-after`: the order is stored, and the connection is dropped before the answer.
    DropAfter,
}

/// Marks an answer that is never to arrive.
#[derive(Clone, Copy)]
pub(crate) struct Dropped;

impl FaultSettings {
    /// The fault that the header asks for, else the one that chance has for this request.
    pub(crate) fn choose(&self, headers: &HeaderMap) -> Option<Fault> {
        if let Some(asked) = headers.get(HEADER) {
            return asked.to_str().ok()?.parse().ok();
        }
        if self.rates.is_empty() {
            return None;
        }
        let mut left = chance()?;
        for (fault, rate) in &self.rates {
            match left.checked_sub(*rate) {
                Some(rest) => left = rest,
                None => return Some(*fault),
            }
        }
        None
    }
}

impl Fault {
    /// What is answered instead of doing anything.
    pub(crate) fn problem(self) -> Option<Problem> {
        let detail = "A fault that was asked for; nothing was stored.";
        match self {
            Self::RateLimited => Some(Problem::new(Kind::RateLimited, detail).retry_after("1")),
            Self::Internal => Some(Problem::new(Kind::Internal, detail)),
            Self::Unavailable => Some(Problem::new(Kind::Unavailable, detail).retry_after("1")),
            Self::Latency(_) | Self::Drop | Self::DropAfter => None,
        }
    }
}

impl FromStr for Fault {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Ok(match text {
            "429" => Self::RateLimited,
            "500" => Self::Internal,
            "503" => Self::Unavailable,
            "drop" => Self::Drop,
            "drop-after" => Self::DropAfter,
            _ => {
                let wait = text.strip_prefix("latency=").and_then(|wait| wait.parse().ok());
                let wait = wait.map(Duration::from_millis).filter(|wait| *wait <= LONGEST);
                Self::Latency(wait.ok_or(
                    "must be latency=<milliseconds up to 300000>, 429, 500, 503, drop or drop-after",
                )?)
            }
        })
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Latency(wait) => write!(f, "latency={}", wait.as_millis()),
            Self::RateLimited => f.write_str("429"),
            Self::Internal => f.write_str("500"),
            Self::Unavailable => f.write_str("503"),
            Self::Drop => f.write_str("drop"),
            Self::DropAfter => f.write_str("drop-after"),
        }
    }
}

/// A number from 0 to 999, by chance.
fn chance() -> Option<u16> {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).ok()?;
    u16::try_from(u64::from_le_bytes(bytes) % 1000).ok()
}

#[cfg(test)]
mod tests {
    use super::{Fault, FaultSettings};
    use axum::http::HeaderMap;

    #[test]
    fn a_fault_is_read_as_it_is_printed() {
        for text in ["latency=250", "429", "500", "503", "drop", "drop-after"] {
            assert_eq!(text.parse::<Fault>().unwrap().to_string(), text);
        }
        for text in ["", "418", "latency", "latency=-1", "latency=300001"] {
            assert!(text.parse::<Fault>().is_err(), "{text}");
        }
    }

    #[test]
    fn a_fault_of_a_thousand_in_a_thousand_always_happens_and_one_of_none_never() {
        let headers = HeaderMap::new();
        let settings = FaultSettings { rates: vec![(Fault::Drop, 0), (Fault::Internal, 1000)] };
        assert!((0..100).all(|_| settings.choose(&headers) == Some(Fault::Internal)));
        assert_eq!(FaultSettings::default().choose(&headers), None);
    }
}
