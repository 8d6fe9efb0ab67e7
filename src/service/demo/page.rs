//! The demo page at `/`: files that were built into a folder, served so that nothing else runs in them.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use axum::Router;
use axum::http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::http::{HeaderName, HeaderValue, StatusCode};
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get_service;
use tower_http::services::ServeDir;

use crate::service::problem::{Kind, Problem};
use crate::service::state::Service;

/// The page runs its own files and sends to services over TLS or on this machine, and nothing frames it.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self' https: http://127.0.0.1:* http://localhost:*; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_BUILT: &str = include_str!("not_built.html");

/// `index.html` of the folder, and below `assets/` what it loads; `x.js.br` or `x.js.gz` where the caller takes them.
pub(crate) fn routes(folder: &Path) -> Router<Arc<Service>> {
    let files = ServeDir::new(folder).precompressed_br().precompressed_gzip();
    let index = files.clone().fallback(tower::service_fn(async |_| Ok::<_, Infallible>(not_built())));
    let assets = files.append_index_html_on_directories(false);
    let assets = assets.fallback(tower::service_fn(async |_| {
        Ok::<_, Infallible>(Problem::new(Kind::NotFound, "There is no such file here.").into_response())
    }));
    // The names of assets hold a hash of what is in them; the index says which of them are current.
    Router::new()
        .route("/assets/{*path}", get_service(assets).layer(map_response(kept_for_good)))
        .route("/", get_service(index).layer(map_response(asked_for_again)))
}

fn not_built() -> Response {
    (StatusCode::NOT_FOUND, [(CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT).into_response()
}

async fn kept_for_good(response: Response) -> Response {
    let found = response.status() != StatusCode::NOT_FOUND;
    guarded(response, if found { "public, max-age=31536000, immutable" } else { "no-store" })
}

async fn asked_for_again(response: Response) -> Response {
    guarded(response, "no-cache")
}

fn guarded(mut response: Response, cache: &'static str) -> Response {
    let headers: [(HeaderName, &'static str); 3] =
        [(CACHE_CONTROL, cache), (CONTENT_SECURITY_POLICY, POLICY), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    response.headers_mut().extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}
