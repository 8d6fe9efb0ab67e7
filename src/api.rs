//! The functions that most programs call: an order in, a verdict, a preview or a request out.
//!
//! Each one calls [`parse`], [`check`](crate::ParsedOrder::check), and then a method of [`CheckedOrder`].

use std::borrow::Cow;
use std::fmt;

use crate::check::{CheckedOrder, Purpose, ValidOrder, fill_missing_id};
use crate::guid::Guid;
use crate::issue::Issue;
use crate::options::{AmountOptions, RuleOptions};
use crate::order::{FromRecord as _, SalesOrder};
use crate::parse::{Origin, ParsedOrder, parse_from};
use crate::preview::{Detail, Preview};
use crate::request::{InvalidOrder, PreparedRequest};

/// The result of checking an order: the order if it can be sent, and all issues.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Verdict {
    /// The order as it will be sent; `None` if an issue is an error.
    pub order: Option<SalesOrder>,
    /// All issues, in the order of the specification's members, then by code (D56).
    pub issues: Vec<Issue>,
}

impl Verdict {
    /// Returns true if no issue is an error.
    ///
    /// ```
    /// use sales_order_intake::{RuleOptions, validate_order};
    ///
    /// assert!(!validate_order("{}", &RuleOptions::default()).is_ok());
    /// ```
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.order.is_some()
    }
}

/// An order that a function takes: JSON, or a [`SalesOrder`].
///
/// ```
/// use sales_order_intake::{Guid, RuleOptions, SalesOrder, validate_order};
///
/// let rules = RuleOptions::default();
/// assert!(!validate_order("{}", &rules).is_ok());
/// let integrator = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50".parse()?;
/// let without_items = SalesOrder::new(Guid::new_random()?, 1000, 2000, integrator, Vec::new());
/// assert!(!validate_order(&without_items, &rules).is_ok());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct OrderInput<'a> {
    json: Cow<'a, str>,
    origin: Origin,
}

impl OrderInput<'_> {
    pub(crate) fn parse(&self) -> ParsedOrder<'_> {
        parse_from(&self.json, self.origin)
    }
}

impl<'a> From<&'a str> for OrderInput<'a> {
    fn from(json: &'a str) -> Self {
        Self { json: Cow::Borrowed(json), origin: Origin::Json }
    }
}

impl<'a> From<&'a String> for OrderInput<'a> {
    fn from(json: &'a String) -> Self {
        Self { json: Cow::Borrowed(json), origin: Origin::Json }
    }
}

impl From<&SalesOrder> for OrderInput<'_> {
    /// Prints the order as JSON and has it parsed again, so that one parser and one set of issue locations serve typed orders
    /// and JSON alike.
    fn from(order: &SalesOrder) -> Self {
        Self { json: Cow::Owned(order.to_json()), origin: Origin::Struct }
    }
}

impl fmt::Debug for OrderInput<'_> {
    /// Prints no personal data (D45), only the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OrderInput({} bytes)", self.json.len())
    }
}

impl SalesOrder {
    /// Applies every rule that an order has to obey to be sent.
    ///
    /// ```
    /// use sales_order_intake::{Guid, RuleOptions, SalesOrder, SalesOrderItem, parse_decimal};
    ///
    /// let integrator = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50".parse()?;
    /// let tea = "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff".parse()?;
    /// let items = vec![SalesOrderItem::new(tea, parse_decimal("2")?, parse_decimal("19.99")?)];
    /// let mut order = SalesOrder::new(Guid::new_random()?, 1000, 2000, integrator, items);
    /// assert!(order.check(&RuleOptions::default())?.request().body.contains(r#""Quantity":2,"#));
    ///
    /// order.items.clear();
    /// assert!(order.check(&RuleOptions::default()).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOrder`] with all issues if one is an error.
    pub fn check(&self, rules: &RuleOptions) -> Result<ValidOrder, InvalidOrder> {
        OrderInput::from(self).parse().check(Purpose::Send, rules).into_valid()
    }
}

/// Prepares an order for sending: generates a missing Id, drops read-only members, normalises GUIDs, then validates
/// (D3, D22).
///
/// ```
/// use sales_order_intake::{RuleOptions, build_order};
///
/// let verdict = build_order(
///     r#"{
///         "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
///         "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
///     }"#,
///     &RuleOptions::default(),
/// );
/// assert_eq!(verdict.order.unwrap().id.as_uuid().get_version_num(), 4); // a new one
/// ```
#[must_use]
pub fn build_order<'a>(order: impl Into<OrderInput<'a>>, options: &RuleOptions) -> Verdict {
    verdict(check_built(order.into().parse(), options, &AmountOptions::default()))
}

