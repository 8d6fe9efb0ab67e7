//! What became of an order (D57): judges and reads responses, and compares orders.

use sales_order_intake::internals::{
    self, Came, Facts, Judged, ToJson as _, ToMembers as _, Writer, judge_json,
};
use sales_order_intake::{EarlierAttempts, FateOptions, Proof};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::fields::{Fields, json};

/// The number of lines before the body.
const FACTS: usize = 10;

/// Decides what one attempt proves. `expected` is what the proof compares of the order that was sent, from
/// [`prepare_request`](crate::prepare_request), and `reply` has what came, one fact in each line: the
/// status, or `lost` or `not-sent`; `id` if the Id is proof enough; `empty` if an empty body is; `unknown` if an earlier attempt may
/// have created the order; `closed` if only the closed connection ended the body; the media type, Retry-After, Date and Location; when the response was received, in milliseconds
/// since 1970. Absent ones are empty. The body of the response follows.
///
/// Returns one of these as JSON in a text, and then the order, if the body is one:
///
/// - `{"fate":"created","issues":[…]}`
/// - `{"fate":"accepted"}`, by a relay
/// - `{"fate":"not-created" or "unknown","error":…,"problem":…,"retryable":…,"isSuspect":…,"holdsForAll":…,"retryAfterMs":…,"relayState":…,`
///   `"detail":…,"issues":[…]}`
///
/// ```
/// use sales_order_intake_wasm::order_fate;
///
/// let fate = order_fate("", "lost");
/// assert!(fate.contains(r#"{"fate":"unknown","error":"ConnectionError""#));
/// ```
#[must_use]
#[wasm_bindgen(js_name = orderFate)]
pub fn order_fate(expected: &str, reply: &str) -> String {
    let mut facts = reply.splitn(FACTS + 1, '\n');
    let mut next = || facts.next().unwrap_or_default();
    let status = next();
    let mut options = FateOptions::default();
    options.proof = if next() == "id" { Proof::Id } else { Proof::Order };
    options.accept_empty_body = next() == "empty";
    if next() == "unknown" {
        options.earlier_attempts = EarlierAttempts::Unknown;
    }
    let came = match status {
        "lost" => Came::Nothing { was_sent: true },
        "not-sent" => Came::Nothing { was_sent: false },
        status => Came::Response(Facts {
            status: status.parse().unwrap_or_default(),
            ends_at_close: next() == "closed",
            content_type: next(),
            retry_after: next(),
            date: next(),
            location: next(),
            received_at: next().parse().ok(),
            // The last one.
            body: next(),
        }),
    };
    let judged = judge_json(expected, &came, &options);
    let mut fate = Writer::default();
    fate.begin_object();
    match &judged {
        Judged::Created { issues, .. } => {
            "created".write(fate.member("fate"));
            issues.write(fate.member("issues"));
        }
        Judged::Accepted { .. } => "accepted".write(fate.member("fate")),
        Judged::Failed(failed) => {
            (if failed.may_be_created { "unknown" } else { "not-created" }).write(fate.member("fate"));
            failed.kind.as_str().write(fate.member("error"));
            failed.problem().write(fate.member("problem"));
            failed.can_repeat.write(fate.member("retryable"));
            failed.is_suspect.write(fate.member("isSuspect"));
            failed.holds_for_all.write(fate.member("holdsForAll"));
            match failed.retry_after {
                Some(millis) => fate.member("retryAfterMs").number(&millis.into()),
                None => fate.member("retryAfterMs").raw("null"),
            }
            failed.relay_state.map(|state| state.as_str()).write(fate.member("relayState"));
            failed.error.write_members(&mut fate);
        }
    }
    fate.end_object();
    let mut fields = Fields::with_capacity(0);
    fields.text(&fate.into_string());
    match judged {
        Judged::Created { order, .. } | Judged::Accepted { order } => fields.ending_with(order.as_deref()),
        Judged::Failed(_) => fields.ending_with(None),
    }
}

/// Returns the issues as JSON in a text, if there are any, and then the order if the body has one.
///
/// ```
/// use sales_order_intake_wasm::read_order;
///
/// let response = read_order(r#"{ "receiptNumber": "R-17" }"#);
/// assert_eq!(response, r#"@{"ReceiptNumber":"R-17"}"#);
/// ```
#[must_use]
#[wasm_bindgen(js_name = readOrder)]
pub fn read_order(body: &str) -> String {
    let (order, issues) = internals::read_order_json(body);
    let mut fields = Fields::with_capacity(0);
    fields.issues(&issues);
    fields.ending_with(order.as_deref())
}

/// Returns the content of an error body, `{"detail":…,"issues":[…]}`.
///
/// ```
/// use sales_order_intake_wasm::read_error;
///
/// assert_eq!(read_error(r#"{ "Message": "no" }"#), r#"{"detail":"no","issues":[]}"#);
/// ```
#[must_use]
#[wasm_bindgen(js_name = readError)]
pub fn read_error(body: &str) -> String {
    json(&sales_order_intake::read_error(body))
}

/// Returns `true` if two request bodies are the same order, whatever their notation and the options they were made with (D28);
/// empty if not, or if one is not an order.
///
/// ```
/// use sales_order_intake_wasm::is_same_order;
///
/// assert_eq!(is_same_order(r#"{"CompanyId":1,"Gift":1.50}"#, r#"{"Gift":15e-1,"CompanyId":1,"FirstName":null}"#), "true");
/// assert_eq!(is_same_order(r#"{"CompanyId":1}"#, r#"{"CompanyId":2}"#), "");
/// ```
#[must_use]
#[wasm_bindgen(js_name = isSameOrder)]
pub fn is_same_order(body: &str, other: &str) -> String {
    String::from(if internals::is_same_order(body, other) { "true" } else { "" })
}
