//! The registry of a test, as JSON.

use serde::Deserialize;

use sales_order_intake::{Records, TaxPricing};

use super::file::{Company, File, Integrator, Location, Token};
use super::parse::Form;
use super::{Registry, RegistryError};
use crate::token::TokenHash;

#[derive(Deserialize)]
struct Json {
    companies: Vec<JsonCompany>,
    integrators: Vec<JsonIntegrator>,
    tokens: Vec<JsonToken>,
}

#[derive(Deserialize)]
struct JsonCompany {
    id: i64,
    locations: Vec<JsonLocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonLocation {
    id: i64,
    tax_pricing: Option<TaxPricing>,
    #[serde(default)]
    inventory_hold: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonIntegrator {
    id: String,
    name: String,
    #[serde(default)]
    allow_empty_taxes: bool,
    #[serde(default)]
    records: Records,
}

#[derive(Deserialize)]
struct JsonToken {
    token: String,
    companies: Vec<i64>,
    integrators: Vec<String>,
}

impl Registry {
    /// Reads the registry of a test: companies without names, and tokens that are no secret.
    ///
    /// ```
    /// use service_rules::registry::Registry;
    ///
    /// let json = r#"{ "companies": [{ "id": 1501, "locations": [{ "id": 2301, "inventoryHold": true }] }], "integrators": [],
    ///     "tokens": [] }"#;
    /// let registry = Registry::from_json(json)?;
    /// assert!(registry.location(1501, 2301).is_some_and(|location| location.inventory_hold));
    /// # Ok::<(), Vec<service_rules::registry::RegistryError>>(())
    /// ```
    ///
    /// # Errors
    /// Returns all errors of the registry, or only the first if it is not JSON of this form.
    pub fn from_json(json: &str) -> Result<Self, Vec<RegistryError>> {
        let json: Json =
            serde_json::from_str(json).map_err(|error| vec![RegistryError(error.to_string())])?;
        Self::checked(json.into(), Form::Test)
    }
}

impl From<Json> for File {
    fn from(Json { companies, integrators, tokens }: Json) -> Self {
        Self {
            companies: companies.into_iter().map(Into::into).collect(),
            integrators: integrators.into_iter().map(Into::into).collect(),
            tokens: tokens.into_iter().map(Into::into).collect(),
        }
    }
}

impl From<JsonCompany> for Company {
    fn from(JsonCompany { id, locations }: JsonCompany) -> Self {
        let locations = locations.into_iter().map(Into::into).collect();
        Self { id, name: "Test company".to_owned(), locations }
    }
}

impl From<JsonLocation> for Location {
    fn from(JsonLocation { id, tax_pricing, inventory_hold }: JsonLocation) -> Self {
        let (name, tax_rates) = ("Test location".to_owned(), Vec::new());
        Self { id, name, tax_pricing, inventory_hold, tax_rates }
    }
}

impl From<JsonIntegrator> for Integrator {
    fn from(JsonIntegrator { id, name, allow_empty_taxes, records }: JsonIntegrator) -> Self {
        Self { id, name, allow_empty_taxes, records }
    }
}

impl From<JsonToken> for Token {
    fn from(JsonToken { token, companies, integrators }: JsonToken) -> Self {
        Self {
            name: "Test token".to_owned(),
            sha256: TokenHash::of(&token).to_string(),
            integrators,
            companies,
            expires: None,
            disabled: false,
        }
    }
}
