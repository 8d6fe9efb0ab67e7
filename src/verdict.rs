//! Judging an order: [`build_order`], [`validate_order`] and, for those that send it, [`prepare_request`] and
//! [`prepare_order`].

use std::fmt;

use crate::code::Severity;
use crate::decode::{self, Reading};
use crate::guid::Guid;
use crate::issue::{Issue, Issues};
use crate::options::{PreviewOptions, Records, RuleOptions};
use crate::order::SalesOrderV2V3Put;
use crate::preview::{self, Lines, Preview};
use crate::request::{Form, PreparedRequest, print, request_path};
use crate::rules;
use crate::shape::order;
use crate::written::{Member, Value, WrittenOrder};

/// Whether an order can be sent, and everything there is to say about it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Verdict {
    /// The order as it will be sent; nothing where an issue is an error.
    pub order: Option<SalesOrderV2V3Put>,
    /// All issues, in document order, then by code.
    pub issues: Vec<Issue>,
}

impl Verdict {
    /// True where no issue is an error.
    #[must_use]
    pub fn is_ok(&self) -> bool {
        self.order.is_some()
    }
}

/// An order that can't be sent, with all the reasons.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct InvalidOrder {
    /// All issues; at least one is an error.
    pub issues: Vec<Issue>,
}

impl fmt::Display for InvalidOrder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut errors = self.issues.iter().filter(|issue| issue.severity == Severity::Error);
        let Some(first) = errors.next() else { return f.write_str("the order can't be sent") };
        write!(f, "{} ({} at \"{}\")", first.message, first.code, first.pointer)?;
        match errors.count() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

impl std::error::Error for InvalidOrder {}

/// Makes an order that can be sent: fills the Id where it is missing, drops read-only members, normalises GUIDs, then
/// validates (D3, D22).
///
/// `json` is the order as JSON text, see [`SalesOrderV2V3Put::to_json`].
#[must_use]
pub fn build_order(json: &str, options: &RuleOptions) -> Verdict {
    judge(json, Reading::Input, options)
}

/// Validates an order as it stands: a missing Id is an error, read-only members are told of (D22).
#[must_use]
pub fn validate_order(json: &str, options: &RuleOptions) -> Verdict {
    judge(json, Reading::AsItStands, options)
}

/// Builds an order and formats the whole PUT.
///
/// # Errors
/// [`InvalidOrder`] with all issues where one is an error.
pub fn prepare_request(json: &str, options: &RuleOptions) -> Result<PreparedRequest, InvalidOrder> {
    let mut issues = Issues::new(json);
    let order = checked(json, Reading::Input, options, &mut issues);
    request(order.as_ref(), options, issues)
}

/// An order to send together with its totals.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct PreparedOrder {
    /// The whole PUT, or the reasons why there is none.
    pub request: Result<PreparedRequest, InvalidOrder>,
    /// What [`preview_order`](crate::preview_order) says of the same order.
    pub preview: Preview,
}

/// What [`prepare_request`] and [`preview_order`](crate::preview_order) say of an order, read and judged once: the totals
/// that were shown are those of the order that is sent.
///
/// ```
/// use sales_order_intake::{PreviewOptions, to_plain_string, prepare_order};
///
/// let order = r#"{
///     "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Taxes": null,
///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
/// }"#;
/// let prepared = prepare_order(order, &PreviewOptions::default());
/// assert_eq!(prepared.preview.subtotal.as_ref().map(to_plain_string).as_deref(), Some("39.98"));
/// assert!(prepared.request?.body.contains(r#""SellAtPricePerUnit":19.99"#));
/// # Ok::<(), sales_order_intake::InvalidOrder>(())
/// ```
#[must_use]
pub fn prepare_order(json: &str, options: &PreviewOptions) -> PreparedOrder {
    prepare_order_with(json, options, Lines::Shown)
}

pub(crate) fn prepare_order_with(json: &str, options: &PreviewOptions, lines: Lines) -> PreparedOrder {
    let mut issues = Issues::new(json);
    let order = checked(json, Reading::Input, &options.rules, &mut issues);
    let request = request(order.as_ref(), &options.rules, issues.clone());
    let preview = preview::of(order.as_ref().map(|(order, _)| order), options, lines, issues);
    PreparedOrder { request, preview }
}

fn request(
    order: Option<&(WrittenOrder<'_>, Option<Guid>)>,
    options: &RuleOptions,
    issues: Issues<'_>,
) -> Result<PreparedRequest, InvalidOrder> {
    match order {
        Some(&(ref order, Some(order_id))) if !issues.has_error() => Ok(PreparedRequest {
            version: options.version,
            order_id,
            path: request_path(options.version, order_id),
            body: print(order, Form::Body),
            issues: issues.finish(),
        }),
        _ => Err(InvalidOrder { issues: issues.finish() }),
    }
}

/// The order of a verdict as JSON text, decimals as text, and the issues.
pub(crate) fn judge_text(
    json: &str,
    reading: Reading,
    options: &RuleOptions,
) -> (Option<String>, Vec<Issue>) {
    judge_with(json, reading, options, |order| print(order, Form::Value))
}

fn judge(json: &str, reading: Reading, options: &RuleOptions) -> Verdict {
    let (order, issues) = judge_with(json, reading, options, |order| order.into());
    Verdict { order, issues }
}

/// Judges an order, and makes something of it where no issue is an error.
fn judge_with<T>(
    json: &str,
    reading: Reading,
    options: &RuleOptions,
    result: impl FnOnce(&WrittenOrder<'_>) -> T,
) -> (Option<T>, Vec<Issue>) {
    let mut issues = Issues::new(json);
    let order = checked(json, reading, options, &mut issues);
    let order = order.filter(|_| !issues.has_error());
    (order.map(|(order, _)| result(&order)), issues.finish())
}

/// An order that was held against every rule, and its id.
fn checked<'a>(
    json: &'a str,
    reading: Reading,
    options: &RuleOptions,
    issues: &mut Issues<'a>,
) -> Option<(WrittenOrder<'a>, Option<Guid>)> {
    let passthrough = options.records == Records::Passthrough;
    let mut order = decode::read_order(json, reading, passthrough, issues)?;
    let id = order_id(&order, reading, options);
    if let Some(id) = id
        && order.root().get(order::ID).guid().is_none()
    {
        order.set_member(order::ID, Member { raw: "", value: Value::Guid(id) });
    }
    rules::check(&order, options, id.is_some(), issues);
    Some((order, id))
}

/// The id of the order: its own, else the one the caller has for the path, else a new one (D2, D3).
fn order_id(order: &WrittenOrder<'_>, reading: Reading, options: &RuleOptions) -> Option<Guid> {
    match order.root().get(order::ID).value {
        Value::Guid(id) => Some(id),
        Value::Absent | Value::Null if reading == Reading::Input => {
            options.order_id.or_else(|| Guid::new_random().ok())
        }
        _ => None,
    }
}
