//! The routes.
//!
//! | Module | Contents |
//! |---|---|
//! | `put_order` | both operations: what the rules decide, with a database |
//! | `receive_body` | the body, and its limits of size and time |

mod put_order;
mod receive_body;

pub(crate) use put_order::DropConnection;

use std::sync::Arc;
use std::time::Duration;

use super::demo::requests::RecentRequests;
use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, ALLOW, AUTHORIZATION, CACHE_CONTROL, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE,
};
use axum::http::uri::Authority;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, any, get};
use service_rules::endpoint::Endpoint;
use service_rules::problem::Problem;
use service_rules::{host, injected_fault};
use tokio::time::timeout;
use tower::limit::GlobalConcurrencyLimitLayer;
use tower_http::cors::CorsLayer;

use super::demo;
use super::pos;
use super::response::response;
use super::settings::Settings;
use super::state::AppState;

/// The maximum number of responses with the orders of a location that are prepared at the same time; more wait.
const MAX_VIEWS: usize = 4;

/// The time in which a commit must succeed.
const READY_TIME: Duration = Duration::from_secs(2);

/// Returns all routes that the settings turn on.
pub(crate) fn router(app: Arc<AppState>) -> Router {
    let settings = &app.settings;
    let orders = Router::new().route("/{version}/{resource}", any(put_order::respond));
    let orders = match settings.base_path.as_str() {
        "" => orders,
        base => Router::new().nest(base, orders),
    };
    let router = Endpoint::ALL.into_iter().fold(orders, |router, (path, endpoint)| {
        let Some(served) = served(endpoint, settings) else { return router };
        let checks_host = from_fn_with_state(Arc::clone(&app), check_host);
        router.route(path, if endpoint.is_page() { served.layer(checks_host) } else { served })
    });
    let router = router
        .fallback(async || response(Problem::path_not_found()))
        .method_not_allowed_fallback(async || response(Problem::method_not_allowed("GET, HEAD")))
        .with_state(Arc::clone(&app));
    match settings.allowed_origins.as_slice() {
        [] => router,
        origins => router.layer(cors(origins)),
    }
}

/// Returns `None` if the settings turn the endpoint off.
fn served(endpoint: Endpoint, settings: &Settings) -> Option<MethodRouter<Arc<AppState>>> {
    let (shows_orders, page) = (settings.point_of_sale, settings.page.as_deref());
    let by_rules = || {
        get(async move |State(app): State<Arc<AppState>>| {
            let response = endpoint.response(&app.registry, &app.settings.base_path);
            response.unwrap_or_default().map(Body::from)
        })
    };
    match endpoint {
        Endpoint::Live | Endpoint::OpenApi => Some(by_rules()),
        Endpoint::Ready => Some(get(ready)),
        Endpoint::PosScript | Endpoint::PosStyle => shows_orders.then(by_rules),
        Endpoint::Pos => {
            shows_orders.then(|| get(pos::get_location).layer(GlobalConcurrencyLimitLayer::new(MAX_VIEWS)))
        }
        Endpoint::Page => page.map(demo::page::index),
        Endpoint::PageFile => page.map(demo::page::files),
        Endpoint::Directory => settings.directory.then(by_rules),
        Endpoint::Requests => settings.request_list.then(|| get(requests)),
    }
}

/// Reports whether orders can be stored. A database that commits more slowly than in two seconds is not ready.
async fn ready(State(app): State<Arc<AppState>>) -> Response {
    let error = match timeout(READY_TIME, app.store.commits.probe()).await {
        Ok(Ok(())) => return StatusCode::NO_CONTENT.into_response(),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the database needs more than 2 seconds for a commit".to_owned(),
    };
    tracing::error!(error, "not ready");
    response(Problem::not_ready())
}

/// Lists the last requests.
async fn requests(State(app): State<Arc<AppState>>) -> Response {
    let json = app.recent_requests.as_ref().map(RecentRequests::to_json).unwrap_or_default();
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], json).into_response()
}

/// Rejects a request with another host than `localhost`, an IP address or one that the settings allow.
async fn check_host(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Result<Response, Response> {
    let target = request.uri().authority().map(Authority::as_str);
    let advice = "Use localhost or an IP address, or start the service with --allow-host.";
    host::check(target, request.headers(), &app.settings.allowed_hosts, advice).map_err(response)?;
    Ok(next.run(request).await)
}

/// Lets pages of these origins send orders, request faults, and read the headers that the client acts on.
fn cors(origins: &[HeaderValue]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins.to_vec())
        .allow_methods([Method::GET, Method::PUT])
        .allow_headers([ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName::from_static(injected_fault::HEADER)])
        .expose_headers([ALLOW, RETRY_AFTER, WWW_AUTHENTICATE])
        .max_age(Duration::from_secs(600))
}
