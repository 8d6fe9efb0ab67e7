//! The reference service as a WebAssembly module: what crosses to JavaScript, and nothing else.
//!
//! JavaScript calls a function by its number. JSON goes in and out, and the bytes of a body in. Nothing stays
//! between calls: the caller keeps the orders and passes the registry each time, so that a test may change
//! it.

#[cfg(target_arch = "wasm32")]
#[path = "../../../wasm/src/boundary.rs"]
pub mod boundary;
mod json;
mod order_request;
mod relay_request;
mod route;

use serde::Serialize;
use serde_json::json;
use service_rules::injected_fault::{FaultSettings, InjectedFault};
use service_rules::problem::{Problem, ProblemType};

use json::{JsonResponse, read, registry};
use order_request::{begin, settle};
use relay_request::relay;
use route::{orders, route};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Calls a function by its number, which is that of `testing/rules.ts`, with JSON and the bytes of a body. Returns
/// JSON, an object with `error` if the JSON is not what the function takes; or `None` if no function has the number.
#[must_use]
pub fn call(function: u32, first: &str, second: &str, body: Option<&[u8]>) -> Option<String> {
    let body = body.unwrap_or_default();
    Some(match function {
        // The head of an order request, a registry and a body → the response, or the task of the store.
        0 => text(begin(first, second, body)),
        // The task of the store, and its result → the response.
        1 => text(settle(first, second)),
        // The fault that a test asks for → null, or the valid faults.
        2 => text(Ok(InjectedFault::scripted(first).err())),
        // Faults with their rates → null, or their error.
        3 => text(rates(first).map(Result::err)),
        // A request and a registry → what it is for, if it is not for an order.
        4 => text(route(first, second)),
        // A location, a registry and its orders → the response that shows them.
        5 => text(orders(first, second, body)),
        // A registry → null, or its errors.
        6 => text(Ok(registry(second).err())),
        // The head of a request to a relay → what it is for, and the response if it is refused.
        7 => text(relay(first, body)),
        // The name of a type of problem and a detail → the response.
        8 => text(problem(first, second)),
        _ => return None,
    })
}

fn problem(name: &str, detail: &str) -> Result<JsonResponse, String> {
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

    use super::call;

    fn called(function: u32, first: &Value, second: &Value, body: &str) -> Value {
        let json = call(function, &first.to_string(), &second.to_string(), Some(body.as_bytes())).unwrap();
        serde_json::from_str(&json).unwrap()
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
        let begun = called(0, &head, &json!({ "everything": "test" }), &order);
        assert_eq!(begun["response"], json!(null));
        let created = called(1, &begun["task"], &json!({ "stored": null, "receipt": 7 }), "");
        assert_eq!(created["status"], 201);
        let body = created["body"].as_str().unwrap();
        assert!(body.contains(r#""ReceiptNumber":"7""#), "{body}");
        let stored = json!({ "company": 1, "digest": begun["task"]["sent"]["digest"], "body": body });
        let found = called(1, &begun["task"], &json!({ "stored": stored, "receipt": 8 }), "");
        assert_eq!((&found["status"], &found["body"]), (&json!(200), &created["body"]));
    }

    #[test]
    fn an_unknown_function_number_calls_no_function_and_other_json_is_an_error() {
        assert_eq!(call(100, "{}", "", None), None);
        assert!(called(0, &json!({}), &json!(null), "")["error"].is_string());
    }
}
