//! The functions of this crate from JSON to JSON, for hosts without Rust types.
//!
//! The npm package calls these through WebAssembly. A response is a head, which is one line of compact JSON, and sometimes
//! a payload after a line break. A verdict without issues has an empty head, so the caller has nothing to parse.
//! `options` is the JSON of the options, or empty; options that can't be used give the head
//! `{"invalidOption":"…","option":"…"}`: the message, and the pointer of the option.
//! Values that JSON cannot represent are passed as placeholders (`src/json/unrepresentable.rs`).

use crate::check::NewId;
use crate::guid::NoRandomSource;
use crate::issue::{FoundIssue, IssueCollector};
use crate::json::{ToJson, ToMembers, Writer, key};
use crate::options::PreviewOptions;
use crate::parse::{ParseMode, parse};
use crate::preview::{LineDetail, Preview, preview_with};
use crate::request::PreparedRequest;
use crate::{Guid, Version};

/// Returns the id derived from a namespace and a key; empty if the namespace is not a GUID of the caller's own or the key
/// is empty (D2).
///
/// ```
/// use sales_order_intake::json_api::derive_order_id;
///
/// let shop = "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50";
/// assert_eq!(derive_order_id(shop, "cart-1041"), derive_order_id(shop, "cart-1041"));
/// assert_eq!(derive_order_id(shop, ""), "");
/// ```
#[must_use]
pub fn derive_order_id(namespace: &str, key: &str) -> String {
    let id = namespace.parse().ok().and_then(|namespace| Guid::derive(namespace, key).ok());
    id.map_or_else(String::new, Guid::into_string)
}

/// Returns the D form of a GUID; empty if the string is not a GUID or is the all-zero GUID (D1).
///
/// ```
/// use sales_order_intake::json_api::parse_guid;
///
/// assert_eq!(parse_guid("{2A8F5D33-EEC9-4864-8B49-5636577B40D5}"), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
/// assert_eq!(parse_guid("order 7"), "");
/// ```
#[must_use]
pub fn parse_guid(text: &str) -> String {
    text.parse().map_or_else(|_| String::new(), Guid::into_string)
}

/// Returns the path of an order; empty if version or GUID is not valid (D38).
///
/// ```
/// use sales_order_intake::json_api::request_path;
///
/// let path = request_path("v3", "2A8F5D33EEC948648B495636577B40D5");
/// assert_eq!(path, "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// ```
#[must_use]
pub fn request_path(version: &str, order_id: &str) -> String {
    let parts = version.parse::<Version>().ok().zip(order_id.parse().ok());
    parts.map_or_else(String::new, |(version, id)| crate::request_path(version, id))
}

/// Returns the head `{"ok":…,"issues":[…]}`, and the order as payload if it is ok.
///
/// ```
/// use sales_order_intake::json_api;
///
/// assert!(json_api::build_order("{}", "").starts_with(r#"{"ok":false,"issues":[{"code":"missing""#));
/// assert!(json_api::build_order("{}", r#"{ "scale": 9 }"#).starts_with(r#"{"invalidOption":""#));
/// ```
#[must_use]
pub fn build_order(order: &str, options: &str) -> String {
    build(order, options, &Guid::new_random)
}

/// Does the same with an Id that the host has made; `new_id` is empty if it has no secure random source.
#[cfg(any(test, feature = "wasm"))]
pub(crate) fn build_order_with_id(order: &str, options: &str, new_id: &str) -> String {
    build(order, options, &|| new_id.parse().map_err(|_| NoRandomSource))
}

fn build(order: &str, options: &str, new_id: NewId<'_>) -> String {
    with_options(options, &|options| judge(order, ParseMode::Build(options.rules.records), options, new_id))
}

