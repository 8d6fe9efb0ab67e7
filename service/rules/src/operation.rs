//! The path of an operation: `v2/ServiceOrder({orderId})` or `v3/ServiceOrder({orderId})` (§4).

use percent_encoding::percent_decode_str;
use sales_order_intake::{Guid, Version};

use crate::problem::{Problem, ProblemType};

/// One of the two operations and the Id of the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Operation {
    /// The version of the operation.
    pub version: Version,
    /// The Id in the path.
    pub id: Guid,
}

impl Operation {
    /// Parses the path below the base path, such as `/v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)`.
    /// It may be escaped, and the GUID may have any of the .NET forms (D1).
    ///
    /// # Errors
    /// Returns the problem of a path that is not one of an operation.
    pub fn of_path(path: &str) -> Result<Self, Problem> {
        let segments: Vec<_> = path.split('/').collect();
        let ["", version, resource] = segments.as_slice() else { return Err(Problem::path_not_found()) };
        if version.is_empty() || resource.is_empty() {
            return Err(Problem::path_not_found());
        }
        Self::of_segments(version, resource).ok_or_else(|| {
            let detail = "The path must be v2/ServiceOrder({orderId}) or v3/ServiceOrder({orderId}), \
                where orderId is a GUID.";
            Problem::new(ProblemType::NotFound, detail)
        })
    }

    fn of_segments(version: &str, resource: &str) -> Option<Self> {
        let version = percent_decode_str(version).decode_utf8().ok()?;
        let resource = percent_decode_str(resource).decode_utf8().ok()?;
        let id = resource.strip_prefix("ServiceOrder(")?.strip_suffix(')')?;
        Some(Self { version: version.parse().ok()?, id: id.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::Operation;

    #[test]
    fn a_path_may_be_escaped_and_its_guid_may_have_any_dotnet_form() {
        let id = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
        for path in [
            "/v2/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)",
            "/v2/ServiceOrder(2A8F5D33EEC948648B495636577B40D5)",
            "/%762/ServiceOrder%28%7B2a8f5d33-eec9-4864-8b49-5636577b40d5%7D%29",
        ] {
            let operation = Operation::of_path(path).unwrap();
            assert_eq!((operation.version.as_str(), &*operation.id.to_string()), ("v2", id), "{path}");
        }
    }

    #[test]
    fn any_other_path_is_not_found() {
        for path in [
            "",
            "/",
            "/v3/",
            "//ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)",
            "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)",
            "/v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)/",
            "/v1/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)",
            "/v3/ServiceOrder(1)",
            "/v3/ServiceOrder%(1)",
            "/v3/%FF",
            "/v3/serviceorder(2a8f5d33-eec9-4864-8b49-5636577b40d5)",
        ] {
            assert_eq!(Operation::of_path(path).unwrap_err().response().status(), 404, "{path}");
        }
    }
}
