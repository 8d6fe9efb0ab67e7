//! The routes. An order request is checked in this order: path, method, token, injected fault, Accept,
//! Content-Type, body, order.
//!
//! | Module | Contents |
//! |---|---|
//! | `operation` | the path: version and order id |
//! | `put_order` | the handler of both operations |
//! | `media_type` | Accept and Content-Type |
//! | `body` | the body, and its limits of size, time and memory |
//! | `fault` | injects faults before and after the handler |
//! | `request_log` | log and metrics of order requests |
//! | `cors` | pages of other origins |

mod body;
mod cors;
mod fault;
mod media_type;
mod operation;
mod put_order;
mod request_log;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, put};

use super::demo;
use super::openapi;
use super::pos;
use super::problem::{Problem, ProblemType};
use super::readiness::NotReady;
use super::settings::Settings;
use super::state::AppState;

/// Returns all routes that the settings turn on.
pub(crate) fn router(app: Arc<AppState>, settings: &Settings) -> Router {
    let orders = Router::new().route("/{version}/{resource}", order_route(&app));
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
        router = router.merge(pos::routes());
    }
    if let Some(folder) = &settings.page {
        router = router.merge(demo::page::routes(folder));
    }
    if settings.directory {
        router = router.route("/demo.json", get(demo::directory::get_directory));
    }
    let router = router
        .fallback(async || Problem::new(ProblemType::NotFound, "This path does not exist."))
        .method_not_allowed_fallback(async || Problem::method_not_allowed("GET, HEAD"))
        .with_state(app);
    match settings.allowed_origins.as_slice() {
        [] => router,
        origins => router.layer(cors::layer(origins)),
    }
}

fn order_route(app: &Arc<AppState>) -> MethodRouter<Arc<AppState>> {
    let route = put(put_order::put_order).fallback(put_order::other_method);
    route.layer(from_fn_with_state(Arc::clone(app), request_log::record))
}

/// Reports whether orders can be stored, within about two seconds.
async fn ready(State(app): State<Arc<AppState>>) -> Response {
    match app.readiness.check(&app.store).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(NotReady) => Problem::new(ProblemType::Unavailable, "Orders cannot be stored.").into_response(),
    }
}

async fn metrics(State(app): State<Arc<AppState>>) -> Response {
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, content_type)], app.metrics.encode()).into_response()
}
