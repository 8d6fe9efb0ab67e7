//! The routes. An order request is checked in this order: path, method, token, injected fault, Accept,
//! Content-Type, body, order.
//!
//! | Module | Contents |
//! |---|---|
//! | `extract` | the path, Accept, and problems as responses |
//! | `caller` | the sender of a request |
//! | `put_order` | the handler of both operations |
//! | `body` | the body, and its limits of size, time and memory |
//! | `fault` | injects faults before and after the handler |
//! | `request_log` | log and metrics of order requests |
//! | `host` | the host names of pages |
//! | `cors` | pages of other origins |

mod body;
mod caller;
mod cors;
mod extract;
mod fault;
mod host;
mod put_order;
mod request_log;

pub(crate) use fault::DropConnection;

use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get, put};

use super::demo;
use super::demo::requests::RecentRequests;
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
    let mut pages = Router::new();
    if settings.point_of_sale {
        pages = pages.merge(pos::routes());
    }
    if let Some(folder) = &settings.page {
        pages = pages.merge(demo::page::routes(folder));
    }
    if settings.directory {
        pages = pages.route("/demo.json", get(demo::directory::get_directory));
    }
    if settings.request_list {
        pages = pages.route("/requests", get(requests));
    }
    if pages.has_routes() {
        router = router.merge(pages.route_layer(from_fn_with_state(Arc::clone(&app), host::check)));
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
    match app.readiness.check(app.store.probe()).await {
        Ok(()) => StatusCode::NO_CONTENT.into_response(),
        Err(NotReady) => Problem::new(ProblemType::Unavailable, "Orders cannot be stored.").into_response(),
    }
}

/// Lists the last requests.
async fn requests(State(app): State<Arc<AppState>>) -> Response {
    let json = app.recent_requests.as_ref().map(RecentRequests::to_json).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], json).into_response()
}

async fn metrics(State(app): State<Arc<AppState>>) -> Response {
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    ([(CONTENT_TYPE, content_type)], app.metrics.encode()).into_response()
}
