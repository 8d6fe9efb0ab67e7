//! Shows the orders of a location as a cashier would see them. **Not one of the specified operations.**
//!
//! Totals come from the core's preview. If an order has no taxes, they are estimated with the rates of the location;
//! supplied taxes are all on the first line (§2.1).
//!
//! It needs no token, so everything has a limit: the orders and bytes of a response, the concurrent responses and previews,
//! and the cache.
//!
//! | Module | Contents |
//! |---|---|
//! | `view` | selects the orders of a response |
//! | `shown_order` | an order as JSON, with its preview, or why it is not shown |
//! | `resources` | what all requests share, and their number |
//! | `cache` | orders that have been shown |
//! | `chunks` | the body of the response |

mod cache;
mod chunks;
pub(crate) mod resources;
mod shown_order;
mod view;

use std::sync::Arc;

use axum::Router;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderName};
use axum::response::{IntoResponse, Response};
use axum::routing::get;

use super::problem::{Problem, ProblemType};
use super::state::AppState;
use shown_order::PosLocation;

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

/// Returns the receipt number of `before=<number>`, `i64::MAX` if the query does not contain it, or `None` if it is not a
/// receipt number.
fn before(query: Option<&str>) -> Option<i64> {
    let mut parameters = query.unwrap_or_default().split('&');
    match parameters.find_map(|parameter| parameter.strip_prefix("before=")) {
        None => Some(i64::MAX),
        Some(before) => before.parse().ok().filter(|before| *before > 0),
    }
}

/// Returns the page, or the orders as JSON if the path ends in `.json` or Accept asks for JSON.
async fn get_location(
    State(app): State<Arc<AppState>>,
    path: Result<Path<(String, String)>, PathRejection>,
    RawQuery(query): RawQuery,
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
    let before = before(query.as_deref())
        .ok_or_else(|| Problem::new(ProblemType::NotFound, "`before` must be a receipt number."))?;
    if !json {
        let headers = [
            (CONTENT_TYPE, "text/html; charset=utf-8"),
            (CONTENT_SECURITY_POLICY, POLICY),
            (VARY, "Accept"),
            (CACHE_CONTROL, "no-cache"),
        ];
        return Ok((headers, include_str!("pos/page.html")).into_response());
    }
    let permit = app.views.response_permit().await.ok_or_else(|| {
        let detail = "Too many requests read the orders at the same time.";
        Problem::new(ProblemType::Unavailable, detail).retry_after(1)
    })?;
    let chunks =
        view::view(&app, &PosLocation::new(location, company, entity), before).await.map_err(|error| {
            tracing::error!(%error, "orders not read");
            Problem::new(ProblemType::Unavailable, "The orders could not be read.")
        })?;
    let headers = [(CONTENT_TYPE, "application/json"), (VARY, "Accept"), (CACHE_CONTROL, "no-store")];
    Ok((headers, chunks.into_body(permit)).into_response())
}

/// Returns false for a browser: it accepts text/html too.
fn accepts_json(headers: &HeaderMap) -> bool {
    let accept = headers.get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    !accept.contains("text/html") && accept.contains("json")
}
