//! Builds and validates an order.
//!
//! Values that JSON cannot represent are passed as placeholders (`src/json/unrepresentable.rs`).

use sales_order_intake::internals;
use sales_order_intake::{CheckedOrder, Purpose};
use wasm_bindgen::prelude::wasm_bindgen;

use super::options::with_order;
use crate::fields::Fields;

/// Makes an Id for an order that has none, and returns the issues as JSON in a text, if there are any, and then the order if it is ok.
///
/// ```
/// use sales_order_intake_wasm::build_order;
///
/// assert!(build_order("{}", "").contains(r#"[{"code":"missing""#));
/// assert!(build_order("{}", r#"{ "scale": 9 }"#).contains("option /scale must be"));
/// ```
#[must_use]
#[wasm_bindgen(js_name = buildOrder)]
pub fn build_order(order: &str, options: &str) -> String {
    with_order(order, options, &|order, options| {
        judge(internals::check_built(order, &options.rules, &options.amounts))
    })
}

/// Returns the issues as JSON in a text, if there are any, and then the order if it is ok.
///
/// ```
/// use sales_order_intake_wasm::validate_order;
///
/// let response = validate_order("[]", "");
/// assert!(response.contains(r#""code":"not_an_object""#));
/// ```
#[must_use]
#[wasm_bindgen(js_name = validateOrder)]
pub fn validate_order(order: &str, options: &str) -> String {
    with_order(order, options, &|order, options| judge(options.check(Purpose::Validate, order)))
}

fn judge(checked: CheckedOrder<'_>) -> String {
    let order = internals::order_json(&checked);
    let mut fields = Fields::with_capacity(order.as_ref().map_or(0, String::len));
    fields.issues(&checked.issues());
    fields.ending_with(order.as_deref())
}