/// Returns the head `{"ok":…,"issues":[…]}`, and the order as payload if it is ok.
///
/// ```
/// use sales_order_intake::json_api;
///
/// let response = json_api::validate_order("[]", "");
/// assert!(response.contains(r#""code":"not_an_object""#));
/// ```
#[must_use]
pub fn validate_order(order: &str, options: &str) -> String {
    with_options(options, &|options| {
        judge(order, ParseMode::Validate(options.rules.records), options, &no_new_id)
    })
}

/// Returns the head `{"version":…,"orderId":…,"path":…,"issues":[…]}` and the body as payload, or
/// `{"orderId":…,"ok":false,"issues":[…]}`.
///
/// ```
/// use sales_order_intake::json_api;
///
/// let response = json_api::prepare_request("{}", "");
/// assert!(response.starts_with(r#"{"orderId":null,"ok":false"#)); // no payload: there is no body
/// ```
#[must_use]
pub fn prepare_request(order: &str, options: &str) -> String {
    with_options(options, &|options| {
        let checked =
            parse(order, ParseMode::Send(options.rules.records)).check_with(&options.rules, &no_new_id);
        let (request, order_id) = (checked.request_without_issues(), checked.order_id);
        let issues = checked.issues.sorted();
        match request {
            Some(request) => response(&request.body, &|head| write_request(head, &request, &issues)),
            None => response("", &|head| {
                order_id.write(head.key(key!("orderId")));
                write_verdict(head, false, &issues);
            }),
        }
    })
}

/// Returns the head `{"orderId":…,"issues":[…],"totals":{…}}`; for an order without errors the head also has `request`, with the
/// members of [`prepare_request`]'s head, and the body is the payload.
///
/// ```
/// use sales_order_intake::json_api;
///
/// let response = json_api::evaluate_order("{}", "");
/// assert!(response.contains(r#""totals":{"version":"v3""#));
/// assert!(!response.contains(r#""request""#));
/// ```
#[must_use]
pub fn evaluate_order(order: &str, options: &str) -> String {
    with_options(options, &|options| {
        let checked =
            parse(order, ParseMode::Send(options.rules.records)).check_with(&options.rules, &no_new_id);
        let (preview, issues) = preview_with(&checked, options, LineDetail::Omitted);
        let request = checked.request_after_preview(&issues);
        let body = request.as_ref().map_or("", |request| &request.body);
        let (issues, order_id) = (issues.sorted(), checked.order_id);
        let request = request.as_ref().map(|request| (request, checked.issues.sorted()));
        response(body, &|head| {
            write_evaluation(head, order_id, &preview, &issues);
            if let Some((request, issues_of_rules)) = &request {
                let head = head.key(key!("request"));
                head.begin_object();
                write_request(head, request, issues_of_rules);
                head.end_object();
            }
        })
    })
}

/// Returns the whole preview as head.
///
/// ```
/// use sales_order_intake::json_api;
///
/// let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }] }"#;
/// assert!(json_api::preview_order(order, "").contains(r#""subtotal":"29.31""#));
/// ```
#[must_use]
pub fn preview_order(order: &str, options: &str) -> String {
    with_options(options, &|options| {
        let checked =
            parse(order, ParseMode::Preview(options.rules.records)).check_with(&options.rules, &no_new_id);
        let (Preview { totals, lines, steps, .. }, issues) =
            preview_with(&checked, options, LineDetail::Full);
        let issues = issues.sorted();
        response("", &|head| {
            totals.write_members(head);
            lines.write(head.key(key!("lines")));
            if let Some(steps) = &steps {
                steps.write(head.key(key!("steps")));
            }
            issues.write(head.key(key!("issues")));
        })
    })
}

/// Returns the head `{"issues":[…]}`, and the order as payload if the body has one.
///
/// ```
/// use sales_order_intake::json_api;
///
/// let response = json_api::read_order(r#"{ "receiptNumber": "R-17" }"#);
/// assert_eq!(response, "{\"issues\":[]}\n{\"ReceiptNumber\":\"R-17\"}");
/// ```
#[must_use]
pub fn read_order(body: &str) -> String {
    let (order, issues) = crate::response::read_order_json(body);
    response(&order.unwrap_or_default(), &|head| issues.write(head.key(key!("issues"))))
}

