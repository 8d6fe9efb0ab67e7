//! Sales orders for a point of sale, priced tax-exclusive: order ids, payloads, totals and the request for
//! `PUT v2/ServiceOrder({orderId})` and `PUT v3/ServiceOrder({orderId})`.
//!
//! ```
//! use sales_order_intake::{PreviewOptions, RuleOptions, prepare_request, preview_order, to_plain_string};
//!
//! // An order as JSON, or as a SalesOrderV2V3Put.
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
//! let totals = preview_order(order, &PreviewOptions::default()).totals;
//! assert_eq!(totals.subtotal.as_ref().map(to_plain_string).as_deref(), Some("69.97")); // 69.965, rounded once
//! assert_eq!(totals.total.as_ref().map(to_plain_string).as_deref(), Some("73.47"));
//!
//! let request = prepare_request(order, &RuleOptions::default())?;
//! assert_eq!(request.path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
//! assert!(request.body.contains(r#""Quantity":3.5,"SellAtPricePerUnit":19.99"#));
//!
//! // Errors in an order are data: all issues, each with its code, its location and often a hint.
//! let error = prepare_request(r#"{ "companyId": 293892 }"#, &RuleOptions::default()).unwrap_err();
//! let issues: Vec<_> = error.issues.iter().map(|issue| (issue.code.as_str(), &*issue.pointer)).collect();
//! assert!(issues.contains(&("missing", "/CompanyId")));
//! # Ok::<(), sales_order_intake::InvalidOrder>(())
//! ```
//!
//! # Functions
//! - [`Guid`]: order ids, new ([`Guid::new_random`]) or derived from a cart's own key ([`Guid::derive`]).
//! - [`build_order`], [`validate_order`]: the [`Verdict`], with every [`Issue`]; the [codes](IssueCode) never change.
//! - [`preview_order`]: the [`Preview`], the amounts that the point of sale will show; an unknown amount is `None`.
//! - [`prepare_request`]: the [`PreparedRequest`], the whole PUT request as a value. This crate does no networking.
//! - [`evaluate_order`]: verdict, totals and request of an order that is parsed and checked once.
//! - [`read_order`], [`read_error`]: tolerant readers of response bodies.
//!
//! Amounts are [`rust_decimal::Decimal`]s, parsed from strings and printed as strings ([`parse_decimal`],
//! [`to_plain_string`]), never through a float; every result is rounded once, from the exact value.
//!
//! # Stages
//! An order passes through stages, each with a type of its own. The functions above compose them.
//!
//! ```text
//! JSON ── parse ──▶ ParsedOrder ── check ──▶ CheckedOrder ──▶ request | preview | to_order
//! ```
//!
//! # Where things are
//! | Question | File |
//! |---|---|
//! | How is a discount allocated to lines (D17)? | `preview/allocate.rs` |
//! | Where does a new type of tax go? | `TaxRateType` in `options.rs`, and one function in `preview/tax_rate.rs` |
//! | What is the range of CompanyId? | the table in `order.rs` |
//! | Where does "did you mean" come from? | `did_you_mean.rs` |
//! | Where are read-only members dropped? | `Parser::member` in `parse/record.rs` |
//! | Where is the rounding range computed (D19)? | `preview/rounding_range.rs` |
//! | Where is a 409 decided? | `service/store.rs` |
//! | Where is a token compared? | `service/auth.rs` |
//! | What may another company's token do? | `service/auth.rs` |
//! | What makes a body too large? | `service/http/body.rs`; `MAX_BYTES` in `parse/limits.rs` for the crate itself |
//!
//! Paragraphs (§) refer to the service's specification, decisions (D) to what this crate does if it is silent;
//! `docs/reference/decisions.md`, a file of this crate, lists both.

mod canonical;
mod check;
mod closed_set;
pub mod code;
mod date;
mod decimal;
mod did_you_mean;
mod error_body;
mod guid;
#[doc(hidden)]
pub mod internals;
mod issue;
mod json;
mod options;
mod order;
mod order_writer;
mod parse;
mod plain;
mod preview;
mod record;
mod request;
mod response;
mod schema;
mod verdict;

pub use check::CheckedOrder;
pub use closed_set::UnknownName;
pub use code::{IssueCode, Severity};
pub use decimal::{ParseDecimalError, Rounding, parse_decimal, to_plain_string};
pub use error_body::{ErrorBody, read_error};
pub use guid::{DeriveGuidError, Guid, NoRandomSource, ParseGuidError};
pub use issue::{Issue, Param, Params, Segment};
pub use options::{
    DiscountValueTypes, PreviewOptions, Records, RuleOptions, TaxLayer, TaxPricing, TaxRate, TaxRateType,
    TaxRounding, Version,
};
pub use order::{
    InvoiceDiscount, OtherMembers, SalesOrderDiscount, SalesOrderItem, SalesOrderSource, SalesOrderTax,
    SalesOrderV2V3Put, ValueType,
};
pub use parse::{ParseMode, ParsedOrder, parse};
pub use preview::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, Step, TaxEntry, TaxPreview,
    TaxSource, Totals,
};
pub use request::{HEADERS, InvalidOrder, PreparedRequest, request_path};
pub use response::{OrderRead, read_order};
pub use rust_decimal;
pub use uuid;
pub use verdict::{
    Evaluation, OrderInput, Verdict, build_order, evaluate_order, prepare_request, preview_order,
    validate_order,
};

/// Runs the examples in the pages of the documentation.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/guides/rust.md")]
    struct RustGuide;

    #[doc = include_str!("../docs/contributing/stages.md")]
    struct Stages;
}
