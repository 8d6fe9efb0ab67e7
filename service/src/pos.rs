//! Shows the orders of a location as a cashier would see them. **Not one of the specified operations.**
//!
//! It needs no token, so its responses are limited in orders and bytes, and so is the number of those that are
//! prepared at the same time (`http`).

use std::sync::Arc;

use axum::body::Body;
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::response::Response;
use service_rules::pos::{PosPath, orders};
use service_rules::problem::{Problem, ProblemType};

use super::response::response;
use super::state::AppState;

/// Returns the page, or the orders as JSON if the path ends in `.json` or Accept asks for JSON.
pub(crate) async fn get_location(
    State(app): State<Arc<AppState>>,
    path: Result<Path<(String, String)>, PathRejection>,
    RawQuery(query): RawQuery,
    headers: HeaderMap,
) -> Result<Response, Response> {
    // A path that can't be decoded is not one of a location.
    let (company, entity) = path.map(|Path(segments)| segments).unwrap_or_default();
    let path = PosPath::parse(&company, &entity, query.as_deref(), &headers, &app.registry);
    let (pos, before) = match path.map_err(response)? {
        PosPath::Page(page) => return Ok(page.map(Body::from)),
        PosPath::Orders(pos, before) => (pos, before),
    };
    let listed = app.store.list((pos.company, pos.entity), before).await.map_err(|error| {
        tracing::error!(%error, "orders not read");
        response(Problem::new(ProblemType::Unavailable, "The orders could not be read."))
    })?;
    Ok(orders(&pos, &listed, &app.registry).map(Body::from))
}
