//! The boundary to JavaScript: the answers of [`crate::answer`] under the names of the npm package.
//!
//! Only with the feature `module`, so that nobody who depends on the crate gets these exports and this allocator. No logic,
//! no state, no classes, nothing to free. Text in: it is read once and exactly. Text out:
//! `JSON.parse` makes objects of it faster than calls across the boundary do.
#![expect(unreachable_pub, reason = "exported to JavaScript by wasm-bindgen")]

mod memory;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::{answer, draft};

#[wasm_bindgen(js_name = newOrderId)]
pub fn new_order_id() -> String {
    answer::new_order_id()
}

#[wasm_bindgen(js_name = deriveOrderId)]
pub fn derive_order_id(namespace: &str, key: &str) -> String {
    answer::derive_order_id(namespace, key)
}

#[wasm_bindgen(js_name = parseGuid)]
pub fn parse_guid(text: &str) -> String {
    answer::parse_guid(text)
}

#[wasm_bindgen(js_name = requestPath)]
pub fn request_path(version: &str, order_id: &str) -> String {
    answer::request_path(version, order_id)
}

#[wasm_bindgen(js_name = buildOrder)]
pub fn build_order(text: &str, options: &str) -> String {
    answer::build_order(text, options)
}

#[wasm_bindgen(js_name = validateOrder)]
pub fn validate_order(text: &str, options: &str) -> String {
    answer::validate_order(text, options)
}

#[wasm_bindgen(js_name = previewOrder)]
pub fn preview_order(text: &str, options: &str) -> String {
    answer::preview_order(text, options)
}

#[wasm_bindgen(js_name = prepareRequest)]
pub fn prepare_request(text: &str, options: &str) -> String {
    answer::prepare_request(text, options)
}

#[wasm_bindgen(js_name = readOrder)]
pub fn read_order(body: &str) -> String {
    answer::read_order(body)
}

#[wasm_bindgen(js_name = readError)]
pub fn read_error(body: &str) -> String {
    answer::read_error(body)
}

#[wasm_bindgen(js_name = draftLine)]
pub fn draft_line(text: &str, index: &str, options: &str) -> String {
    draft::draft_line(text, index, options)
}

#[wasm_bindgen(js_name = draftTotals)]
pub fn draft_totals(order: &str, terms: &str, options: &str) -> String {
    draft::draft_totals(order, terms, options)
}
