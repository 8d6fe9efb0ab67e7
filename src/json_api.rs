//! The functions of this crate from JSON text to JSON text, for hosts without Rust types.
//!
//! This is what the npm package calls through WebAssembly. An answer is a head, one line of compact JSON, and where
//! there is one a payload after the first line break. A verdict without anything to say has an empty head, so that
//! nothing has to be parsed. `options` is the JSON text of the options or empty; one that can't be used is answered
//! with the head `{"invalidOption":"…"}`. Values that JSON has no form for are written `{"\u0000":"KIND"}` with one of
//! `not_finite`, `not_json`, `too_deep`, `too_large` as KIND, where the value would stand.

mod print;

use crate::decode::Reading;
use crate::issue::Issue;
use crate::json::{Writer, written};
use crate::options::PreviewOptions;
use crate::preview::{Lines, Preview, preview};
use crate::request::PreparedRequest;
use crate::verdict::{InvalidOrder, prepare_order_with};
use crate::words::joined;
use crate::{Guid, Version};

/// A new order id; empty where the platform has no secure random source (D2).
#[must_use]
pub fn new_order_id() -> String {
    Guid::new_random().map_or_else(|_| String::new(), Guid::into_text)
}

/// The id derived from a namespace and a key; empty where the namespace is no GUID or the key is empty (D2).
#[must_use]
pub fn derive_order_id(namespace: &str, key: &str) -> String {
    match Guid::parse(namespace) {
        // Every cart without a key would get the same id.
        Ok(namespace) if !key.is_empty() => Guid::derive(namespace, key).into_text(),
        _ => String::new(),
    }
}

/// The D form of a GUID; empty where the text is none or all zero (D1).
#[must_use]
pub fn parse_guid(text: &str) -> String {
    Guid::parse(text).map_or_else(|_| String::new(), Guid::into_text)
}

/// The path of an order; empty for another version or no GUID (D38).
#[must_use]
pub fn request_path(version: &str, order_id: &str) -> String {
    let parts = version.parse::<Version>().ok().zip(Guid::parse(order_id).ok());
    parts.map_or_else(String::new, |(version, id)| crate::request_path(version, id))
}

/// Head `{"ok":…,"issues":[…]}`; payload the order, where it is ok.
#[must_use]
pub fn build_order(text: &str, options: &str) -> String {
    judge(text, options, Reading::Input)
}

/// Head `{"ok":…,"issues":[…]}`; payload the order, where it is ok.
#[must_use]
pub fn validate_order(text: &str, options: &str) -> String {
    judge(text, options, Reading::AsItStands)
}

/// Head `{"version":…,"orderId":…,"path":…,"issues":[…]}` and the body as payload, or `{"ok":false,"issues":[…]}`.
#[must_use]
pub fn prepare_request(text: &str, options: &str) -> String {
    with_options(options, &|options| request(&crate::prepare_request(text, &options.rules), &|_| {}))
}

/// The same, and in the head a `preview` without its lines.
#[must_use]
pub fn prepare_order(text: &str, options: &str) -> String {
    with_options(options, &|options| {
        let prepared = prepare_order_with(text, options, Lines::Counted);
        request(&prepared.request, &|head| {
            head.name(written!("preview")).open('{');
            print::preview(head, &prepared.preview, false);
            head.close('}');
        })
    })
}

/// Head: the whole preview.
#[must_use]
pub fn preview_order(text: &str, options: &str) -> String {
    with_options(options, &|options| {
        let preview = crate::preview_order(text, options);
        head_and("", &|head| print::preview(head, &preview, true))
    })
}

/// Head: the preview without its lines, which are half of the work.
#[must_use]
pub fn preview_totals(text: &str, options: &str) -> String {
    with_options(options, &|options| totals_text(&preview(text, options, Lines::Counted)))
}

/// Head `{"issues":[…]}`; payload the order, where the body holds one.
#[must_use]
pub fn read_order(body: &str) -> String {
    let (order, issues) = crate::response::read_order_text(body);
    head_and(&order.unwrap_or_default(), &|head| print::issues(head.name(written!("issues")), &issues))
}

/// Head: what an error body says, `{"detail":…,"issues":[…]}`.
#[must_use]
pub fn read_error(body: &str) -> String {
    let error = crate::read_error(body);
    head_and("", &|head| {
        head.name(written!("detail")).text_or_null(error.detail.as_deref());
        print::issues(head.name(written!("issues")), &error.issues);
    })
}

/// A preview without its lines as JSON text.
pub(crate) fn totals_text(preview: &Preview) -> String {
    head_and("", &|head| print::preview(head, preview, false))
}

/// Issues as JSON text.
pub(crate) fn issues_text(issues: &[Issue]) -> String {
    let mut out = Writer::default();
    print::issues(&mut out, issues);
    out.into_text()
}

fn judge(text: &str, options: &str, reading: Reading) -> String {
    with_options(options, &|options| match crate::verdict::judge_text(text, reading, &options.rules) {
        (Some(order), issues) if issues.is_empty() => joined(&["\n", &order]),
        (order, issues) => verdict(order.is_some(), &issues, &order.unwrap_or_default()),
    })
}

fn verdict(ok: bool, issues: &[Issue], order: &str) -> String {
    head_and(order, &|head| print::verdict(head, ok, issues))
}

fn request(request: &Result<PreparedRequest, InvalidOrder>, more: &dyn Fn(&mut Writer)) -> String {
    let body = request.as_ref().map_or("", |request| &request.body);
    head_and(body, &|head| {
        match request {
            Ok(request) => {
                head.name(written!("version")).text(request.version.as_str());
                head.name(written!("orderId")).guid(request.order_id);
                head.name(written!("path")).text(&request.path);
                print::issues(head.name(written!("issues")), &request.issues);
            }
            Err(invalid) => print::verdict(head, false, &invalid.issues),
        }
        more(head);
    })
}

pub(crate) fn with_options(options: &str, call: &dyn Fn(&PreviewOptions) -> String) -> String {
    match PreviewOptions::from_json(options) {
        Ok(options) => call(&options),
        Err(error) => head_and("", &|head| head.name(written!("invalidOption")).text(error.says())),
    }
}

/// One line of JSON, and a payload behind it where there is one.
fn head_and(payload: &str, members: &dyn Fn(&mut Writer)) -> String {
    let mut head = Writer::with_capacity(256 + payload.len());
    head.open('{');
    members(&mut head);
    head.close('}');
    let mut answer = head.into_text();
    if !payload.is_empty() {
        answer.push('\n');
        answer.push_str(payload);
    }
    answer
}
