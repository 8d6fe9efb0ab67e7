//! An order request: takes its head and body, then the result of the store.

use std::cell::RefCell;
use std::sync::Arc;

use http::Method;
use sales_order_intake::{Guid, Version};
use serde::{Deserialize, Serialize};
use service_rules::injected_fault::{FaultSettings, Faults, InjectedFault, Lost, Outage};
use service_rules::media_type::MediaType;
use service_rules::new_order::{Inserted, NewOrder};
use service_rules::order_request::{
    CheckedHead, Head, Task, check_head, not_stored, outcome_of_find, outcome_of_put,
};
use service_rules::problem::Problem;
use service_rules::replay::{SentOrder, StoredOrder};

use crate::json::{JsonResponse, headers, read, registry, time};

/// A request head, and the other inputs of the decision.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    method: String,
    path: String,
    headers: Vec<(String, String)>,
    /// In milliseconds since 1970.
    now: i64,
    /// Below a million: one for latencies, one for other faults.
    random: [u32; 2],
    max_body_bytes: usize,
    /// Faults with their rates.
    faults: Vec<String>,
    scripted: Option<String>,
    outage: Outage,
}

/// What has been decided.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Decision {
    version: Option<Version>,
    order_id: Option<Guid>,
    /// The injected fault.
    fault: Option<String>,
    is_scripted: bool,
    /// How long the response waits after the order was stored.
    delay_ms: u128,
    /// What the fault loses.
    loses: Option<Lost>,
    outage: Outage,
    response: Option<JsonResponse>,
    /// The task of the store if there is no response yet.
    task: Option<JsonTask>,
}

/// An order that the store has to look up by its Id, and to store if it is new.
#[derive(Deserialize, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct JsonTask {
    order_id: Guid,
    sent: SentOrder,
    media_type: MediaType,
    /// The order to store; or, for an order that is only looked up, the response if it is not stored already.
    order: Result<NewOrder, JsonResponse>,
}

/// The result of the store.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct StoreResult {
    stored: Option<StoredOrder>,
    /// The next receipt number of the location.
    receipt: i64,
    /// Whether the store failed to store the order.
    #[serde(default)]
    has_failed: bool,
}

/// Checks a request.
pub(crate) fn begin(request: &str, source: &str, body: &[u8]) -> Result<Decision, String> {
    let request: Request = read(request)?;
    let registry = Arc::new(registry(source)?);
    let now = time(request.now)?;
    let rates =
        request.faults.iter().map(|text| FaultSettings::parse_rate(text)).collect::<Result<_, _>>()?;
    let settings = FaultSettings::with_rates(rates)?;
    let random = RefCell::new(request.random.into_iter());
    let mut faults = Faults {
        settings: Some(&settings),
        scripted: request.scripted.as_deref().map(InjectedFault::scripted).transpose()?,
        random: &|| random.borrow_mut().next(),
        outage: request.outage,
    };
    let method: Method = request.method.parse().map_err(|_| "no method")?;
    let headers = headers(&request.headers);
    let head = Head { method: &method, path: &request.path, headers: &headers };
    let CheckedHead { operation, injection, next } =
        check_head(head, &registry, request.max_body_bytes, &mut faults, now);
    let refusal = |problem: Problem| JsonResponse::from(problem.response());
    let task = next.map_err(JsonResponse::from).and_then(|head| head.receive(body, now).map_err(refusal));
    let (response, task) = match task {
        Ok(task) => (None, Some(task.into())),
        Err(response) => (Some(response), None),
    };
    Ok(Decision {
        version: operation.map(|operation| operation.version),
        order_id: operation.map(|operation| operation.id),
        fault: injection.map(|injection| injection.to_string()),
        is_scripted: injection.is_some_and(|injection| injection.is_scripted),
        delay_ms: injection.map_or(0, |injection| injection.delay.as_millis()),
        loses: injection.and_then(|injection| injection.loses()),
        outage: faults.outage,
        response,
        task,
    })
}

/// Returns the response for the result of the store: the order with the Id, or none.
pub(crate) fn settle(task: &str, result: &str) -> Result<JsonResponse, String> {
    let task: JsonTask = read(task)?;
    let StoreResult { stored, receipt, has_failed } = read(result)?;
    if has_failed {
        return Ok(not_stored(false).response().into());
    }
    let outcome = match task.order {
        Ok(order) => {
            let inserted =
                stored.map_or_else(|| Inserted::New(order.body_with_receipt(receipt)), Inserted::Existing);
            outcome_of_put(task.sent, inserted)
        }
        Err(refusal) => match outcome_of_find(task.sent, stored) {
            Some(outcome) => outcome,
            None => return Ok(refusal),
        },
    };
    Ok(outcome.response(task.media_type).unwrap_or_else(Problem::response).into())
}

impl From<Task> for JsonTask {
    fn from(Task { operation, sent, order, media_type }: Task) -> Self {
        let order = order.map_err(|problem| problem.response().into());
        Self { order_id: operation.id, sent, media_type, order }
    }
}
