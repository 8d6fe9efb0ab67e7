//! Serves the OpenAPI document at `/openapi.json`. Its version, its records with their limits, its issue
//! codes with their params, and its problem types with the responses are generated from the tables of Rust
//! (`make generate`).

use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};

const DOCUMENT: &str = include_str!("openapi.json");

pub(super) async fn document() -> ([(HeaderName, &'static str); 2], &'static str) {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], DOCUMENT)
}

#[cfg(test)]
mod tests;
