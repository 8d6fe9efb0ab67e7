//! Sales orders for a point of sale, priced tax-exclusive: order ids, payloads, totals and the request for
//! `PUT v2/ServiceOrder({orderId})` and `PUT v3/ServiceOrder({orderId})`.
//!
//! ```
//! use sales_order_intake::{PreviewOptions, RuleOptions, to_plain_string, prepare_request, preview_order};
//!
//! // The order as JSON text; SalesOrderV2V3Put::to_json makes it from Rust values.
//! let order = r#"{
//!     "Id": "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}",
//!     "CompanyId": 293892, "EntityId": 293894,
//!     "IntegratorId": "f4b5a1c2-0d6e-4f7a-8b9c-1d2e3f4a5b6c",
//!     "Items": [{
//!         "Name": "House blend, per gram", "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b",
//!         "Quantity": 3.5, "SellAtPricePerUnit": "19.99"
//!     }],
//!     "Taxes": [{ "TaxId": "0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4", "TaxAmount": "3.50" }]
//! }"#;
//!
//! let preview = preview_order(order, &PreviewOptions::default());
//! assert_eq!(preview.subtotal.as_ref().map(to_plain_string).as_deref(), Some("69.97")); // 69.965, rounded once
//! assert_eq!(preview.total.as_ref().map(to_plain_string).as_deref(), Some("73.47"));
//!
//! let request = prepare_request(order, &RuleOptions::default())?;
//! assert_eq!(request.path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
//! assert!(request.body.contains(r#""Quantity":3.5,"SellAtPricePerUnit":19.99"#));
//!
//! // A bad order is data: every issue with code, place and what to do about it.
//! let error = prepare_request(r#"{ "companyId": 293892 }"#, &RuleOptions::default()).unwrap_err();
//! let places: Vec<_> = error.issues.iter().map(|issue| (issue.code.as_str(), &*issue.pointer)).collect();
//! assert!(places.contains(&("missing", "/CompanyId")));
//! # Ok::<(), sales_order_intake::InvalidOrder>(())
//! ```
//!
//! # What is where
//! - [`Guid`]: order ids, new ([`Guid::new_random`]) or derived from a cart's own key ([`Guid::derive`]).
//! - [`build_order`], [`validate_order`]: the [`Verdict`], with every [`Issue`]; the [codes](IssueCode) never change.
//! - [`preview_order`]: the [`Preview`], what the point of sale will show; what can't be known is `None`.
//! - [`prepare_request`]: the [`PreparedRequest`], the whole PUT as a value. Nothing here does any networking.
//! - [`prepare_order`]: both, of an order that is read and judged once.
//! - [`read_order`], [`read_error`]: what a service answered, read with tolerance.
//! - [`json_api`]: all of these from JSON text to JSON text, for hosts without Rust types; [`draft`] judges an order in parts.
//!
//! Amounts are [`rust_decimal::Decimal`]s, read from text and printed as text ([`parse_decimal`], [`to_plain_string`]), never
//! through a float; every result is rounded once, from the exact value.
//!
//! Paragraphs (§) refer to the service's specification, decisions (D) to what holds where that is silent; the README
//! of the repository lists them.

pub mod code;
mod date;
mod decimal;
mod decode;
pub mod draft;
mod error_body;
mod guid;
mod issue;
mod json;
pub mod json_api;
mod options;
mod order;
mod preview;
mod request;
mod response;
mod rules;
#[cfg(feature = "service")]
pub mod service;
mod shape;
mod u512;
mod verdict;
#[cfg(all(target_arch = "wasm32", feature = "wasm"))]
mod wasm;
mod words;
mod written;

pub use code::{IssueCode, Severity, UnknownName};
pub use decimal::{DecimalError, Rounding, parse_decimal, to_plain_string};
pub use error_body::{ErrorBody, read_error};
pub use guid::{Guid, GuidError, NoRandomSource};
pub use issue::{Issue, Segment};
pub use options::{
    DiscountValueTypes, InvalidOption, PreviewOptions, Records, RuleOptions, TaxLayer, TaxPricing, TaxRate,
    TaxRateType, TaxRounding, Version,
};
pub use order::{
    InvoiceDiscount, OtherMembers, SalesOrderDiscount, SalesOrderItem, SalesOrderSource, SalesOrderTax,
    SalesOrderV2V3Put,
};
pub use preview::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, Step, TaxEntry, TaxPreview,
    TaxSource, preview_order,
};
pub use request::{HEADERS, PreparedRequest, request_path};
pub use response::{OrderRead, read_order};
pub use verdict::{
    InvalidOrder, PreparedOrder, Verdict, build_order, prepare_order, prepare_request, validate_order,
};
pub use written::ValueType;
