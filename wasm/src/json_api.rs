//! The functions of the core from JSON to JSON.
//!
//! A response has fields (`fields`), and often ends with JSON. If there are no issues, the caller has none to parse.
//! Values that JSON cannot represent are passed as placeholders (`src/json/unrepresentable.rs`).

use sales_order_intake::internals::{self, Detail, ToJson as _, ToMembers as _, Writer};
use sales_order_intake::{CheckedOrder, Guid, NoRandomSource, Purpose, Totals, Version};

use crate::fields::{Fields, json};
use crate::function::with_order;

/// Returns the id derived from a namespace and a key; empty if the namespace is not a GUID of the caller's own or the key
/// is empty (D2).
///
/// ```
/// use sales_order_intake_wasm::json_api::derive_order_id;
///
/// let shop = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50";
/// assert_eq!(derive_order_id(shop, "cart-1041"), derive_order_id(shop, "cart-1041"));
/// assert_eq!(derive_order_id(shop, ""), "");
/// ```
#[must_use]
pub fn derive_order_id(namespace: &str, key: &str) -> String {
    let id = internals::guid(namespace).ok().and_then(|namespace| Guid::derive(namespace, key).ok());
    id.map_or_else(String::new, internals::guid_form)
}

/// Returns the D form of a GUID; empty if the string is not a GUID or is the all-zero GUID (D1).
///
/// ```
/// use sales_order_intake_wasm::json_api::parse_guid;
///
/// assert_eq!(parse_guid("{2A8F5D33-EEC9-4864-8B49-5636577B40D5}"), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
/// assert_eq!(parse_guid("order 7"), "");
/// ```
#[must_use]
pub fn parse_guid(text: &str) -> String {
    internals::guid(text).map_or_else(|_| String::new(), internals::guid_form)
}

/// Returns the path of an order; empty if version or GUID is not valid (D38).
///
/// ```
/// use sales_order_intake_wasm::json_api::request_path;
///
/// let path = request_path("v3", "2A8F5D33EEC948648B495636577B40D5");
/// assert_eq!(path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// ```
#[must_use]
pub fn request_path(version: &str, order_id: &str) -> String {
    let parts = version.parse::<Version>().ok().zip(internals::guid(order_id).ok());
    parts.map_or_else(String::new, |(version, id)| sales_order_intake::request_path(version, id))
}

/// Returns the issues as JSON in a text, if there are any, and then the order if it is ok. `new_id` is the Id for an order that has
/// none; the host makes it, and passes an empty string if it has no secure random source.
///
/// ```
/// use sales_order_intake_wasm::json_api::build_order;
///
/// let id = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
/// assert!(build_order("{}", id, None).contains(r#"[{"code":"missing""#));
/// assert!(build_order("{}", id, Some(r#"{ "scale": 9 }"#)).contains("option /scale must be"));
/// ```
#[must_use]
pub fn build_order(order: &str, new_id: &str, options: Option<&str>) -> String {
    with_order(order, options, &|order, options| {
        let new_id = || internals::guid(new_id).map_err(|_| NoRandomSource);
        judge(internals::check_built(order, &options.rules, &options.amounts, new_id))
    })
}

/// Returns the issues as JSON in a text, if there are any, and then the order if it is ok.
///
/// ```
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::validate_order("[]", None);
/// assert!(response.contains(r#""code":"not_an_object""#));
/// ```
#[must_use]
pub fn validate_order(order: &str, options: Option<&str>) -> String {
    with_order(order, options, &|order, options| judge(options.check(Purpose::Validate, order)))
}

/// Returns the fields that [`evaluate_order`](crate::evaluation::evaluate_order) returns before the issues, then the issues of
/// the rules as JSON in a text, if there are any, and then the body of the request, unless the order is that body already.
///
/// ```
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::prepare_request("{}", None);
/// assert!(response.contains(r#"[{"code":"missing""#));
/// ```
#[must_use]
pub fn prepare_request(order: &str, options: Option<&str>) -> String {
    with_order(order, options, &|parsed, options| {
        let checked = options.check(Purpose::Send, parsed);
        let is_ok = checked.is_ok();
        let mut fields = Fields::with_capacity(0);
        let body = write_target(&checked, order, is_ok, options.rules.version, &mut fields);
        fields.issues_in_full(&internals::found_issues(checked));
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

/// Returns the whole preview as JSON.
///
/// ```
/// use sales_order_intake_wasm::json_api::preview_order;
///
/// let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }] }"#;
/// assert!(preview_order(order, None).contains(r#""subtotal":"29.31""#));
/// ```
#[must_use]
pub fn preview_order(order: &str, options: Option<&str>) -> String {
    with_order(order, options, &|order, options| {
        let mut checked = options.check(Purpose::Preview, order);
        let (found, issues, _) = internals::preview(&mut checked, &options.amounts, Detail::Lines);
        let mut out = Writer::default();
        out.begin_object();
        Totals::from(found.totals).write_members(&mut out);
        found.range.write(out.member("roundingRange"));
        found.lines.write(out.member("lines"));
        if let Some(steps) = &found.steps {
            steps.write(out.member("steps"));
        }
        issues.write(out.member("issues"));
        out.end_object();
        out.into_string()
    })
}

/// Returns the issues as JSON in a text, if there are any, and then the order if the body has one.
///
/// ```
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::read_order(r#"{ "receiptNumber": "R-17" }"#);
/// assert_eq!(response, r#"@{"ReceiptNumber":"R-17"}"#);
/// ```
#[must_use]
pub fn read_order(body: &str) -> String {
    let (order, issues) = internals::read_order_json(body);
    let mut fields = Fields::with_capacity(0);
    fields.optional(Some(json(&issues)).filter(|_| !issues.is_empty()).as_deref());
    fields.ending_with(order.as_deref())
}

/// Returns the content of an error body, `{"detail":…,"issues":[…]}`.
///
/// ```
/// use sales_order_intake_wasm::json_api;
///
/// assert_eq!(json_api::read_error(r#"{ "Message": "no" }"#), r#"{"detail":"no","issues":[]}"#);
/// ```
#[must_use]
pub fn read_error(body: &str) -> String {
    json(&sales_order_intake::read_error(body))
}

/// Returns `true` if two request bodies are the same order, whatever their notation and the options they were made with (D28);
/// empty if not, or if one is not an order.
///
/// ```
/// use sales_order_intake_wasm::json_api::is_same_order;
///
/// assert_eq!(is_same_order(r#"{"CompanyId":1,"Gift":1.50}"#, r#"{"Gift":15e-1,"CompanyId":1,"FirstName":null}"#), "true");
/// assert_eq!(is_same_order(r#"{"CompanyId":1}"#, r#"{"CompanyId":2}"#), "");
/// ```
#[must_use]
pub fn is_same_order(body: &str, other: &str) -> String {
    String::from(if internals::is_same_order(body, other) { "true" } else { "" })
}

fn judge(checked: CheckedOrder<'_>) -> String {
    let order = internals::order_json(&checked);
    let mut fields = Fields::with_capacity(order.as_ref().map_or(0, String::len));
    fields.issues_in_full(&internals::found_issues(checked));
    fields.ending_with(order.as_deref())
}
