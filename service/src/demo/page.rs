//! Serves the demo page at `/` from the folder it was built into, with a policy that lets only its own files run.

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

use crate::http::Failure;
use crate::state::AppState;
use service_rules::problem::{Problem, ProblemType};

/// The page runs only its own files, connects to services over TLS or on this machine, and cannot be framed.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self' https: http://127.0.0.1:* http://localhost:*; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const NOT_BUILT: &str = include_str!("not_built.html");

/// Serves `index.html` of the folder and the files in `assets/`; compressed (`.br`, `.gz`) if the client accepts it.
pub(crate) fn routes(folder: &Path) -> Router<Arc<AppState>> {
    let files = ServeDir::new(folder).precompressed_br().precompressed_gzip();
    let index = files.clone().fallback(tower::service_fn(async |_| Ok::<_, Infallible>(not_built())));
    let assets = files.append_index_html_on_directories(false);
    let assets = assets.fallback(tower::service_fn(async |_| {
        let problem = Problem::new(ProblemType::NotFound, "This file does not exist.");
        Ok::<_, Infallible>(Failure::from(problem).into_response())
    }));
    // The name of an asset contains a hash of its content, so it never changes; the index refers to the current ones.
    Router::new()
        .route("/assets/{*path}", get_service(assets).layer(map_response(cache_forever)))
        .route("/", get_service(index).layer(map_response(revalidate)))
}

fn not_built() -> Response {
    (StatusCode::NOT_FOUND, [(CONTENT_TYPE, "text/html; charset=utf-8")], NOT_BUILT).into_response()
}

async fn cache_forever(response: Response) -> Response {
    let found = response.status() != StatusCode::NOT_FOUND;
    with_headers(response, if found { "public, max-age=31536000, immutable" } else { "no-store" })
}

async fn revalidate(response: Response) -> Response {
    with_headers(response, "no-cache")
}

fn with_headers(mut response: Response, cache: &'static str) -> Response {
    let headers: [(HeaderName, &'static str); 3] =
        [(CACHE_CONTROL, cache), (CONTENT_SECURITY_POLICY, POLICY), (X_CONTENT_TYPE_OPTIONS, "nosniff")];
    response.headers_mut().extend(headers.map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}
