//! Shows the orders of a location as a cashier would see them. **Not one of the specified operations.**
//!
//! Totals come from the core's preview. If an order has no taxes, they are estimated with the rates of the location;
//! supplied taxes are all on the first line (§2.1 rules 2 and 3).

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, State};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use rust_decimal::Decimal;
use serde::Serialize;
use serde_json::value::RawValue;

use crate::options::{DiscountValueTypes, PreviewOptions, RuleOptions, Version};
use crate::order::ValueType;
use crate::preview::Preview;
use crate::verdict::preview_order;

use super::intake::rule_options;
use super::problem::{Problem, ProblemType};
use super::registry::{Location, Registry};
use super::state::AppState;
use super::store::StoredOrder;

/// The number of orders shown.
const LIMIT: u32 = 50;

const NOTE: &str = "What a point of sale might show. Not part of the specified service. \
    It assumes that ValueType 1 of a discount is an amount and 2 a percentage.";

/// The page loads only its own files. It inserts values of orders as text, never as HTML.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Arc<AppState>> {
    Router::new()
        .route("/pos/page.js", get(asset("text/javascript", include_str!("pos/page.js"))))
        .route("/pos/page.css", get(asset("text/css", include_str!("pos/page.css"))))
        .route("/pos/{company}/{entity}", get(get_location))
}

fn asset(content_type: &'static str, text: &'static str) -> ([(HeaderName, &'static str); 2], &'static str) {
    ([(CONTENT_TYPE, content_type), (CACHE_CONTROL, "no-cache")], text)
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct View<'v> {
    note: &'static str,
    company: Named<'v>,
    location: Named<'v>,
    /// Newest first.
    orders: Vec<ShownOrder>,
}

#[derive(Serialize)]
struct Named<'v> {
    id: u32,
    name: &'v str,
}

#[derive(Serialize)]
struct ShownOrder {
    version: Version,
    /// The body of the response that created it.
    order: Box<RawValue>,
    preview: Preview,
}

/// Returns the page, or the orders as JSON if the path ends in `.json` or Accept asks for JSON.
async fn get_location(
    State(app): State<Arc<AppState>>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let not_found = || Problem::new(ProblemType::NotFound, "This location does not exist.");
    let Path((company, entity)) = path.map_err(|_| not_found())?;
    let (entity, json) = match entity.strip_suffix(".json") {
        Some(entity) => (entity, true),
        None => (entity.as_str(), accepts_json(&headers)),
    };
    let (Ok(company), Ok(entity)) = (company.parse(), entity.parse()) else { return Err(not_found()) };
    let registry = app.registry.current();
    let location = registry.location(company, entity).ok_or_else(not_found)?;
    if !json {
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, POLICY),
            (VARY, "Accept"),
            (CACHE_CONTROL, "no-cache"),
        ];
        return Ok((headers, include_str!("pos/page.html")).into_response());
    }
    let stored = app.store.latest(company, entity, LIMIT).await.map_err(|error| {
        tracing::error!(%error, "orders not read");
        Problem::new(ProblemType::Unavailable, "The orders could not be read.")
    })?;
    let view = View {
        note: NOTE,
        company: Named { id: company, name: &location.company_name },
        location: Named { id: entity, name: &location.name },
        orders: stored.into_iter().filter_map(|order| shown(order, location, &registry)).collect(),
    };
    // Serializing strings, numbers and JSON cannot fail.
    let json = serde_json::to_string(&view).unwrap_or_default();
    let headers = [(CONTENT_TYPE, "application/json"), (VARY, "Accept"), (CACHE_CONTROL, "no-store")];
    Ok((headers, json).into_response())
}

/// Returns false for a browser: it accepts text/html too.
fn accepts_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    !accept.contains("text/html") && accept.contains("json")
}

fn shown(stored: StoredOrder, location: &Location, registry: &Registry) -> Option<ShownOrder> {
    let version = stored.version.parse::<Version>().ok()?;
    let integrator = stored.integrator.and_then(|id| registry.integrator(id));
    let options = PreviewOptions {
        rules: RuleOptions {
            discount_value_types: Some(assumed_value_types()),
            ..rule_options(version, stored.id, Some(location), integrator)
        },
        tax_rates: Some(location.tax_rates.clone()),
        ..PreviewOptions::default()
    };
    let preview = preview_order(&stored.body, &options);
    Some(ShownOrder { version, order: RawValue::from_string(stored.body).ok()?, preview })
}

/// Returns what the examples assume, because the meaning of ValueType is not published (D14).
fn assumed_value_types() -> DiscountValueTypes {
    DiscountValueTypes { amount: ValueType::Number(Decimal::ONE), percent: ValueType::Number(Decimal::TWO) }
}
