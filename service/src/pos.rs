//! Shows the orders of a location as a cashier would see them. **Not one of the specified operations.**
//!
//! Totals come from the core's preview. If an order has no taxes, they are estimated with the rates of the
//! location; supplied taxes are all on the first line (§2.1).
//!
//! It needs no token, so everything has a limit: the orders and bytes of a response, the concurrent responses
//! and previews, and the cache.
//!
//! | Module | Contents |
//! |---|---|
//! | `view` | reads the orders of a response |
//! | `resources` | what all requests share, and their number: permits, and orders that have been shown |

pub(crate) mod resources;
mod view;

use std::convert::Infallible;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::extract::rejection::PathRejection;
use axum::extract::{Path, RawQuery, State};
use axum::http::HeaderMap;
use axum::http::header::CONTENT_LENGTH;
use axum::response::Response;
use futures_util::stream;
use service_rules::pos::PosPath;
use service_rules::problem::{Problem, ProblemType};

use super::http::response;
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
    let registry = app.registry();
    let path = PosPath::parse(&company, &entity, query.as_deref(), &headers, &registry);
    let (pos, before) = match path.map_err(response)? {
        PosPath::Page(page) => return Ok(page.map(Body::from)),
        PosPath::Orders(pos, before) => (pos, before),
    };
    let permit = app.views.response_permit().await.ok_or_else(|| {
        let detail = "Too many requests read the orders at the same time.";
        response(Problem::new(ProblemType::Unavailable, detail).retry_after(1))
    })?;
    let shown = view::view(&app, &pos, before).await.map_err(|error| {
        tracing::error!(%error, "orders not read");
        response(Problem::new(ProblemType::Unavailable, "The orders could not be read."))
    })?;
    let (mut head, chunks) = shown.into_parts();
    head.headers.insert(CONTENT_LENGTH, chunks.iter().map(Bytes::len).sum::<usize>().into());
    // The chunks are shared with the cache, and the permit is held until the last one is sent.
    let chunks = chunks.into_iter().map(move |chunk| {
        let _held = &permit;
        Ok::<_, Infallible>(chunk)
    });
    Ok(Response::from_parts(head, Body::from_stream(stream::iter(chunks))))
}