/// Validates an order as it is: a missing Id is an error, read-only members are reported (D22).
///
/// ```
/// use sales_order_intake::{RuleOptions, validate_order};
///
/// let verdict = validate_order(r#"{ "ReceiptNumber": "R-17" }"#, &RuleOptions::default());
/// let missing: Vec<_> = verdict.issues.iter().filter(|issue| issue.code.as_str() == "missing").collect();
/// assert_eq!(missing.len(), 5); // Id, CompanyId, EntityId, IntegratorId, Items
/// ```
#[must_use]
pub fn validate_order<'a>(order: impl Into<OrderInput<'a>>, options: &RuleOptions) -> Verdict {
    verdict(order.into().parse().check(Purpose::Validate, options))
}

/// Calculates the amounts of an order. Never fails: an amount that can't be computed is `None`, and an issue says why.
///
/// A missing Id is not an issue; everything else is reported as by [`build_order`].
///
/// ```
/// use sales_order_intake::{AmountOptions, RuleOptions, preview_order};
///
/// let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }], "Taxes": null }"#;
/// let totals = preview_order(order, &RuleOptions::default(), &AmountOptions::default()).totals;
/// assert_eq!(totals.subtotal.unwrap().to_string(), "29.31");
/// assert_eq!(totals.total, None); // the point of sale calculates the taxes
/// ```
#[must_use]
pub fn preview_order<'a>(
    order: impl Into<OrderInput<'a>>,
    rules: &RuleOptions,
    amounts: &AmountOptions,
) -> Preview {
    order.into().parse().check_in(amounts.currency(), Purpose::Preview, rules).preview(amounts)
}

/// Formats the whole PUT request of an order. The order needs an Id: one generated here would be lost, and preparing the
/// order again would duplicate it (D3).
///
/// ```
/// use sales_order_intake::{RuleOptions, prepare_request};
///
/// let error = prepare_request("{}", &RuleOptions::default()).unwrap_err();
/// assert!(error.to_string().starts_with("Id is missing"));
/// ```
///
/// # Errors
/// Returns [`InvalidOrder`] with all issues if one is an error; a missing Id is one.
pub fn prepare_request<'a>(
    order: impl Into<OrderInput<'a>>,
    options: &RuleOptions,
) -> Result<PreparedRequest, InvalidOrder> {
    order.into().parse().check(Purpose::Send, options).request()
}

/// Verdict, totals and request of the same order.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Evaluation {
    /// The amounts, and all issues of order and amounts.
    pub preview: Preview,
    /// The whole PUT; all issues if one is an error.
    pub request: Result<PreparedRequest, InvalidOrder>,
}

impl Evaluation {
    /// Returns true if no issue is an error.
    ///
    /// ```
    /// use sales_order_intake::{AmountOptions, RuleOptions, evaluate_order};
    ///
    /// assert!(!evaluate_order("{}", &RuleOptions::default(), &AmountOptions::default()).is_ok());
    /// ```
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.request.is_ok()
    }
}

/// Validates an order, previews its totals and formats its request, but parses and checks it only once.
///
/// A missing Id is an error, and so is an amount that does not fit. Like all of these functions it takes JSON or a
/// `&SalesOrder`.
///
/// ```
/// use sales_order_intake::{AmountOptions, RuleOptions, evaluate_order};
///
/// let order = r#"{
///     "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000,
///     "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Taxes": null,
///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
/// }"#;
/// let evaluation = evaluate_order(order, &RuleOptions::default(), &AmountOptions::default());
/// assert_eq!(evaluation.preview.totals.subtotal.unwrap().to_string(), "39.98");
/// assert!(evaluation.request?.body.contains(r#""SellAtPricePerUnit":19.99"#));
/// # Ok::<(), sales_order_intake::InvalidOrder>(())
/// ```
#[must_use]
pub fn evaluate_order<'a>(
    order: impl Into<OrderInput<'a>>,
    rules: &RuleOptions,
    amounts: &AmountOptions,
) -> Evaluation {
    let order = order.into();
    let checked = order.parse().check_in(amounts.currency(), Purpose::Send, rules);
    let found = checked.preview_with(amounts, Detail::Lines, checked.issues.snapshot());
    let request = checked.request_after_preview(&found.issues);
    let preview = found.into_preview();
    let order_id = checked.order_id();
    let request = match request {
        Some(request) => Ok(PreparedRequest { issues: checked.issues.finish(), ..request }),
        None => Err(InvalidOrder { order_id, issues: preview.issues.clone() }),
    };
    Evaluation { preview, request }
}

/// Fills a missing Id, with that of the path or else a new one, and checks the order (D2, D3).
pub fn check_built<'a>(
    mut parsed: ParsedOrder<'a>,
    rules: &'a RuleOptions,
    amounts: &AmountOptions,
) -> CheckedOrder<'a> {
    // If there is no random source, that is the issue, not the missing Id.
    let has_id = fill_missing_id(&mut parsed, rules, Guid::new_random);
    let purpose = if has_id { Purpose::Send } else { Purpose::Preview };
    parsed.check_in(amounts.currency(), purpose, rules)
}

fn verdict(checked: CheckedOrder<'_>) -> Verdict {
    let order = checked.valid_records().and_then(|records| SalesOrder::from_record(records.root()));
    Verdict { order, issues: checked.issues.finish() }
}
