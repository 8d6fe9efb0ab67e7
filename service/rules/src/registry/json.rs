//! The registry of a test, as JSON.

use std::sync::Arc;

use serde::Deserialize;

use sales_order_intake::{Guid, Records, TaxPricing};

use super::{Covered, Grant, Integrator, Location, Registry};
use crate::token::TokenHash;

#[derive(Deserialize)]
struct Json {
    companies: Vec<JsonCompany>,
    integrators: Vec<JsonIntegrator>,
    tokens: Vec<JsonToken>,
}

#[derive(Deserialize)]
struct JsonCompany {
    id: u32,
    locations: Vec<JsonLocation>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct JsonLocation {
    id: u32,
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
    companies: Vec<u32>,
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
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// Returns a message if the JSON is not a registry.
    pub fn from_json(json: &str) -> Result<Self, String> {
        let json: Json = serde_json::from_str(json).map_err(|error| error.to_string())?;
        let guid = |text: &String| text.parse::<Guid>().map_err(|error| error.to_string());
        let mut registry = Self::default();
        for company in json.companies {
            let locations = company.locations.into_iter().map(|location| {
                let JsonLocation { id, tax_pricing, inventory_hold } = location;
                (id, Location { tax_pricing, inventory_hold, ..Location::default() })
            });
            registry.companies.insert(company.id, locations.collect());
        }
        for JsonIntegrator { id, name, allow_empty_taxes, records } in json.integrators {
            registry.integrators.insert(guid(&id)?, Integrator { name, allow_empty_taxes, records });
        }
        for token in json.tokens {
            registry.grants.push(Arc::new(Grant {
                token: TokenHash::of(&token.token),
                expires: None,
                disabled: false,
                integrators: Covered::Only(token.integrators.iter().map(guid).collect::<Result<_, _>>()?),
                companies: Covered::Only(token.companies.into_iter().collect()),
            }));
        }
        Ok(registry)
    }
}
