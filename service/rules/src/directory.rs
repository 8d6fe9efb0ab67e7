//! `/demo.json`: the companies, locations and integrators that the demo page offers. Contains no token.

use serde::Serialize;

use crate::registry::Registry;
use sales_order_intake::Guid;
use sales_order_intake::{TaxPricing, TaxRate, TaxRateType};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Directory {
    /// The path before `/v2` and `/v3`.
    base_path: String,
    companies: Vec<Company>,
    integrators: Vec<Integrator>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Company {
    company_id: u32,
    name: String,
    locations: Vec<Location>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    entity_id: u32,
    name: String,
    /// `None` if the location has no configuration (§1).
    tax_pricing: Option<TaxPricing>,
    tax_rates: Vec<Rate>,
}

/// A tax rate, as in the option `taxRates` of the npm package.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rate {
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    rate: String,
    r#type: TaxRateType,
    layer: u8,
    #[serde(skip_serializing_if = "Option::is_none")]
    catalog_item_ids: Option<Vec<Guid>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Integrator {
    integrator_id: Guid,
    name: String,
}

/// Returns the companies, locations and integrators of a registry as JSON, with the path before `/v2` and `/v3`.
#[must_use]
pub fn to_json(registry: &Registry, base_path: &str) -> String {
    // Serializing strings and numbers cannot fail.
    serde_json::to_string(&directory(registry, base_path)).unwrap_or_default()
}

fn directory(registry: &Registry, base_path: &str) -> Directory {
    let mut companies = Vec::<Company>::new();
    for (company_id, entity_id, location) in registry.locations() {
        if companies.last().is_none_or(|last| last.company_id != company_id) {
            let name = location.company_name.clone();
            companies.push(Company { company_id, name, locations: Vec::new() });
        }
        if let Some(company) = companies.last_mut() {
            company.locations.push(Location {
                entity_id,
                name: location.name.clone(),
                tax_pricing: location.tax_pricing,
                tax_rates: location.tax_rates.iter().map(rate).collect(),
            });
        }
    }
    let integrators = registry
        .integrators()
        .map(|(integrator_id, integrator)| Integrator { integrator_id, name: integrator.name.clone() });
    Directory { base_path: base_path.to_owned(), companies, integrators: integrators.collect() }
}

fn rate(rate: &TaxRate) -> Rate {
    Rate {
        id: rate.id.clone(),
        name: rate.name.clone(),
        rate: rate.rate().to_string(),
        r#type: rate.rate_type,
        layer: rate.layer.into(),
        catalog_item_ids: rate.catalog_item_ids.clone(),
    }
}
