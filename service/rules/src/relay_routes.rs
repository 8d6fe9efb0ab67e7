//! The relay of the command line: what a request asks of it, and who may ask. It takes orders as the service
//! does, but stores them in an outbox of its own; it has no registry, and no faults.

use std::fmt;
use std::sync::Arc;

use http::Method;
use sales_order_intake::{Guid, Version};
use serde::de::{Deserializer as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use time::OffsetDateTime;

use crate::authorization::{identify, identify_in_browser};
use crate::body;
use crate::host;
use crate::operation::Operation;
use crate::order_request::{AcceptedHead, Head, accept_head};
use crate::problem::{Problem, ProblemType};
use crate::registry::Registry;

/// The most rates of an evaluation.
const MAX_RATES: usize = 100;
/// The most products of its items and its rates: one more takes too long, and has too large a response.
const MAX_PRODUCTS: usize = 200_000;
/// How deep the options of an evaluation may be nested: far deeper than any that is known.
const MAX_DEPTH: usize = 64;

/// What a request is for. Requests are counted under its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Route {
    /// One of the two operations, or nothing that exists.
    Order,
    /// The list of orders.
    Orders,
    /// The state of an order.
    State,
    /// What happened to an order.
    History,
    /// A corrected order that replaces another.
    Replace,
    /// Another attempt to deliver an order.
    Retry,
    /// The cancellation of an order that was never sent.
    Cancel,
    /// The issues and amounts of an order that is not stored.
    Evaluate,
    /// The page of operators.
    Page,
    /// The metrics.
    Metrics,
    /// Whether orders can be stored.
    Ready,
    /// The description of the relay.
    OpenApi,
}

/// A request after its head was checked.
pub struct RelayHead {
    /// What it is for.
    pub route: Route,
    /// The Id in its path, if it is a GUID.
    pub order_id: Option<Guid>,
    /// The body that comes next; `None` for a request that has none; or the problem.
    pub next: Result<Option<Awaited>, Problem>,
}

/// The body that comes next.
pub enum Awaited {
    /// An order to store.
    Order(AcceptedHead),
    /// An [`Evaluation`].
    Evaluation,
}

/// The body of a request to evaluate an order: JSON as it was sent, so that every decimal keeps its digits.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evaluation<'b> {
    /// The order.
    #[serde(borrow)]
    pub order: &'b RawValue,
    /// The options; `None` if they are absent or null.
    #[serde(borrow)]
    pub options: Option<&'b RawValue>,
}

impl<'b> Evaluation<'b> {
    /// Parses a body.
    ///
    /// # Errors
    /// Returns the problem of a body that has other members, or whose evaluation would take too long. It quotes
    /// nothing of the body.
    pub fn of_body(body: &'b [u8]) -> Result<Self, Problem> {
        let invalid = |detail| Problem::new(ProblemType::InvalidBody, detail);
        // As for an order that is stored.
        let body = body.strip_prefix("\u{feff}".as_bytes()).unwrap_or(body);
        let evaluation: Self = serde_json::from_slice(body).map_err(|error| {
            let (line, column) = (error.line(), error.column());
            invalid(format!(
                "The body must be JSON: an object with the order in `order` and, if there are any, the options in `options`. \
                It is not at line {line}, column {column}."
            ))
        })?;
        let options = evaluation.options.map_or("", RawValue::get);
        if is_deeper_than(MAX_DEPTH, options) {
            return Err(invalid(format!("The options must not be nested deeper than {MAX_DEPTH} levels.")));
        }
        let rates = elements_in(options, "taxRates");
        if rates > MAX_RATES {
            return Err(invalid(format!(
                "/options/taxRates must have at most {MAX_RATES} rates, not {rates}."
            )));
        }
        let products = evaluation.products();
        if products > MAX_PRODUCTS {
            return Err(invalid(format!(
                "The items times the rates must be at most {MAX_PRODUCTS}, not {products}: \
                leave out rates that apply to no item, or evaluate the order in parts."
            )));
        }
        Ok(evaluation)
    }

    /// Returns how long the evaluation takes, as a number of amounts: the items times the rates, but at least the
    /// items.
    #[must_use]
    pub fn products(&self) -> usize {
        let rates = elements_in(self.options.map_or("", RawValue::get), "taxRates");
        elements_in(self.order.get(), "Items") * rates.max(1)
    }
}

