//! A request to the relay of the command line, which stores orders in an outbox of its own.

use http::Method;
use sales_order_intake::{Guid, Version};
use serde::{Deserialize, Serialize};
use service_rules::body::check_size;
use service_rules::order_request::Head;
use service_rules::relay_routes::{Awaited, Evaluation, RelayHead, Route, check_head};

use crate::json::{JsonResponse, headers, read, time};

/// A request head, and the other inputs of the decision.
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
    /// Whether the body is present. Without it, only the head is checked.
    has_body: bool,
}

/// What has been decided.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decision {
    route: Route,
    order_id: Option<Guid>,
    /// The response to a request that is refused.
    response: Option<JsonResponse>,
    /// The content of the body. An invalid order has a response, too.
    #[serde(flatten)]
    content: Option<Content>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Content {
    /// An order to store.
    Order(Order),
    /// The JSON of an order and of the options, both as they were sent, and how many amounts they have.
    Evaluation { order: String, options: Option<String>, products: usize },
}

#[derive(Serialize)]
struct Order {
    version: Version,
}

impl From<Evaluation<'_>> for Content {
    fn from(evaluation: Evaluation<'_>) -> Self {
        let products = evaluation.products();
        let Evaluation { order, options } = evaluation;
        let options = options.map(|options| options.get().to_owned());
        Self::Evaluation { order: order.get().to_owned(), options, products }
    }
}

/// Checks a request.
pub(crate) fn relay(request: &str, body: &[u8]) -> Result<Decision, String> {
    let request: Request = read(request)?;
    let method: Method = request.method.parse().map_err(|_| "no method")?;
    let (headers, now) = (headers(&request.headers), time(request.now)?);
    let head = Head { method: &method, path: &request.path, headers: &headers };
    let RelayHead { route, order_id, next } =
        check_head(head, request.token.as_deref(), request.max_body_bytes, now);
    let next = next.and_then(|next| check_size(body.len(), request.max_body_bytes).map(|()| next));
    let (content, response) = match next.map(|next| next.filter(|_| request.has_body)) {
        Ok(Some(Awaited::Order(accepted))) => {
            let order = Content::Order(Order { version: accepted.version() });
            match accepted.receive(body, now).and_then(|task| task.order) {
                Ok(_) => (Some(order), None),
                Err(problem) => (problem.is_invalid_order().then_some(order), Some(problem)),
            }
        }
        Ok(Some(Awaited::Evaluation)) => match Evaluation::of_body(body) {
            Ok(evaluation) => (Some(evaluation.into()), None),
            Err(problem) => (None, Some(problem)),
        },
        Ok(None) => (None, None),
        Err(problem) => (None, Some(problem)),
    };
    let response = response.map(|problem| problem.response().into());
    Ok(Decision { route, order_id, response, content })
}
