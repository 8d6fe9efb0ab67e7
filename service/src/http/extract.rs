//! Gets the path and the media type of a request from axum, and gives problems back to it.

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};

use crate::problem::Problem;
use crate::rules::media_type::MediaType;
use crate::rules::operation::Operation;

/// The media type of the response, chosen by the headers Accept.
pub(super) struct ResponseType(pub(super) MediaType);

impl<S: Send + Sync> FromRequestParts<S> for Operation {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await;
        let Path((version, resource)) = path.map_err(|_| Self::not_found())?;
        Self::parse(&version, &resource)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ResponseType {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Problem> {
        MediaType::of_response(&parts.headers).map(Self)
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        self.response().into_response()
    }
}
