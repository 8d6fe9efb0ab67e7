//! A request to the relay of the command line, which stores orders in an outbox of its own.

use http::Method;
use sales_order_intake::{Guid, Version};
use serde::{Deserialize, Serialize};
use service_rules::order_request::{Head, conflict};
use service_rules::problem::Problem;
use service_rules::relay::{Begun, Route, begin};

use crate::response::{JsonResponse, headers};
use crate::source::time;

/// The head of a request, and what else decides about it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    /// In milliseconds since 1970.
    now: i64,
    max_body_bytes: usize,
    /// The one that senders need; without one, only this machine may ask.
    token: Option<String>,
    /// Whether the body is there. Without it, only the head is judged.
    has_body: bool,
}

/// What has been decided.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decision {
    route: &'static str,
    order_id: Option<Guid>,
    /// The response to what is refused.
    response: Option<JsonResponse>,
    /// A valid order.
    order: Option<Order>,
}

#[derive(Serialize)]
struct Order {
    version: Version,
    /// The response if another order has its Id.
    conflict: JsonResponse,
}

/// Judges a request.
pub(crate) fn relay(request: &str, body: &[u8]) -> Result<Decision, String> {
    let request: Request = serde_json::from_str(request).map_err(|error| error.to_string())?;
    let method: Method = request.method.parse().map_err(|_| "no method")?;
    let (headers, now) = (headers(&request.headers), time(request.now)?);
    let head = Head { method: &method, path: &request.path, headers: &headers };
    let Begun { route, order_id, next } = begin(head, request.token.as_deref(), request.max_body_bytes, now);
    let order = next.and_then(|admitted| match admitted.filter(|_| request.has_body) {
        Some(admitted) => {
            let task = admitted.receive(body, now)?;
            task.order?;
            let conflict = conflict().response().into();
            Ok(Some(Order { version: task.operation.version, conflict }))
        }
        None => Ok(None),
    });
    let (order, response) = match order {
        Ok(order) => (order, None),
        Err(problem) => (None, Some(Problem::response(problem).into())),
    };
    Ok(Decision { route: name(route), order_id, response, order })
}

/// Returns the name under which requests are counted.
fn name(route: Route) -> &'static str {
    match route {
        Route::Order => "order",
        Route::Orders => "orders",
        Route::State => "state",
        Route::Retry => "retry",
        Route::Metrics => "metrics",
        Route::Ready => "ready",
        Route::OpenApi => "openapi",
    }
}
