//! The path of an operation: `v2/ServiceOrder({orderId})` or `v3/ServiceOrder({orderId})` (§4).

use sales_order_intake::{Guid, Version};

/// One of the two operations and the id of the order.
#[derive(Clone, Copy)]
pub(crate) struct Operation {
    pub(crate) version: Version,
    pub(crate) id: Guid,
}

impl Operation {
    /// Parses the last two segments of a path. The GUID may have any of the .NET forms (D1).
    pub(crate) fn parse(version: &str, resource: &str) -> Option<Self> {
        let version = version.parse().ok()?;
        let id = resource.strip_prefix("ServiceOrder(")?.strip_suffix(')')?;
        Some(Self { version, id: id.parse().ok()? })
    }
}
