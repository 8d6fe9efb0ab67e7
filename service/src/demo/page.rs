//! Serves the demo page at `/` from the folder it was built into, with a policy that lets only its own files
//! run.

use std::convert::Infallible;
use std::path::Path;
use std::sync::Arc;

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::map_response;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{MethodRouter, get_service};
use service_rules::demo_page::{FOREVER, REVALIDATE, headers};
use tower_http::services::ServeDir;

use crate::response::response;
use crate::state::AppState;
use service_rules::problem::{Problem, ProblemType};

const NOT_BUILT: &str = include_str!("not_built.html");

/// Serves `index.html` of the folder.
pub(crate) fn index(folder: &Path) -> MethodRouter<Arc<AppState>> {
    let index = compressed(folder).fallback(tower::service_fn(async |_| {
        let headers = [(CONTENT_TYPE, "text/html; charset=utf-8")];
        Ok::<_, Infallible>((StatusCode::NOT_FOUND, headers, NOT_BUILT).into_response())
    }));
    get_service(index).layer(map_response(async |response| with_headers(response, REVALIDATE)))
}

/// Serves the files in `assets/` of the folder.
pub(crate) fn files(folder: &Path) -> MethodRouter<Arc<AppState>> {
    let files = compressed(folder).append_index_html_on_directories(false);
    let files = files.fallback(tower::service_fn(async |_| {
        let problem = Problem::new(ProblemType::NotFound, "This file does not exist.");
        Ok::<_, Infallible>(response(problem))
    }));
    get_service(files).layer(map_response(async |response: Response| {
        let is_found = response.status() != StatusCode::NOT_FOUND;
        with_headers(response, if is_found { FOREVER } else { "no-store" })
    }))
}

/// Serves files compressed (`.br`, `.gz`) if the client accepts it.
fn compressed(folder: &Path) -> ServeDir {
    ServeDir::new(folder).precompressed_br().precompressed_gzip()
}

fn with_headers(mut response: Response, cache: &'static str) -> Response {
    response
        .headers_mut()
        .extend(headers(cache).map(|(name, value)| (name, HeaderValue::from_static(value))));
    response
}
