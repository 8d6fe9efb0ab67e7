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
    faults: Vec<(InjectedFault, FaultRate)>,
    /// Latencies are drawn separately: a delayed request may get another fault as well.
    latencies: Vec<(InjectedFault, FaultRate)>,
}

/// How often a fault happens: a share of all requests from 0 to 1, in steps of 0.000001.
///
/// ```
/// use service_rules::injected_fault::FaultRate;
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
    /// Parses a fault and its rate: `503=0.05`, or `latency=2000:0.1`, because that fault contains a `=`
    /// itself.
    ///
    /// ```
    /// use service_rules::injected_fault::FaultSettings;
    ///
    /// assert!(FaultSettings::parse_rate("latency=2000:0.1").is_ok());
    /// assert!(FaultSettings::parse_rate("503").is_err());
    /// ```
    ///
    /// # Errors
    /// Returns a message if the fault or the rate is not valid.
    pub fn parse_rate(text: &str) -> Result<(InjectedFault, FaultRate), &'static str> {
        let (fault, rate) = text
            .rsplit_once(if text.contains(':') { ':' } else { '=' })
            .ok_or("must be a fault and its rate, such as 503=0.05 or latency=2000:0.1")?;
        Ok((fault.parse()?, rate.parse()?))
    }

    /// Creates settings with these rates.
    ///
    /// ```
    /// use service_rules::injected_fault::{FaultSettings, InjectedFault};
    ///
    /// let rates = |rate: &str| -> Result<_, &str> {
    ///     Ok(vec![(InjectedFault::Drop, rate.parse()?), ("503".parse()?, rate.parse()?)])
    /// };
    /// assert!(FaultSettings::with_rates(rates("0.5")?).is_ok());
    /// assert!(FaultSettings::with_rates(rates("0.500001")?).is_err());
    /// # Ok::<(), &'static str>(())
    /// ```
    ///
    /// # Errors
    /// Returns a message if the rates of latencies, or those of other faults, add up to more than 1: some
    /// would happen less often than their rates.
    pub fn with_rates(rates: Vec<(InjectedFault, FaultRate)>) -> Result<Self, &'static str> {
        let (latencies, faults): (Vec<_>, Vec<_>) =
            rates.into_iter().partition(|(fault, _)| matches!(fault, InjectedFault::Latency(_)));
        for group in [&latencies, &faults] {
            let sum: u64 = group.iter().map(|(_, rate)| u64::from(rate.per_million)).sum();
            if sum > 1_000_000 {
                return Err("the rates of all faults together must be at most 1, and those of latencies too");
            }
        }
        Ok(Self { faults, latencies })
    }

    /// Returns the requested fault, or else random ones: a latency, another, or both.
    ///
    /// # Errors
    /// Returns a problem that lists the valid faults if the request asks for an unknown one.
    pub(super) fn choose(
        &self,
        headers: &HeaderMap,
        random: &dyn Fn() -> Option<u32>,
    ) -> Result<[Option<InjectedFault>; 2], Problem> {
        match headers.get(HEADER) {
            Some(requested) => {
                let fault = requested.to_str().ok().and_then(|requested| requested.parse().ok());
                let unknown =
                    || Problem::new(ProblemType::UnknownFault, ["X-Fault ", EXPECTED, "."].concat());
                Ok([None, Some(fault.ok_or_else(unknown)?)])
            }
            None => Ok([drawn(&self.latencies, random), drawn(&self.faults, random)]),
        }
    }

    /// Returns true if a request with these headers may get a fault.
    pub(super) fn may_affect(&self, headers: &HeaderMap) -> bool {
        headers.contains_key(HEADER) || !self.faults.is_empty() || !self.latencies.is_empty()
    }
}

fn drawn(faults: &[(InjectedFault, FaultRate)], random: &dyn Fn() -> Option<u32>) -> Option<InjectedFault> {
    if faults.is_empty() {
        return None;
    }
    let mut rest = random()?;
    for (fault, rate) in faults {
        match rest.checked_sub(rate.per_million) {
            Some(more) => rest = more,
            None => return Some(*fault),
        }
    }
    None
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

#[cfg(test)]
mod tests {
    use super::{FaultRate, FaultSettings, InjectedFault, ProblemType};

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
    fn a_fault_happens_as_often_as_its_rate() {
        let rate = |text: &str| text.parse::<FaultRate>().unwrap();
        let internal = InjectedFault::Problem(ProblemType::Internal);
        let rates = vec![(InjectedFault::Drop, rate("0")), (internal, rate("0.25"))];
        let at = |random| super::drawn(&rates, &|| random);
        assert_eq!([at(Some(0)), at(Some(249_999))], [Some(internal); 2]);
        assert_eq!([at(Some(250_000)), at(Some(999_999)), at(None)], [None; 3]);
        assert_eq!(super::drawn(&[], &|| Some(0)), None);
    }

    #[test]
    fn a_latency_is_combined_with_another_fault() {
        let rates = ["latency=5=1", "503=1"].map(|text| FaultSettings::parse_rate(text).unwrap());
        let settings = FaultSettings::with_rates(rates.to_vec()).unwrap();
        let chosen = settings.choose(&http::HeaderMap::new(), &|| Some(0)).unwrap();
        let latency = InjectedFault::Latency(std::time::Duration::from_millis(5));
        assert_eq!(chosen, [Some(latency), Some(InjectedFault::Problem(ProblemType::Unavailable))]);
    }
}
