//! The response of a problem.

use axum::body::Body;
use axum::response::Response;
use service_rules::problem::Problem;

/// Returns the response of a problem.
pub(crate) fn response(problem: Problem) -> Response {
    problem.response().map(Body::from)
}
