//! The functions of the core from JSON to JSON.
//!
//! A response is a head, and sometimes a payload (`boundary`). A verdict without issues has an empty head, so the caller has
//! nothing to parse.
//! Values that JSON cannot represent are passed as placeholders (`src/json/unrepresentable.rs`).

use sales_order_intake::internals::{
    self, FoundIssue, FoundPreview, LineDetail, ToJson as _, ToMembers as _, Writer,
};
use sales_order_intake::{CheckedOrder, Guid, NoRandomSource, Preview, Purpose, Version};

use crate::boundary::{response, with_order};

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

/// Returns the head `{"ok":…,"issues":[…]}`, and the order as payload if it is ok. `new_id` is the Id for an order that has
/// none; the host makes it, and passes an empty string if it has no secure random source. `marks` is explained at
/// [`evaluate_order`](crate::evaluation::evaluate_order).
///
/// ```
/// use sales_order_intake_wasm::boundary::ANY_MARKS;
/// use sales_order_intake_wasm::json_api::build_order;
///
/// let id = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
/// assert!(build_order("{}", "", id, ANY_MARKS).starts_with(r#"{"ok":false,"issues":[{"code":"missing""#));
/// assert!(build_order("{}", r#"{ "scale": 9 }"#, id, ANY_MARKS).starts_with(r#"{"invalidOption":""#));
/// ```
#[must_use]
pub fn build_order(order: &str, options: &str, new_id: &str, marks: u32) -> String {
    with_order(order, options, marks, &|order, options| {
        let new_id = || internals::guid(new_id).map_err(|_| NoRandomSource);
        judge(internals::check_built(order, &options.rules, new_id))
    })
}

/// Returns the head `{"ok":…,"issues":[…]}`, and the order as payload if it is ok.
///
/// ```
/// use sales_order_intake_wasm::boundary::ANY_MARKS;
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::validate_order("[]", "", ANY_MARKS);
/// assert!(response.contains(r#""code":"not_an_object""#));
/// ```
#[must_use]
pub fn validate_order(order: &str, options: &str, marks: u32) -> String {
    with_order(order, options, marks, &|order, options| judge(order.check(Purpose::Validate, &options.rules)))
}

/// Returns `[orderId, path, isBody, issues]` in one line, like [`evaluate_order`](crate::evaluation::evaluate_order), but with the
/// texts of the issues of the rules.
///
/// ```
/// use sales_order_intake_wasm::boundary::ANY_MARKS;
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::prepare_request("{}", "", ANY_MARKS);
/// assert!(response.starts_with(r#"[null,null,false,[{"code":"missing""#)); // no path, and no payload: there is no body
/// ```
#[must_use]
pub fn prepare_request(order: &str, options: &str, marks: u32) -> String {
    with_order(order, options, marks, &|parsed, options| {
        let checked = parsed.check(Purpose::Send, &options.rules);
        let order_id = checked.order_id();
        let path = order_id
            .filter(|_| checked.is_ok())
            .map(|id| sales_order_intake::request_path(options.rules.version, id));
        let is_body = path.is_some() && internals::is_request_body(&checked, order);
        let body = if path.is_some() && !is_body { checked.to_json() } else { None };
        let mut head = Writer::default();
        head.begin_array();
        order_id.write(&mut head);
        path.write(&mut head);
        is_body.write(&mut head);
        internals::found_issues(checked).write(&mut head);
        head.end_array();
        match body {
            Some(body) => [&head.into_string(), "\n", &body].concat(),
            None => head.into_string(),
        }
    })
}

/// Returns the whole preview as head.
///
/// ```
/// use sales_order_intake_wasm::boundary::ANY_MARKS;
/// use sales_order_intake_wasm::json_api::preview_order;
///
/// let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }] }"#;
/// assert!(preview_order(order, "", ANY_MARKS).contains(r#""subtotal":"29.31""#));
/// ```
#[must_use]
pub fn preview_order(order: &str, options: &str, marks: u32) -> String {
    with_order(order, options, marks, &|order, options| {
        let checked = order.check(Purpose::Preview, &options.rules);
        let FoundPreview { preview, issues, .. } =
            internals::preview(&checked, &options.amounts, LineDetail::Full);
        let Preview { totals, lines, steps, .. } = preview;
        response("", &|head| {
            totals.write_members(head);
            lines.write(head.member("lines"));
            if let Some(steps) = &steps {
                steps.write(head.member("steps"));
            }
            issues.write(head.member("issues"));
        })
    })
}

/// Returns the head `{"issues":[…]}`, and the order as payload if the body has one.
///
/// ```
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::read_order(r#"{ "receiptNumber": "R-17" }"#);
/// assert_eq!(response, "{\"issues\":[]}\n{\"ReceiptNumber\":\"R-17\"}");
/// ```
#[must_use]
pub fn read_order(body: &str) -> String {
    let (order, issues) = internals::read_order_json(body);
    response(&order.unwrap_or_default(), &|head| issues.write(head.member("issues")))
}

/// Returns the content of an error body, `{"detail":…,"issues":[…]}`, as head.
///
/// ```
/// use sales_order_intake_wasm::json_api;
///
/// assert_eq!(json_api::read_error(r#"{ "Message": "no" }"#), r#"{"detail":"no","issues":[]}"#);
/// ```
#[must_use]
pub fn read_error(body: &str) -> String {
    let mut head = Writer::default();
    sales_order_intake::read_error(body).write(&mut head);
    head.into_string()
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
    let issues = internals::found_issues(checked);
    match order {
        Some(order) if issues.is_empty() => ["\n", &order].concat(),
        order => response(order.as_deref().unwrap_or_default(), &|head| {
            write_verdict(head, order.is_some(), &issues)
        }),
    }
}

fn write_verdict(head: &mut Writer, ok: bool, issues: &Vec<FoundIssue<'_>>) {
    ok.write(head.member("ok"));
    issues.write(head.member("issues"));
}
