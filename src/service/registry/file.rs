//! The registry as it stands in its TOML file.

use serde::Deserialize;

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
    pub(super) name: String,
    #[serde(default)]
    pub(super) locations: Vec<Location>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Location {
    pub(super) id: i64,
    pub(super) name: String,
    pub(super) tax_pricing: Option<TaxPricing>,
    #[serde(default)]
    pub(super) inventory_hold: bool,
    #[serde(default)]
    pub(super) tax_rates: Vec<TaxRate>,
}

#[derive(Clone, Copy, Deserialize)]
pub(super) enum TaxPricing {
    Exclusive,
    Inclusive,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct TaxRate {
    pub(super) id: String,
    pub(super) name: Option<String>,
    /// Text, for the digits of a TOML float would go through binary.
    pub(super) rate: String,
    #[serde(rename = "type", default)]
    pub(super) rate_type: RateType,
    #[serde(default)]
    pub(super) layer: i64,
    pub(super) catalog_item_ids: Option<Vec<String>>,
}

#[derive(Clone, Copy, Default, Deserialize)]
pub(super) enum RateType {
    #[default]
    Percentage,
    FlatRate,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Integrator {
    pub(super) id: String,
    pub(super) name: String,
    #[serde(default)]
    pub(super) allow_empty_taxes: bool,
    #[serde(default)]
    pub(super) records: Records,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Records {
    #[default]
    Strict,
    Passthrough,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Token {
    pub(super) name: String,
    pub(super) sha256: String,
    pub(super) integrators: Vec<String>,
    pub(super) companies: Vec<i64>,
}
