//! The reference service as a WebAssembly module: the functions that JavaScript calls, and nothing else.
//!
//! JSON goes in and out, and the bytes of a body in. wasm-bindgen generates what passes them. A function returns an object with `error`
//! if the JSON is not what it takes. Nothing stays between calls: the caller keeps the orders and passes the registry each time, so
//! that a test may change it.

mod json;
mod order_request;
mod relay_request;
mod route;

use serde::Serialize;
use serde_json::json;
use service_rules::injected_fault::{FaultSettings, InjectedFault};
use service_rules::problem::{Problem, ProblemType};
use wasm_bindgen::prelude::wasm_bindgen;

use json::{JsonResponse, read};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Judges an order request: its head, a registry and its body. Returns the response, or the task of the store.
#[must_use]
#[wasm_bindgen]
pub fn begin(request: &str, registry: &str, body: &[u8]) -> String {
    text(order_request::begin(request, registry, body))
}

/// Returns the response for the task of the store and its result.
#[must_use]
#[wasm_bindgen]
pub fn settle(task: &str, result: &str) -> String {
    text(order_request::settle(task, result))
}

/// Returns the valid faults if a test asks for another one; else null.
#[must_use]
#[wasm_bindgen(js_name = checkFault)]
pub fn check_fault(fault: &str) -> String {
    text(Ok(InjectedFault::scripted(fault).err()))
}

/// Returns the error of faults with their rates; else null.
#[must_use]
#[wasm_bindgen(js_name = checkRates)]
pub fn check_rates(rates: &str) -> String {
    text(self::rates(rates).map(Result::err))
}

/// Returns the errors of a registry; else null.
#[must_use]
#[wasm_bindgen(js_name = checkRegistry)]
pub fn check_registry(registry: &str) -> String {
    text(Ok(json::registry(registry).err()))
}

/// Returns what a request is for, if it is not for an order.
#[must_use]
#[wasm_bindgen]
pub fn route(request: &str, registry: &str) -> String {
    text(route::route(request, registry))
}

/// Returns the response that shows the orders of a location.
#[must_use]
#[wasm_bindgen(js_name = showOrders)]
pub fn show_orders(location: &str, registry: &str, orders: &str) -> String {
    text(route::orders(location, registry, orders))
}

/// Judges a request to a relay: its head, and its body if it has been received. Returns what it is for, and the response if it is
/// refused.
#[must_use]
#[wasm_bindgen]
pub fn relay(request: &str, body: &[u8]) -> String {
    text(relay_request::relay(request, body))
}

/// Returns the response of a type of problem, with a detail.
#[must_use]
#[wasm_bindgen]
pub fn problem(name: &str, detail: &str) -> String {
    text(problem_response(name, detail))
}

fn problem_response(name: &str, detail: &str) -> Result<JsonResponse, String> {
    let problem_type = ProblemType::of_name(name).ok_or("no such type of problem")?;
    Ok(Problem::new(problem_type, detail).response().into())
}

/// Reads a list of faults with their rates.
fn rates(json: &str) -> Result<Result<FaultSettings, String>, String> {
    let texts: Vec<String> = read(json)?;
    let rate = |text: &String| FaultSettings::parse_rate(text).map_err(|error| format!("{text}: {error}"));
    let rates: Result<_, _> = texts.iter().map(rate).collect();
    Ok(rates.and_then(|rates| FaultSettings::with_rates(rates).map_err(str::to_owned)))
}

fn text<Json: Serialize>(result: Result<Json, String>) -> String {
    let json = result.and_then(|json| serde_json::to_string(&json).map_err(|error| error.to_string()));
    json.unwrap_or_else(|error| json!({ "error": error }).to_string())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::{begin, settle};

    fn parsed(response: &str) -> Value {
        serde_json::from_str(response).unwrap()
    }

    #[test]
    fn an_order_is_stored_with_the_receipt_number_of_the_caller_and_found_again() {
        let id = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
        let order = format!(
            r#"{{"Id":"{id}","CompanyId":1,"EntityId":2,"IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Items":[{{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":10}}]}}"#
        );
        let head = json!({
            "method": "PUT",
            "path": format!("/v3/ServiceOrder({id})"),
            "headers": [["authorization", "Bearer test"], ["content-type", "application/json"]],
            "now": 0, "random": [0, 0], "maxBodyBytes": 1000, "faults": [], "scripted": null, "outage": "none",
        });
        let begun = parsed(&begin(&head.to_string(), r#"{"everything":"test"}"#, order.as_bytes()));
        assert_eq!(begun["response"], json!(null));
        let task = begun["task"].to_string();
        let created = parsed(&settle(&task, r#"{"stored":null,"receipt":7}"#));
        assert_eq!(created["status"], 201);
        let body = created["body"].as_str().unwrap();
        assert!(body.contains(r#""ReceiptNumber":"7""#), "{body}");
        let stored = json!({ "company": 1, "digest": begun["task"]["sent"]["digest"], "body": body });
        let found = parsed(&settle(&task, &json!({ "stored": stored, "receipt": 8 }).to_string()));
        assert_eq!((&found["status"], &found["body"]), (&json!(200), &created["body"]));
    }

    #[test]
    fn other_json_is_an_error() {
        assert!(parsed(&begin("{}", "null", b""))["error"].is_string());
    }
}
