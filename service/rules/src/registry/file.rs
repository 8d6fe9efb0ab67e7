//! The structure of a registry file, in TOML or in JSON. The registry of a test has members named as in
//! JavaScript, does not name companies, locations and tokens, and has tokens instead of their hashes.

use serde::Deserialize;
use serde::de::IgnoredAny;

use sales_order_intake::{Records, TaxPricing, TaxRateType};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    pub(super) companies: Vec<Company>,
    #[serde(default)]
    pub(super) integrators: Vec<Integrator>,
    #[serde(default)]
    pub(super) tokens: Vec<Token>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Company {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) locations: Vec<Location>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Location {
    pub(super) id: i64,
    #[serde(default)]
    pub(super) name: String,
    #[serde(alias = "taxPricing")]
    pub(super) tax_pricing: Option<TaxPricing>,
    #[serde(default, alias = "inventoryHold")]
    pub(super) inventory_hold: bool,
    #[serde(default)]
    pub(super) tax_rates: Vec<TaxRate>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaxRate {
    pub(super) id: String,
    pub(super) name: Option<String>,
    /// A string, because a TOML float is binary and would not keep the digits.
    pub(super) rate: String,
    #[serde(rename = "type", default)]
    pub(super) rate_type: TaxRateType,
    #[serde(default)]
    pub(super) layer: i64,
    pub(super) catalog_item_ids: Option<Vec<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Integrator {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default, alias = "allowEmptyTaxes")]
    pub(super) allow_empty_taxes: bool,
    #[serde(default)]
    pub(super) records: Records,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    #[serde(default)]
    pub(super) name: String,
    #[serde(default)]
    pub(super) sha256: String,
    /// The token itself, only in a test.
    pub(super) token: Option<String>,
    pub(super) integrators: Vec<String>,
    pub(super) companies: Vec<i64>,
    pub(super) expires: Option<Expires>,
    #[serde(default)]
    pub(super) disabled: bool,
}

/// When a token expires.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Expires {
    /// A date and time of TOML.
    #[cfg(feature = "toml")]
    Datetime(toml::value::Datetime),
    /// The string that represents it in JSON.
    Text(String),
    /// Anything else, which is an error.
    Other(IgnoredAny),
}
