//! The functions of this crate from JSON text to JSON text, for hosts without Rust types.
//!
//! This is what the npm package calls through WebAssembly. An answer is a head, one line of compact JSON, and where
//! there is one a payload after the first line break. A verdict without anything to say has an empty head, so that
//! nothing has to be parsed. `options` is the JSON text of the options or empty; one that can't be used is answered
//! with the head `{"invalidOption":"…"}`. Values that JSON has no form for are written `{"\u0000":"KIND"}` with one of
//! `not_finite`, `not_json`, `too_deep`, `too_large` as KIND, where the value would stand.

use serde::Serialize;

use crate::decode::Reading;
use crate::issue::Issue;
use crate::options::PreviewOptions;
use crate::{Guid, Version};

/// The head of an answer.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Head<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    ok: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<Version>,
    #[serde(skip_serializing_if = "Option::is_none")]
    order_id: Option<Guid>,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    issues: Option<&'a [Issue]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    invalid_option: Option<String>,
}

/// A new order id; empty where the platform has no secure random source (D2).
#[must_use]
pub fn new_order_id() -> String {
    Guid::new_random().map_or_else(|_| String::new(), text_of)
}

/// The id derived from a namespace and a key; empty where the namespace is no GUID or the key is empty (D2).
#[must_use]
pub fn derive_order_id(namespace: &str, key: &str) -> String {
    match Guid::parse(namespace) {
        // Every cart without a key would get the same id.
        Ok(namespace) if !key.is_empty() => text_of(Guid::derive(namespace, key)),
        _ => String::new(),
    }
}

/// The D form of a GUID; empty where the text is none or all zero (D1).
#[must_use]
pub fn parse_guid(text: &str) -> String {
    Guid::parse(text).map_or_else(|_| String::new(), text_of)
}

/// The path of an order; empty for another version or no GUID (D38).
#[must_use]
pub fn request_path(version: &str, order_id: &str) -> String {
    let parts = Version::named(version).zip(Guid::parse(order_id).ok());
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
    with_options(options, |options| match crate::prepare_request(text, &options.rules) {
        Ok(request) => {
            let head = Head {
                version: Some(request.version),
                order_id: Some(request.order_id),
                path: Some(&request.path),
                issues: Some(&request.issues),
                ..Head::default()
            };
            answer(&head, Some(&request.body))
        }
        Err(invalid) => refused(&invalid.issues),
    })
}

/// Head: the whole preview.
#[must_use]
pub fn preview_order(text: &str, options: &str) -> String {
    with_options(options, |options| json(&crate::preview_order(text, options)))
}

/// Head `{"issues":[…]}`; payload the order, where the body holds one.
#[must_use]
pub fn read_order(body: &str) -> String {
    let (order, issues) = crate::response::read_order_text(body);
    answer(&Head { issues: Some(&issues), ..Head::default() }, order.as_deref())
}

/// Head: what an error body says, `{"detail":…,"issues":[…]}`.
#[must_use]
pub fn read_error(body: &str) -> String {
    json(&crate::read_error(body))
}

fn judge(text: &str, options: &str, reading: Reading) -> String {
    with_options(options, |options| match crate::verdict::judge_text(text, reading, &options.rules) {
        (Some(order), issues) if issues.is_empty() => ["\n", &order].concat(),
        (Some(order), issues) => {
            let head = Head { ok: Some(true), issues: Some(&issues), ..Head::default() };
            answer(&head, Some(&order))
        }
        (None, issues) => refused(&issues),
    })
}

fn refused(issues: &[Issue]) -> String {
    answer(&Head { ok: Some(false), issues: Some(issues), ..Head::default() }, None)
}

pub(crate) fn with_options(options: &str, call: impl FnOnce(&PreviewOptions) -> String) -> String {
    match PreviewOptions::from_json(options) {
        Ok(options) => call(&options),
        Err(error) => answer(&Head { invalid_option: Some(error.to_string()), ..Head::default() }, None),
    }
}

fn answer(head: &Head<'_>, payload: Option<&str>) -> String {
    let mut answer = json(head);
    if let Some(payload) = payload {
        answer.push('\n');
        answer.push_str(payload);
    }
    answer
}

/// Printing these types can't fail: names are text and no number is a float.
pub(crate) fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn text_of(guid: Guid) -> String {
    guid.to_string()
}
