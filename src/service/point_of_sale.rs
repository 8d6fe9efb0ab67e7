//! What a cashier would see of the orders of a location. **Not one of the specified operations.**
//!
//! Totals are those of the core's preview, with the rates of the location where an order brings no taxes; supplied taxes
//! are all on the first line (§2.1 rules 2 and 3).

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

use crate::options::{DiscountValueTypes, PreviewOptions, Version};
use crate::preview::{Preview, preview_order};
use crate::written::ValueType;

use super::intake::rule_options;
use super::problem::{Kind, Problem};
use super::registry::{Location, Registry};
use super::state::Service;
use super::store::Kept;

/// Orders that are shown.
const MOST: u32 = 50;

const NOTE: &str = "What a point of sale might show. Not part of the specified service; \
    discounts are read with ValueType 1 as an amount and 2 as a percentage, which is an assumption.";

/// The page loads nothing but its own files, and whatever an order says is text in it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) fn routes() -> Router<Arc<Service>> {
    Router::new()
        .route("/pos/page.js", get(asset("text/javascript", include_str!("point_of_sale/page.js"))))
        .route("/pos/page.css", get(asset("text/css", include_str!("point_of_sale/page.css"))))
        .route("/pos/{company}/{entity}", get(location))
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
    /// The last one first.
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
    /// As it was answered.
    order: Box<RawValue>,
    preview: Preview,
}

/// The page, or the orders as JSON where the path ends in `.json` or Accept asks for it.
async fn location(
    State(service): State<Arc<Service>>,
    path: Result<Path<(String, String)>, PathRejection>,
    headers: HeaderMap,
) -> Result<Response, Problem> {
    let not_found = || Problem::new(Kind::NotFound, "There is no such location here.");
    let Path((company, entity)) = path.map_err(|_| not_found())?;
    let (entity, json) = match entity.strip_suffix(".json") {
        Some(entity) => (entity, true),
        None => (entity.as_str(), asks_for_json(&headers)),
    };
    let (Ok(company), Ok(entity)) = (company.parse(), entity.parse()) else { return Err(not_found()) };
    let location = service.registry.location(company, entity).ok_or_else(not_found)?;
    if !json {
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, POLICY),
            (VARY, "Accept"),
            (CACHE_CONTROL, "no-cache"),
        ];
        return Ok((headers, include_str!("point_of_sale/page.html")).into_response());
    }
    let kept = service.store.latest(company, entity, MOST).await.map_err(|error| {
        tracing::error!(%error, "orders were not read");
        Problem::new(Kind::Unavailable, "The orders could not be read.")
    })?;
    let view = View {
        note: NOTE,
        company: Named { id: company, name: &location.company_name },
        location: Named { id: entity, name: &location.name },
        orders: kept.into_iter().filter_map(|kept| shown(kept, location, &service.registry)).collect(),
    };
    // Everything in it was JSON before, or is text and numbers.
    let text = serde_json::to_string(&view).unwrap_or_default();
    let headers = [(CONTENT_TYPE, "application/json"), (VARY, "Accept"), (CACHE_CONTROL, "no-store")];
    Ok((headers, text).into_response())
}

/// A browser asks for text/html first.
fn asks_for_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    !accept.contains("text/html") && accept.contains("json")
}

fn shown(kept: Kept, location: &Location, registry: &Registry) -> Option<ShownOrder> {
    let version = kept.version.parse::<Version>().ok()?;
    let integrator = kept.integrator.and_then(|id| registry.integrator(id));
    let options = PreviewOptions {
        rules: rule_options(version, kept.id, Some(location), integrator),
        tax_rates: Some(location.tax_rates.clone()),
        discount_value_types: Some(assumed_value_types()),
        ..PreviewOptions::default()
    };
    let preview = preview_order(&kept.body, &options);
    Some(ShownOrder { version, order: RawValue::from_string(kept.body).ok()?, preview })
}

/// What a ValueType means is published nowhere (D14).
fn assumed_value_types() -> DiscountValueTypes {
    DiscountValueTypes { amount: ValueType::Number(Decimal::ONE), percent: ValueType::Number(Decimal::TWO) }
}
