//! The path of an operation: `v2/ServiceOrder({orderId})` or `v3/ServiceOrder({orderId})` (§4).

use sales_order_intake::{Guid, Version};

use crate::problem::{Problem, ProblemType};

/// One of the two operations and the id of the order.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) version: Version,
    pub(crate) id: Guid,
}

impl Operation {
    /// Parses the last two segments of a path. The GUID may have any of the .NET forms (D1).
    ///
    /// # Errors
    /// Returns the problem of a path that is not one of an operation.
    pub(crate) fn parse(version: &str, resource: &str) -> Result<Self, Problem> {
        let id = resource.strip_prefix("ServiceOrder(").and_then(|rest| rest.strip_suffix(')'));
        match (version.parse(), id.map(str::parse)) {
            (Ok(version), Some(Ok(id))) => Ok(Self { version, id }),
            _ => Err(Self::not_found()),
        }
    }

    /// Returns the problem of a path that is not one of an operation.
    pub(crate) fn not_found() -> Problem {
        let detail = "The path must be v2/ServiceOrder({orderId}) or v3/ServiceOrder({orderId}), \
            where orderId is a GUID.";
        Problem::new(ProblemType::NotFound, detail)
    }
}
