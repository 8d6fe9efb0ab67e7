//! The demo page: its policy, and `/demo.json`, the companies, locations and integrators that it offers.
//! `/demo.json` contains no token.

use http::HeaderName;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use sales_order_intake::{Guid, TaxPricing, TaxRate};
use serde::Serialize;

use crate::registry::Registry;

/// The page runs only its own files, connects to services over TLS or on this machine, and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self' https: http://127.0.0.1:* http://localhost:*; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The value of Cache-Control of the index, which refers to the current files.
pub const REVALIDATE: &str = "no-cache";
/// The value of Cache-Control of an asset: its name contains a hash of its content, so it never changes.
pub const FOREVER: &str = "public, max-age=31536000, immutable";

/// Returns the headers of a file, besides its type.
#[must_use]
pub fn headers(cache: &'static str) -> [(HeaderName, &'static str); 3] {
    [(CACHE_CONTROL, cache), (CONTENT_SECURITY_POLICY, POLICY), (X_CONTENT_TYPE_OPTIONS, "nosniff")]
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Directory<'r> {
    /// The path before `/v2` and `/v3`.
    base_path: &'r str,
    companies: Vec<Company<'r>>,
    integrators: Vec<Integrator<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Company<'r> {
    company_id: u32,
    name: &'r str,
    locations: Vec<Location<'r>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location<'r> {
    entity_id: u32,
    name: &'r str,
    /// `None` if the location has no configuration (§1).
    tax_pricing: Option<TaxPricing>,
    /// As in the option `taxRates` of the npm package.
    tax_rates: &'r [TaxRate],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Integrator<'r> {
    integrator_id: Guid,
    name: &'r str,
}

/// Returns the companies, locations and integrators of a registry as JSON, with the path before `/v2` and
/// `/v3`.
pub(crate) fn directory_json(registry: &Registry, base_path: &str) -> String {
    // Serializing strings and numbers cannot fail.
    serde_json::to_string(&directory(registry, base_path)).unwrap_or_default()
}

fn directory<'r>(registry: &'r Registry, base_path: &'r str) -> Directory<'r> {
    let mut companies = Vec::<Company<'_>>::new();
    for (company_id, entity_id, location) in registry.locations() {
        if companies.last().is_none_or(|last| last.company_id != company_id) {
            companies.push(Company { company_id, name: &location.company_name, locations: Vec::new() });
        }
        if let Some(company) = companies.last_mut() {
            company.locations.push(Location {
                entity_id,
                name: &location.name,
                tax_pricing: location.tax_pricing,
                tax_rates: &location.tax_rates,
            });
        }
    }
    let integrators = registry
        .integrators()
        .map(|(integrator_id, integrator)| Integrator { integrator_id, name: &integrator.name });
    Directory { base_path, companies, integrators: integrators.collect() }
}
