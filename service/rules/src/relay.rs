//! The relay of the command line: what a request asks of it, and who may ask. It takes orders as the service does, but stores them
//! in an outbox of its own; it has no registry, and no faults.

use std::sync::Arc;

use http::HeaderMap;
use jiff::Timestamp;
use sales_order_intake::Guid;

use crate::authorization::identify;
use crate::host;
use crate::operation::Operation;
use crate::order_request::{Admitted, Head, admit};
use crate::problem::Problem;
use crate::registry::Registry;

/// What a request is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Route {
    /// One of the two operations, or nothing that exists.
    Order,
    /// The list of orders.
    Orders,
    /// The state of an order.
    State,
    /// Another attempt to deliver an order.
    Retry,
    /// The metrics.
    Metrics,
    /// Whether orders can be stored.
    Ready,
    /// The description of the relay.
    OpenApi,
}

/// A request whose head has been judged.
pub struct Begun {
    /// What it is for.
    pub route: Route,
    /// The Id in its path, if it is a GUID.
    pub order_id: Option<Guid>,
    /// An order request, of which the body comes next; `None` for any other request that is permitted; or the problem.
    pub next: Result<Option<Admitted>, Problem>,
}

/// Judges the head of a request. `token`: the one that senders need; without one, only this machine may ask.
#[must_use]
pub fn begin(head: Head<'_>, token: Option<&str>, max_body_bytes: usize, now: Timestamp) -> Begun {
    let operation = Operation::of_path(head.path);
    let segments: Vec<_> = head.path.split('/').skip(1).collect();
    let (route, order_id) = match segments.as_slice() {
        ["orders"] => (Route::Orders, None),
        ["orders", id] => (Route::State, id.parse().ok()),
        ["orders", id, "retry"] => (Route::Retry, id.parse().ok()),
        ["metrics"] => (Route::Metrics, None),
        ["ready"] => (Route::Ready, None),
        ["openapi.json"] => (Route::OpenApi, None),
        _ => (Route::Order, operation.as_ref().ok().map(|operation| operation.id)),
    };
    let registry = Arc::new(Registry::of_everything(token.unwrap_or_default()));
    let grant = || match (token, registry.grants()) {
        (None, [everything, ..]) => Ok(Arc::clone(everything)),
        _ => identify(head.headers, &registry, now),
    };
    let permit = |allowed: &'static str, is_open: bool| {
        if !allowed.split(", ").any(|method| head.method == method) {
            return Err(Problem::method_not_allowed(allowed));
        }
        if is_open { Ok(None) } else { grant().map(|_| None) }
    };
    let next = || {
        if token.is_none() {
            check_host(head.headers)?;
        }
        match route {
            Route::Order => admit(operation?, head, &registry, grant, max_body_bytes).map(Some),
            Route::Retry => permit("POST", false),
            Route::Orders | Route::State | Route::Metrics => permit("GET, HEAD", false),
            Route::Ready | Route::OpenApi => permit("GET, HEAD", true),
        }
    };
    let next = next();
    Begun { route, order_id, next }
}

/// Rejects other hosts than this machine: a page of another site could have orders sent (DNS rebinding).
fn check_host(headers: &HeaderMap) -> Result<(), Problem> {
    host::check(None, headers, &[], "Use localhost or an IP address, or start the relay with a client token.")
}
