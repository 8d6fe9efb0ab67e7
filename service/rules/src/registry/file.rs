//! A registry as it is written, in TOML or in JSON. The registry of a test has members named as in JavaScript, and
//! does not name companies, locations and tokens.

use serde::de::IgnoredAny;
use serde::{Deserialize, Deserializer};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use sales_order_intake::internals::id_range;
use sales_order_intake::{Guid, Records, TaxLayer, TaxRate, TaxRateType, parse_decimal};

use super::Location;
use crate::token::TokenHash;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) companies: Vec<Company>,
    #[serde(default)]
    pub(super) integrators: Vec<IntegratorEntry>,
    #[serde(default)]
    pub(super) tokens: Vec<TokenEntry>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Company {
    pub(super) id: Id,
    #[serde(default, deserialize_with = "name")]
    pub(super) name: String,
    #[serde(default)]
    pub(super) locations: Vec<Location>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct IntegratorEntry {
    pub(super) id: Guid,
    #[serde(deserialize_with = "name")]
    pub(super) name: String,
    #[serde(default, alias = "allowEmptyTaxes")]
    pub(super) allow_empty_taxes: bool,
    #[serde(default)]
    pub(super) records: Records,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TokenEntry {
    #[serde(default, rename = "name", deserialize_with = "name")]
    _name: String,
    pub(super) sha256: Option<TokenHash>,
    /// The token itself, only in a test.
    pub(super) token: Option<String>,
    pub(super) integrators: Vec<Guid>,
    pub(super) companies: Vec<Id>,
    pub(super) expires: Option<Time>,
    #[serde(default)]
    pub(super) disabled: bool,
}

/// A CompanyId or EntityId (D4).
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq, PartialOrd, Ord)]
#[serde(try_from = "i64")]
pub(super) struct Id(pub(super) u32);

/// When a token expires.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "WrittenTime")]
pub(super) struct Time(pub(super) OffsetDateTime);

#[derive(Deserialize)]
#[serde(untagged)]
enum WrittenTime {
    /// A date and time of TOML.
    #[cfg(feature = "toml")]
    Datetime(toml::value::Datetime),
    /// The string that represents it in JSON.
    Text(String),
    /// Anything else, which is an error.
    Other(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(try_from = "WrittenRate")]
struct Rate(TaxRate);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenRate {
    id: String,
    name: Option<String>,
    /// A string, because a TOML float is binary and would not keep the digits.
    rate: String,
    #[serde(rename = "type", default)]
    rate_type: TaxRateType,
    #[serde(default)]
    layer: u8,
    catalog_item_ids: Option<Vec<Guid>>,
}

impl TryFrom<i64> for Id {
    type Error = String;

    fn try_from(id: i64) -> Result<Self, Self::Error> {
        let range = id_range();
        let id = u32::try_from(id).ok().filter(|id| range.contains(id)).map(Self);
        id.ok_or_else(|| format!("must be from {} to {}", range.start(), range.end()))
    }
}

fn parsed(time: &str) -> Option<OffsetDateTime> {
    OffsetDateTime::parse(time, &Rfc3339).ok()
}

impl TryFrom<WrittenTime> for Time {
    type Error = &'static str;

    fn try_from(time: WrittenTime) -> Result<Self, Self::Error> {
        let timestamp = match time {
            #[cfg(feature = "toml")]
            WrittenTime::Datetime(time) => parsed(&time.to_string()),
            WrittenTime::Text(text) => parsed(&text),
            WrittenTime::Other(_) => None,
        };
        timestamp.map(Self).ok_or("must be a date and time with an offset, such as 2027-01-31T18:00:00Z")
    }
}

impl TryFrom<WrittenRate> for Rate {
    type Error = String;

    fn try_from(written: WrittenRate) -> Result<Self, Self::Error> {
        let rate = parse_decimal(&written.rate).map_err(|error| format!("the rate is invalid: {error}"))?;
        let mut rate =
            TaxRate::new(written.id, rate).map_err(|_| "the rate must not be negative".to_owned())?;
        rate.name = written.name;
        rate.rate_type = written.rate_type;
        rate.layer = TaxLayer::try_from(written.layer).map_err(|_| "the layer must be 0 or 1".to_owned())?;
        rate.catalog_item_ids = written.catalog_item_ids;
        Ok(Self(rate))
    }
}

pub(super) fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    if name.trim().is_empty() { Err(serde::de::Error::custom("must not be empty")) } else { Ok(name) }
}

pub(super) fn tax_rates<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<TaxRate>, D::Error> {
    Ok(Vec::deserialize(deserializer)?.into_iter().map(|Rate(rate)| rate).collect())
}
