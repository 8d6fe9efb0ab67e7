//! Ids: parsed, and derived from a key of the caller (D1, D2).

use sales_order_intake::Guid;
use sales_order_intake::internals;
use wasm_bindgen::prelude::wasm_bindgen;

/// Returns the D form of a GUID; empty if the string is not a GUID or is the all-zero GUID (D1).
///
/// ```
/// use sales_order_intake_wasm::parse_guid;
///
/// assert_eq!(parse_guid("{2A8F5D33-EEC9-4864-8B49-5636577B40D5}"), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
/// assert_eq!(parse_guid("order 7"), "");
/// ```
#[must_use]
#[wasm_bindgen(js_name = parseGuid)]
pub fn parse_guid(text: &str) -> String {
    internals::guid(text).map_or_else(|_| String::new(), internals::guid_form)
}

/// Returns the id derived from a namespace and a key; empty if the namespace is not a GUID of the caller's own or the key
/// is empty (D2).
///
/// ```
/// use sales_order_intake_wasm::derive_order_id;
///
/// let shop = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50";
/// assert_eq!(derive_order_id(shop, "cart-1041"), derive_order_id(shop, "cart-1041"));
/// assert_eq!(derive_order_id(shop, ""), "");
/// ```
#[must_use]
#[wasm_bindgen(js_name = deriveOrderId)]
pub fn derive_order_id(namespace: &str, key: &str) -> String {
    let id = internals::guid(namespace).ok().and_then(|namespace| Guid::derive(namespace, key).ok());
    id.map_or_else(String::new, internals::guid_form)
}
