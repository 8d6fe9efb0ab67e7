//! How often faults happen at random.

use std::str::FromStr;

use http::HeaderMap;
use rust_decimal::Decimal;

use super::{EXPECTED, HEADER, InjectedFault};
use crate::problem::{Problem, ProblemType};

/// Faults that happen at random. Any fault can also be requested with the header `X-Fault`.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FaultSettings {
    /// Faults with their rates, which add up to at most 1. At most one happens per request.
    pub(super) rates: Vec<(InjectedFault, FaultRate)>,
}

/// How often a fault happens: a share of all requests from 0 to 1, in steps of 0.000001.
///
/// ```
/// use sales_order_intake_service::FaultRate;
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

impl FaultSettings {
    /// Creates settings with these rates.
    ///
    /// ```
    /// use sales_order_intake_service::{FaultSettings, InjectedFault};
    ///
    /// let rates = |rate: &str| -> Result<_, &str> {
    ///     Ok(vec![(InjectedFault::Drop, rate.parse()?), (InjectedFault::Unavailable, rate.parse()?)])
    /// };
    /// assert!(FaultSettings::with_rates(rates("0.5")?).is_ok());
    /// assert!(FaultSettings::with_rates(rates("0.500001")?).is_err());
    /// # Ok::<(), &'static str>(())
    /// ```
    ///
    /// # Errors
    /// Returns a message if the rates add up to more than 1: some faults would happen less often than their rates.
    pub fn with_rates(rates: Vec<(InjectedFault, FaultRate)>) -> Result<Self, &'static str> {
        let sum: u64 = rates.iter().map(|(_, rate)| u64::from(rate.per_million)).sum();
        if sum > 1_000_000 {
            return Err("the rates of all faults together must be at most 1");
        }
        Ok(Self { rates })
    }

    /// Returns the requested fault, or else a random one, or `None`.
    ///
    /// # Errors
    /// Returns a problem that lists the valid faults if the request asks for an unknown one.
    pub(super) fn choose(&self, headers: &HeaderMap) -> Result<Option<InjectedFault>, Problem> {
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

impl FromStr for FaultRate {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let range = "the rate must be a number from 0 to 1";
        let rate = sales_order_intake::parse_decimal(text).map_err(|_| range)?.normalize();
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
        let settings = FaultSettings::with_rates(rates).unwrap();
        assert!((0..100).all(|_| settings.choose_at_random() == Some(InjectedFault::Internal)));
        assert_eq!(FaultSettings::default().choose_at_random(), None);
    }
}
