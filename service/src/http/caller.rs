//! Identifies the sender of a request.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use jiff::Timestamp;

use crate::problem::Problem;
use crate::registry::{Grant, Registry};
use crate::rules::authorization;
use crate::state::AppState;

/// The sender of a request, identified by its bearer token.
pub(super) struct Caller {
    pub(super) grant: Arc<Grant>,
    /// The registry that lists the token.
    pub(super) registry: Arc<Registry>,
}

impl FromRequestParts<Arc<AppState>> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &Arc<AppState>) -> Result<Self, Problem> {
        Self::identify(&parts.headers, app)
    }
}

impl Caller {
    /// Identifies the sender by the current registry.
    ///
    /// # Errors
    /// Returns the problem if the token is missing, unknown, disabled or expired.
    pub(super) fn identify(headers: &HeaderMap, app: &AppState) -> Result<Self, Problem> {
        let registry = app.registry.current();
        let grant = authorization::identify(headers, &registry, Timestamp::now())?;
        Ok(Self { grant, registry })
    }
}
