//! Pages of other origins, which a browser keeps from this service unless it says that they may (CORS).

use std::time::Duration;

use axum::http::header::{ACCEPT, ALLOW, AUTHORIZATION, CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderName, HeaderValue, Method};
use tower_http::cors::CorsLayer;

use crate::service::fault;

/// Lets pages of these origins send orders, ask for faults, and read what the client acts on.
pub(super) fn layer(origins: &[HeaderValue]) -> CorsLayer {
    CorsLayer::new()
        .allow_origin(origins.to_vec())
        .allow_methods([Method::GET, Method::PUT])
        .allow_headers([ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderName::from_static(fault::HEADER)])
        .expose_headers([ALLOW, RETRY_AFTER, WWW_AUTHENTICATE])
        .max_age(Duration::from_secs(600))
}
