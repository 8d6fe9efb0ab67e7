//! The request of an order: its path and body.

use sales_order_intake::internals;
use sales_order_intake::{CheckedOrder, Purpose, Version};
use wasm_bindgen::prelude::wasm_bindgen;

use super::options::with_order;
use crate::fields::Fields;

/// Returns the fields that [`evaluate_order`](crate::evaluate_order) returns before the issues, then the issues of
/// the rules as JSON in a text, if there are any, what the proof of creation compares if the order can be sent
/// ([`order_fate`](crate::order_fate)), and then the body of the request, unless the order is that body already.
///
/// ```
/// use sales_order_intake_wasm::prepare_request;
///
/// let response = prepare_request("{}", "");
/// assert!(response.contains(r#"[{"code":"missing""#));
/// ```
#[must_use]
#[wasm_bindgen(js_name = prepareRequest)]
pub fn prepare_request(order: &str, options: &str) -> String {
    with_order(order, options, &|parsed, options| {
        let checked = options.check(Purpose::Send, parsed);
        let is_ok = checked.is_ok();
        let mut fields = Fields::with_capacity(0);
        let body = write_target(&checked, order, is_ok, options.rules.version, &mut fields);
        fields.issues(&checked.issues());
        fields.optional(internals::expected(&checked).as_deref());
        fields.ending_with(body.as_deref())
    })
}

/// Writes flags, 1 if no issue is an error and 2 if the order can be sent, and then the path of the request if it can, otherwise
/// its Id, if it has one. Returns the body if the order can be sent and is not the body already. With the option `id: 'optional'`
/// a missing Id is not an issue, but such an order can't be sent.
pub(crate) fn write_target(
    checked: &CheckedOrder<'_>,
    order: &str,
    is_ok: bool,
    version: Version,
    out: &mut Fields,
) -> Option<String> {
    match internals::order_id_form(checked) {
        Some(order_id) if is_ok => {
            out.number(3);
            out.pieces(&internals::path_pieces(version, &order_id));
            internals::changed_body(checked, order)
        }
        order_id => {
            out.number(usize::from(is_ok));
            out.optional(order_id.as_deref());
            None
        }
    }
}

/// Returns the path of an order; empty if version or GUID is not valid (D38).
///
/// ```
/// use sales_order_intake_wasm::request_path;
///
/// let path = request_path("v3", "2A8F5D33EEC948648B495636577B40D5");
/// assert_eq!(path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// ```
#[must_use]
#[wasm_bindgen(js_name = requestPath)]
pub fn request_path(version: &str, order_id: &str) -> String {
    let parts = version.parse::<Version>().ok().zip(internals::guid(order_id).ok());
    parts.map_or_else(String::new, |(version, id)| sales_order_intake::request_path(version, id))
}
