//! The demo page: what it may do, and `/demo.json`, the companies, locations and integrators that it offers.
//! That contains no token.

use http::HeaderName;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, X_CONTENT_TYPE_OPTIONS};
use serde_json::{Value, json};

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

/// Returns the companies, locations and integrators of a registry as JSON, with the path before `/v2` and
/// `/v3`.
pub(crate) fn directory_json(registry: &Registry, base_path: &str) -> String {
    let locations: Vec<_> = registry.locations().collect();
    let companies = locations.chunk_by(|(one, ..), (other, ..)| one == other).filter_map(|own| {
        let (company, _, first) = own.first()?;
        let locations = own.iter().map(|(_, entity, location)| {
            json!({
                "entityId": entity,
                "name": location.name,
                // `null` if the location has no configuration (§1).
                "taxPricing": location.tax_pricing,
                // As in the option `taxRates` of the npm package.
                "taxRates": location.tax_rates,
            })
        });
        let locations: Value = locations.collect();
        Some(json!({ "companyId": company, "name": first.company_name, "locations": locations }))
    });
    let companies: Value = companies.collect();
    let integrators = registry.integrators();
    let integrators: Value =
        integrators.map(|(id, known)| json!({ "integratorId": id, "name": known.name })).collect();
    json!({ "basePath": base_path, "companies": companies, "integrators": integrators }).to_string()
}
