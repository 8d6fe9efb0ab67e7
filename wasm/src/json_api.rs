//! The functions of the core from JSON to JSON.
//!
//! A response is a head, which is one line of compact JSON, and sometimes
//! a payload after a line break. A verdict without issues has an empty head, so the caller has nothing to parse.
//! `options` is the JSON of the options, or empty; options that can't be used give the head
//! `{"invalidOption":"…","option":"…"}`: the message, and the pointer of the option.
//! Values that JSON cannot represent are passed as placeholders (`src/json/unrepresentable.rs`).

use std::cell::RefCell;
use std::rc::Rc;

use sales_order_intake::internals::{
    self, FoundIssue, FoundPreview, LineDetail, ToJson as _, ToMembers as _, Writer, text as texts,
};
use sales_order_intake::{CheckedOrder, Guid, NoRandomSource, ParsedOrder, Preview, Purpose, Version, parse};

use crate::evaluation::ANY_MARKS;
use crate::options::{InvalidOption, Options, parse_options};

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
    id.map_or_else(String::new, texts::of_guid)
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
    internals::guid(text).map_or_else(|_| String::new(), texts::of_guid)
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
/// use sales_order_intake_wasm::evaluation::ANY_MARKS;
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
/// use sales_order_intake_wasm::evaluation::ANY_MARKS;
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
/// use sales_order_intake_wasm::evaluation::ANY_MARKS;
/// use sales_order_intake_wasm::json_api;
///
/// let response = json_api::prepare_request("{}", "", ANY_MARKS);
/// assert!(response.starts_with(r#"[null,null,false,[{"code":"missing""#)); // no path, and no payload: there is no body
/// ```
#[must_use]
pub fn prepare_request(order: &str, options: &str, marks: u32) -> String {
    with_order(order, options, marks, &|parsed, options| {
        let checked = parsed.check(Purpose::Send, &options.rules);
        let (request, order_id) = (internals::request(&checked), internals::order_id(&checked));
        let is_body = request.is_some() && internals::is_request_body(&checked, order);
        let mut head = Writer::default();
        head.begin_array();
        order_id.write(&mut head);
        request.as_ref().map(|request| &*request.path).write(&mut head);
        is_body.write(&mut head);
        internals::found_issues(checked).write(&mut head);
        head.end_array();
        match request {
            Some(request) if !is_body => [&head.into_string(), "\n", &request.body].concat(),
            _ => head.into_string(),
        }
    })
}

/// Returns the whole preview as head.
///
/// ```
/// use sales_order_intake_wasm::evaluation::ANY_MARKS;
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

/// A capacity that is enough for most heads, in bytes.
const RESPONSE_CAPACITY: usize = 256;

pub(crate) fn issues_json(issues: &Vec<FoundIssue<'_>>) -> String {
    let mut out = Writer::default();
    issues.write(&mut out);
    out.into_string()
}

/// Calls a function with the order and the options. Returns the wrong option instead if there is one, and an empty string if the
/// order has to be written again.
pub(crate) fn with_order(
    order: &str,
    options: &str,
    marks: u32,
    call: &dyn Fn(ParsedOrder<'_>, &Options) -> String,
) -> String {
    with_options(options, &|options| {
        let order = parse(order);
        let is_as_written = marks == ANY_MARKS || internals::is_as_written(&order, marks);
        if is_as_written { call(order, options) } else { String::new() }
    })
}

pub(crate) fn with_options(options: &str, call: &dyn Fn(&Options) -> String) -> String {
    match last_options(options) {
        Ok(options) => call(&options),
        Err(error) => response("", &|head| {
            error.message.write(head.member("invalidOption"));
            error.option.write(head.member("option"));
        }),
    }
}

thread_local! {
    /// The options of the last call and their JSON, because most calls have the same.
    static LAST: RefCell<(String, Rc<Options>)> = RefCell::default();
}

fn last_options(json: &str) -> Result<Rc<Options>, Box<InvalidOption>> {
    LAST.with_borrow_mut(|(last, options)| {
        if last != json {
            *options = Rc::new(parse_options(json)?);
            json.clone_into(last);
        }
        Ok(Rc::clone(options))
    })
}

/// Returns a head with one member.
pub(crate) fn error_head(name: &'static str, write: &dyn Fn(&mut Writer)) -> String {
    response("", &|head| write(head.member(name)))
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

/// Returns a head, and the payload after it if there is one.
fn response(payload: &str, members: &dyn Fn(&mut Writer)) -> String {
    let mut head = Writer::default().with_capacity(RESPONSE_CAPACITY + payload.len());
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
