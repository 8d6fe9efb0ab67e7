//! The reference service as a WebAssembly module: what crosses to JavaScript, and nothing else.
//!
//! JavaScript calls a function by its number. JSON goes in and out, and the bytes of a body in. Nothing stays
//! between calls: the caller keeps the orders and passes the registry each time, so that a test may change
//! it.

#[cfg(target_arch = "wasm32")]
#[path = "../../../wasm/src/boundary.rs"]
pub mod boundary;
mod function;
mod order;
mod relay;
mod response;
mod route;
mod source;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Calls a function by its number, with JSON and the bytes of a body. Returns JSON, an object with `error` if the JSON is not
/// what the function takes; or `None` if no function has the number.
#[must_use]
pub fn call(function: u32, first: &str, second: &str, body: Option<&[u8]>, _number: u32) -> Option<String> {
    function::call(function, first, second, body.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::call;

    fn called(function: u32, first: &Value, second: &Value, body: &str) -> Value {
        let json = call(function, &first.to_string(), &second.to_string(), Some(body.as_bytes()), 0).unwrap();
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
            "now": 0, "random": [0, 0], "maxBodyBytes": 1000, "faults": [], "scripted": null, "outage": { "isDown": false, "downUntil": null },
        });
        let begun = called(0, &head, &json!({ "everything": "test" }), &order);
        assert_eq!(begun["response"], json!(null));
        let created = called(1, &begun["task"], &json!({ "stored": null, "receipt": 7 }), "");
        assert_eq!(created["status"], 201);
        let body = created["body"].as_str().unwrap();
        assert!(body.contains(r#""ReceiptNumber":"7""#), "{body}");
        let stored = json!({ "company": 1, "digest": begun["task"]["digest"], "body": body });
        let found = called(1, &begun["task"], &json!({ "stored": stored, "receipt": 8 }), "");
        assert_eq!((&found["status"], &found["body"]), (&json!(200), &created["body"]));
    }

    #[test]
    fn an_unknown_function_number_calls_no_function_and_other_json_is_an_error() {
        assert_eq!(call(100, "{}", "", None, 0), None);
        assert!(called(0, &json!({}), &json!(null), "")["error"].is_string());
    }
}
