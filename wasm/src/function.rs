//! The functions that JavaScript calls by number.

use sales_order_intake::{ParsedOrder, parse};

use crate::options::{Options, with_options};
use crate::{amounts, evaluation, fate, json_api};

/// A function of the core.
///
/// The numbers are those of `FUNCTIONS` in `pkg-template/src/boundary.ts`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Function {
    ValidateOrder,
    BuildOrder,
    PreviewOrder,
    PrepareRequest,
    ReadOrder,
    ReadError,
    DeriveOrderId,
    ParseGuid,
    RequestPath,
    EvaluateOrder,
    IssuesOfOrder,
    OrderFate,
    IsSameOrder,
    CompareAmounts,
    SumAmounts,
    ReadDecimal,
}

/// No function has the given number: the JavaScript and the module come from different versions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct UnknownFunction;

impl Function {
    /// Every function, at the index that is its number.
    const ALL: [Self; 16] = [
        Self::ValidateOrder,
        Self::BuildOrder,
        Self::PreviewOrder,
        Self::PrepareRequest,
        Self::ReadOrder,
        Self::ReadError,
        Self::DeriveOrderId,
        Self::ParseGuid,
        Self::RequestPath,
        Self::EvaluateOrder,
        Self::IssuesOfOrder,
        Self::OrderFate,
        Self::IsSameOrder,
        Self::CompareAmounts,
        Self::SumAmounts,
        Self::ReadDecimal,
    ];

    /// Calls the function; it ignores arguments that it doesn't take. Without `options`, it takes those of the last call.
    pub(super) fn call(self, first: &str, second: &str, options: Option<&str>) -> String {
        match self {
            Self::ValidateOrder => json_api::validate_order(first, options),
            Self::BuildOrder => json_api::build_order(first, second, options),
            Self::PreviewOrder => json_api::preview_order(first, options),
            Self::PrepareRequest => json_api::prepare_request(first, options),
            Self::ReadOrder => json_api::read_order(first),
            Self::ReadError => json_api::read_error(first),
            Self::DeriveOrderId => json_api::derive_order_id(first, second),
            Self::ParseGuid => json_api::parse_guid(first),
            Self::RequestPath => json_api::request_path(first, second),
            Self::EvaluateOrder => evaluation::evaluate_order(first, options),
            Self::IssuesOfOrder => evaluation::issues_of_order(first, options),
            Self::OrderFate => fate::order_fate(first, second),
            Self::IsSameOrder => json_api::is_same_order(first, second),
            Self::CompareAmounts => amounts::compare_amounts(first),
            Self::SumAmounts => amounts::sum_amounts(first),
            Self::ReadDecimal => amounts::read_decimal(first, second),
        }
    }
}

/// Calls a function with the order and the options.
pub(crate) fn with_order(
    order: &str,
    options: Option<&str>,
    call: &dyn Fn(ParsedOrder<'_>, &Options) -> String,
) -> String {
    with_options(options, &|options| call(parse(order), options))
}

impl TryFrom<u32> for Function {
    type Error = UnknownFunction;

    fn try_from(number: u32) -> Result<Self, UnknownFunction> {
        Self::ALL.get(number as usize).copied().ok_or(UnknownFunction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_function_has_a_number_and_any_other_number_is_unknown() {
        for (number, function) in (0_u32..).zip(Function::ALL) {
            assert_eq!(function as u32, number);
            assert_eq!(Function::try_from(number), Ok(function));
        }
        for number in [16, 17, 99, u32::MAX] {
            assert_eq!(Function::try_from(number), Err(UnknownFunction), "{number}");
        }
    }

    #[test]
    fn build_order_fills_a_missing_id_with_the_one_that_the_host_passes() {
        let id = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
        let order = |id: &str| {
            format!(
                r#"{{{id}"CompanyId":1,"EntityId":2,"IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7",
                "Items":[{{"Name":"Tea","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":2}}]}}"#
            )
        };
        let built = Function::BuildOrder.call(&order(""), id, Some(""));
        assert!(built.starts_with(&format!("@{{\"Id\":\"{id}\"")), "{built}");
        let without_source = Function::BuildOrder.call(&order(""), "", Some(""));
        assert!(without_source.contains(r#""code":"no_random_source""#), "{without_source}");
        let own_id = r#""Id":"7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50","#;
        for new_id in [id, ""] {
            let built = Function::BuildOrder.call(&order(own_id), new_id, Some(""));
            assert!(built.starts_with("@{\"Id\":\"7b2e3c0a"), "{built}");
        }
    }

    #[test]
    fn typescript_has_the_same_functions_with_the_same_numbers() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../pkg-template/src/boundary.ts");
        let typescript = std::fs::read_to_string(file).unwrap();
        let (_, table) = typescript.split_once("const FUNCTIONS = {").unwrap();
        let (table, _) = table.split_once('}').unwrap();
        let in_typescript: Vec<_> =
            table.split(',').map(str::trim).filter(|entry| !entry.is_empty()).collect();
        let in_rust = Function::ALL.map(|function| {
            let name = format!("{function:?}");
            let (first, rest) = name.split_at(1);
            format!("{}{rest}: {}", first.to_lowercase(), function as u32)
        });
        assert_eq!(in_typescript, in_rust);
    }
}
