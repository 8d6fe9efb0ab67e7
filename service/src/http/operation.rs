//! The path of an operation: `v2/ServiceOrder({orderId})` or `v3/ServiceOrder({orderId})` (§4).

use axum::extract::{FromRequestParts, Path};
use axum::http::request::Parts;

use crate::problem::{Problem, ProblemType};
use sales_order_intake::Guid;
use sales_order_intake::Version;

/// One of the two operations and the id of the order.
#[derive(Clone, Copy)]
pub(super) struct Operation {
    pub(super) version: Version,
    pub(super) id: Guid,
}

impl Operation {
    /// Parses the last two segments of a path. The GUID may have any of the .NET forms (D1).
    fn parse(version: &str, resource: &str) -> Option<Self> {
        let version = version.parse().ok()?;
        let id = resource.strip_prefix("ServiceOrder(")?.strip_suffix(')')?;
        Some(Self { version, id: id.parse().ok()? })
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Operation {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let path = Path::<(String, String)>::from_request_parts(parts, state).await.ok();
        path.and_then(|Path((version, resource))| Self::parse(&version, &resource)).ok_or_else(|| {
            let detail = "The path must be v2/ServiceOrder({orderId}) or v3/ServiceOrder({orderId}), \
                where orderId is a GUID.";
            Problem::new(ProblemType::NotFound, detail)
        })
    }
}
