//! The bodies of responses.

use sales_order_intake::internals;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::fields::{Fields, json};

/// Returns the issues as JSON in a text, if there are any, and then the order if the body has one.
///
/// ```
/// use sales_order_intake_wasm::read_order;
///
/// let response = read_order(r#"{ "receiptNumber": "R-17" }"#);
/// assert_eq!(response, r#"@{"ReceiptNumber":"R-17"}"#);
/// ```
#[must_use]
#[wasm_bindgen(js_name = readOrder)]
pub fn read_order(body: &str) -> String {
    let (order, issues) = internals::read_order_json(body);
    let mut fields = Fields::with_capacity(0);
    fields.issues(&issues);
    fields.ending_with(order.as_deref())
}

/// Returns the content of an error body, `{"detail":…,"issues":[…]}`.
///
/// ```
/// use sales_order_intake_wasm::read_error;
///
/// assert_eq!(read_error(r#"{ "Message": "no" }"#), r#"{"detail":"no","issues":[]}"#);
/// ```
#[must_use]
#[wasm_bindgen(js_name = readError)]
pub fn read_error(body: &str) -> String {
    json(&sales_order_intake::read_error(body))
}
