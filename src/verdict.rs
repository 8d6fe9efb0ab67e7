//! Judging an order: [`build_order`], [`validate_order`] and, for those that send it, [`prepare_request`].

use std::fmt;

use crate::code::Severity;
use crate::decode::{self, Reading};
use crate::guid::Guid;
use crate::issue::{Issue, Issues};
use crate::options::{RecordShapes, RuleOptions};
use crate::order::SalesOrderV2V3Put;
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
    let (request, issues) =
        judge_with(json, Reading::Input, options, |order, id| Some((id?, print(order, Form::Body))));
    match request.flatten() {
        Some((order_id, body)) => Ok(PreparedRequest {
            version: options.version,
            order_id,
            path: request_path(options.version, order_id),
            body,
            issues,
        }),
        None => Err(InvalidOrder { issues }),
    }
}

/// The order of a verdict as JSON text, decimals as text, and the issues.
pub(crate) fn judge_text(
    json: &str,
    reading: Reading,
    options: &RuleOptions,
) -> (Option<String>, Vec<Issue>) {
    judge_with(json, reading, options, |order, _| print(order, Form::Value))
}

fn judge(json: &str, reading: Reading, options: &RuleOptions) -> Verdict {
    let (order, issues) = judge_with(json, reading, options, |order, _| order.into());
    Verdict { order, issues }
}

/// Reads and checks an order, and makes something of it where no issue is an error.
fn judge_with<T>(
    json: &str,
    reading: Reading,
    options: &RuleOptions,
    result: impl FnOnce(&WrittenOrder<'_>, Option<Guid>) -> T,
) -> (Option<T>, Vec<Issue>) {
    let mut issues = Issues::new(json);
    let opaque = options.records == RecordShapes::Opaque;
    let order = decode::read_order(json, reading, opaque, &mut issues);
    let made = order.and_then(|mut order| {
        let id = order_id(&order, reading, options);
        if let Some(id) = id
            && order.root().get(order::ID).guid().is_none()
        {
            order.set_member(order::ID, Member { raw: "", value: Value::Guid(id) });
        }
        rules::check(&order, options, id.is_some(), &mut issues);
        (!issues.has_error()).then(|| result(&order, id))
    });
    (made, issues.finish())
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
