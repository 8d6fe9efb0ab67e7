//! Routes, and the checks of a request in their order: path, method, token, media types, size, order.

mod cross_origin;
mod order_request;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};

use super::demo;
use super::openapi;
use super::point_of_sale;
use super::problem::{Kind, Problem};
use super::settings::Settings;
use super::state::Service;

/// Every route there is.
pub(crate) fn router(service: Arc<Service>, settings: &Settings) -> Router {
    let orders = Router::new().route("/{version}/{resource}", any(order_request::answer));
    let orders = match settings.base_path.as_str() {
        "" => orders,
        base => Router::new().nest(base, orders),
    };
    let mut router = orders
        .route("/health/live", get(StatusCode::NO_CONTENT))
        .route("/health/ready", get(ready))
        .route("/metrics", get(metrics))
        .route("/openapi.json", get(openapi::document));
    if settings.point_of_sale {
        router = router.merge(point_of_sale::routes());
    }
    if let Some(folder) = &settings.page {
        router = router.merge(demo::page::routes(folder));
    }
    if settings.directory {
        router = router.route("/demo.json", get(demo::directory::answer));
    }
    let router = router
        .fallback(async || Problem::new(Kind::NotFound, "There is no such path here."))
        .method_not_allowed_fallback(async || Problem::method_not_allowed("GET, HEAD"))
        .with_state(service);
    match settings.allowed_origins.as_slice() {
        [] => router,
        origins => router.layer(cross_origin::layer(origins)),
    }
}

/// Whether orders can be stored.
async fn ready(State(service): State<Arc<Service>>) -> Response {
    match service.store.ready().await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            Problem::new(Kind::Unavailable, "The database does not answer.").into_response()
        }
    }
}

async fn metrics(State(service): State<Arc<Service>>) -> Response {
    let text = service.metrics.text();
    ([(CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")], text).into_response()
}