/// Returns the content of an error body, `{"detail":…,"issues":[…]}`, as head.
///
/// ```
/// use sales_order_intake::json_api;
///
/// assert_eq!(json_api::read_error(r#"{ "Message": "no" }"#), r#"{"detail":"no","issues":[]}"#);
/// ```
#[must_use]
pub fn read_error(body: &str) -> String {
    let mut head = Writer::default();
    crate::read_error(body).write(&mut head);
    head.into_string()
}

/// For every function but [`build_order`], which alone makes Ids: keeps the random source out of the WebAssembly module.
pub(crate) fn no_new_id() -> Result<Guid, NoRandomSource> {
    Err(NoRandomSource)
}

/// A capacity that is enough for most heads, in bytes.
const RESPONSE_CAPACITY: usize = 256;

pub(crate) fn issues_json(issues: &Vec<FoundIssue<'_>>) -> String {
    let mut out = Writer::default();
    issues.write(&mut out);
    out.into_string()
}

/// Returns the head `{"orderId":…,"issues":[…],"totals":{…}}`.
pub(crate) fn evaluation_head(
    order_id: Option<Guid>,
    (preview, issues): (Preview, IssueCollector<'_>),
) -> String {
    let issues = issues.sorted();
    response("", &|head| write_evaluation(head, order_id, &preview, &issues))
}

pub(crate) fn with_options(options: &str, call: &dyn Fn(&PreviewOptions) -> String) -> String {
    match PreviewOptions::from_json(options) {
        Ok(options) => call(&options),
        Err(error) => response("", &|head| {
            error.message().write(head.key(key!("invalidOption")));
            error.option().write(head.key(key!("option")));
        }),
    }
}

/// Returns a head with one member.
pub(crate) fn error_head(key: &'static str, write: &dyn Fn(&mut Writer)) -> String {
    response("", &|head| write(head.key(key)))
}

fn write_evaluation(
    head: &mut Writer,
    order_id: Option<Guid>,
    preview: &Preview,
    issues: &Vec<FoundIssue<'_>>,
) {
    order_id.write(head.key(key!("orderId")));
    issues.write(head.key(key!("issues")));
    let out = head.key(key!("totals"));
    out.begin_object();
    preview.totals.write_members(out);
    out.end_object();
}

fn judge(order: &str, mode: ParseMode, options: &PreviewOptions, new_id: NewId<'_>) -> String {
    let checked = parse(order, mode).check_with(&options.rules, new_id);
    let order = checked.to_order_json();
    let issues = checked.issues.sorted();
    match order {
        Some(order) if issues.is_empty() => ["\n", &order].concat(),
        order => response(order.as_deref().unwrap_or_default(), &|head| {
            write_verdict(head, order.is_some(), &issues)
        }),
    }
}

fn write_verdict(head: &mut Writer, ok: bool, issues: &Vec<FoundIssue<'_>>) {
    ok.write(head.key(key!("ok")));
    issues.write(head.key(key!("issues")));
}

fn write_request(head: &mut Writer, request: &PreparedRequest, issues: &Vec<FoundIssue<'_>>) {
    request.version.write(head.key(key!("version")));
    request.order_id.write(head.key(key!("orderId")));
    request.path.write(head.key(key!("path")));
    issues.write(head.key(key!("issues")));
}

/// Returns a head, and the payload after it if there is one.
fn response(payload: &str, members: &dyn Fn(&mut Writer)) -> String {
    let mut head = Writer::with_capacity(RESPONSE_CAPACITY + payload.len());
    head.begin_object();
    members(&mut head);
    head.end_object();
    let mut response = head.into_string();
    if !payload.is_empty() {
        response.push('\n');
        response.push_str(payload);
    }
    response
}
