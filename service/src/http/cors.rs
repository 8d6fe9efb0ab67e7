//! Cross-origin requests (CORS): lets pages of other origins send orders.

use std::time::Duration;

use axum::http::header::{ACCEPT, ALLOW, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, Method};
use tower_http::cors::CorsLayer;

use service_rules::injected_fault;

/// Lets pages of these origins send orders, request faults, and read the headers that the client acts on.
pub(super) fn layer(origins: &[HeaderValue]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins.to_vec())
        .allow_methods([Method::GET, Method::PUT])
        .allow_headers([ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName::from_static(injected_fault::HEADER)])
        .expose_headers([ALLOW, RETRY_AFTER, WWW_AUTHENTICATE])
        .max_age(Duration::from_secs(600))
}