/// Returns true if arrays and objects of a JSON text are nested deeper than `depth`.
fn is_deeper_than(depth: usize, json: &str) -> bool {
    let (mut open, mut is_string, mut is_escaped) = (0_usize, false, false);
    json.bytes().any(|byte| {
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_string => is_escaped = true,
            b'"' => is_string = !is_string,
            b'[' | b'{' if !is_string => open += 1,
            b']' | b'}' if !is_string => open -= 1,
            _ => {}
        }
        open > depth
    })
}

/// Counts the elements of an array that is a member of a JSON object; 0 if there is none. A member that is there
/// several times counts each time.
fn elements_in(json: &str, member: &str) -> usize {
    serde_json::Deserializer::from_str(json).deserialize_map(ElementsOf(member)).unwrap_or(0)
}

/// The member whose elements are counted.
struct ElementsOf<'n>(&'n str);

impl<'de> Visitor<'de> for ElementsOf<'_> {
    type Value = usize;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<usize, A::Error> {
        let mut elements = 0;
        while let Some(name) = members.next_key::<String>()? {
            let value: &RawValue = members.next_value()?;
            if name == self.0 {
                elements += serde_json::from_str(value.get()).map_or(0, |all: Vec<IgnoredAny>| all.len());
            }
        }
        Ok(elements)
    }
}

/// Checks the head of a request. `token`: the one that senders need; without one, only this machine may ask.
#[must_use]
pub fn check_head(
    head: Head<'_>,
    token: Option<&str>,
    max_body_bytes: usize,
    now: OffsetDateTime,
) -> RelayHead {
    let operation = Operation::of_path(head.path);
    let segments: Vec<_> = head.path.split('/').skip(1).collect();
    let (route, order_id) = match segments.as_slice() {
        ["orders"] => (Route::Orders, None),
        ["orders", id] if head.method == Method::PUT => (Route::Replace, id.parse().ok()),
        ["orders", id] => (Route::State, id.parse().ok()),
        ["orders", id, "history"] => (Route::History, id.parse().ok()),
        ["orders", id, "retry"] => (Route::Retry, id.parse().ok()),
        ["orders", id, "cancel"] => (Route::Cancel, id.parse().ok()),
        ["evaluate"] => (Route::Evaluate, None),
        [""] => (Route::Page, None),
        ["metrics"] => (Route::Metrics, None),
        ["ready"] => (Route::Ready, None),
        ["openapi.json"] => (Route::OpenApi, None),
        _ => (Route::Order, operation.as_ref().ok().map(|operation| operation.id)),
    };
    let registry = Arc::new(Registry::of_everything(token.unwrap_or_default()));
    let grant = || match (token, registry.grants()) {
        (None, [everything, ..]) => Ok(Arc::clone(everything)),
        _ if route == Route::Page => identify_in_browser(head.headers, &registry, now),
        _ => identify(head.headers, &registry, now),
    };
    let permit = |allowed: &'static str, is_open: bool| {
        if !allowed.split(", ").any(|method| head.method == method) {
            return Err(Problem::method_not_allowed(allowed));
        }
        if is_open { Ok(None) } else { grant().map(|_| None) }
    };
    let next = || {
        host::check_form(head.headers)?;
        if token.is_none() {
            // A page of another site could send orders (DNS rebinding).
            let advice = "Use localhost or an IP address, or start the relay with a client token.";
            host::check(None, head.headers, &[], advice)?;
        }
        // The page checks its forms itself: it has no problem details, and may be mounted elsewhere.
        let is_safe = [Method::GET, Method::HEAD].contains(head.method);
        if !is_safe && route != Route::Page {
            host::check_site(head.headers)?;
        }
        let order = |operation| accept_head(operation, head, &registry, grant, max_body_bytes);
        match route {
            Route::Order => order(operation?).map(Awaited::Order).map(Some),
            Route::Replace => {
                let id = order_id.ok_or_else(Problem::path_not_found)?;
                // The version is that of the order that is replaced.
                order(Operation { version: Version::V3, id }).map(Awaited::Order).map(Some)
            }
            Route::Evaluate => {
                permit("POST", false)?;
                body::check_headers(head.headers, max_body_bytes)?;
                Ok(Some(Awaited::Evaluation))
            }
            Route::Page => permit("GET, HEAD, POST", false),
            Route::Retry | Route::Cancel => permit("POST", false),
            Route::State => permit("GET, HEAD, PUT", false),
            Route::Orders | Route::History | Route::Metrics => permit("GET, HEAD", false),
            Route::Ready | Route::OpenApi => permit("GET, HEAD", true),
        }
    };
    let next = next();
    RelayHead { route, order_id, next }
}
