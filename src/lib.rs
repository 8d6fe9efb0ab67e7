//! Sales orders for a point of sale, priced tax-exclusive: order ids, payloads, totals and the request for
//! `PUT v2/ServiceOrder({orderId})` and `PUT v3/ServiceOrder({orderId})`.
//!
//! ```
//! use sales_order_intake::{AmountOptions, Guid, RuleOptions, SalesOrder, SalesOrderItem, TaxRate, parse_decimal};
//!
//! let tea = "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b".parse()?;
//! let items = vec![SalesOrderItem::new(tea, parse_decimal("3.5")?, parse_decimal("19.99")?)];
//! let order = SalesOrder::new(Guid::new_random()?, 1000, 2000, "f4b5a1c2-0d6e-4f7a-8b9c-1d2e3f4a5b6c".parse()?, items);
//!
//! let valid = order.check(&RuleOptions::default())?; // or the reasons why it can't be sent
//! let gst = TaxRate::new("gst", parse_decimal("0.05")?)?;
//! let totals = valid.preview(&AmountOptions::default().with_tax_rates([gst])).totals;
//! let total = totals.total.ok_or("the total is unknown")?; // not 0
//! println!("{total} in all: PUT {}", valid.request().path);
//! # assert_eq!(totals.total, Some(parse_decimal("73.47")?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Errors in an order are data: all issues at once, each with its code, its location, a message and often a hint.
//!
//! ```
//! use sales_order_intake::{RuleOptions, validate_order};
//!
//! let verdict = validate_order(r#"{ "companyId": 293892, "Items": [] }"#, &RuleOptions::default());
//! let missing = verdict.issues.iter().find(|issue| issue.pointer == "/CompanyId").unwrap();
//! assert_eq!(missing.message, "CompanyId is missing");
//! assert_eq!(missing.hint.as_deref(), Some("did you mean CompanyId instead of companyId?"));
//! ```
//!
//! # Functions
//! - [`Guid`]: order ids, new ([`Guid::new_random`]) or derived from a cart's own key ([`Guid::derive`]).
//! - [`SalesOrder::check`] for orders as types, [`parse`] and the stages after it for orders as JSON:
//!
//!   ```text
//!   JSON ── parse ──▶ ParsedOrder ── check ──▶ CheckedOrder ── into_valid ──▶ ValidOrder ──▶ request
//!                                              └── preview ──▶ Preview             ▲
//!   SalesOrder ────────────────────────────── check ───────────────────────────────┘
//!   ```
//!   A [`ValidOrder`] owns its data: it can be returned, stored and sent to another thread.
//! - [`validate_order`], [`build_order`], [`preview_order`], [`prepare_request`], [`evaluate_order`]: the stages in one call.
//!   Only `build_order` generates a missing Id.
//! - [`read_order`], [`read_error`]: tolerant readers of response bodies.
//!
//! This crate does no networking: a [`PreparedRequest`] is the whole PUT as a value. With the feature `http`, it converts to an
//! `http::Request`.
//!
//! # Amounts
//! Amounts are [`rust_decimal::Decimal`]s. [`parse_decimal`] takes digits and never rounds; no amount goes through a float, and
//! every result is rounded once, from the exact value. An amount that can't be known is `None`, never 0. [`DecimalSum`] adds amounts
//! of many orders exactly, and [`DecimalNotation`] reads what a person typed.
//!
//! # Features
//! Both are off by default.
//!
//! `serde` implements `Serialize` for orders, options, issues, results, ids and names, and `Deserialize` for all of them but
//! issues and results. An order preserves its digits, because it is serialized and deserialized as raw JSON, by `serde_json`
//! only. Decimals in results and rates are strings. An order that can't be read is an error with its first issue; the rules are
//! not applied. Options have the same form as in the npm package, and are deserialized by `serde_json` only; a member that is not
//! an option is an error.
//!
//! ```
//! # #[cfg(feature = "serde")] {
//! use sales_order_intake::SalesOrderTax;
//!
//! let json = r#"{"TaxId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","TaxAmount":2.660}"#;
//! let tax: SalesOrderTax = serde_json::from_str(json)?;
//! assert_eq!(serde_json::to_string(&tax)?, json);
//!
//! let options = r#"{"scale":0,"taxRates":[{"id":"gst","rate":"0.05"}]}"#;
//! let amounts: sales_order_intake::AmountOptions = serde_json::from_str(options)?;
//! assert_eq!(amounts.scale.digits(), 0);
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `http` adds `PreparedRequest::to_http`, which returns the whole request as an `http::Request<String>`: with the URL below a base
//! URL, and the Authorization header marked sensitive.
//!
//! Paragraphs (§) refer to the service's specification, decisions (D) to what this crate does if the specification is silent;
//! `docs/reference/decisions.md`, a file of this crate, lists both.

#![forbid(unsafe_code)]

mod api;
mod canonical;
mod check;
mod closed_set;
pub mod code;
mod date;
mod decimal;
mod did_you_mean;
mod error_body;
mod fate;
mod guid;
#[doc(hidden)]
pub mod internals;
mod issue;
mod json;
mod options;
mod order;
mod order_writer;
mod parse;
mod preview;
mod record;
mod request;
mod response;
#[cfg(feature = "serde")]
mod serde_traits;
mod sort;
mod unexpected;

pub use api::{
    Evaluation, OrderInput, Verdict, build_order, evaluate_order, prepare_request, preview_order,
    validate_order,
};
pub use check::{CheckedOrder, Purpose, ValidOrder};
pub use closed_set::UnknownName;
pub use code::{IssueCode, Severity};
pub use decimal::{DecimalNotation, DecimalSum, ParseDecimalError, Rounding, parse_decimal};
pub use error_body::{ErrorBody, read_error};
pub use fate::{
    Accepted, Created, EarlierAttempts, Failure, FailureKind, Fate, FateOptions, Proof, RelayState, Reply,
    ServiceResponse,
};
pub use guid::{DeriveGuidError, Guid, NoRandomSource, ParseGuidError};
pub use issue::{Issue, Param, Params, Segment};
pub use json::{Json, NotJson};
pub use options::{
    AmountOptions, DiscountValueTypes, InvalidOption, Records, RuleOptions, Scale, TaxLayer, TaxPricing,
    TaxRate, TaxRateType, TaxRounding, Version,
};
pub use order::{
    InvoiceDiscount, OtherMembers, ReceivedDiscount, ReceivedInvoiceDiscount, ReceivedItem, ReceivedOrder,
    ReceivedOrderSource, ReceivedTax, SalesOrder, SalesOrderDiscount, SalesOrderItem, SalesOrderTax,
    ValueType,
};
pub use parse::{ParsedOrder, parse};
pub use preview::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, Step, TaxEntry, TaxPreview,
    TaxSource, Totals,
};
#[cfg(feature = "http")]
pub use request::ToHttpError;
pub use request::{HEADERS, InvalidOrder, PreparedRequest, request_path};
pub use response::{OrderRead, read_order};
pub use rust_decimal;
pub use unexpected::Unexpected;
pub use uuid;

/// Runs the examples in the pages of the documentation.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/guides/rust.md")]
    struct RustGuide;

    #[doc = include_str!("../docs/contributing/stages.md")]
    struct Stages;
}
