//! What became of an order (D57), for the client.

use sales_order_intake::internals::{Came, Facts, Judged, ToJson as _, ToMembers as _, judge_json};
use sales_order_intake::{FateOptions, Proof};

use crate::boundary::response;

/// Decides what one attempt proves. `sent` is the body of the request, `body` that of the response, and `facts` has one in each
/// line: the status, or `lost` or `not-sent`; `closed` if only the closed connection ended the body; the media type, Retry-After,
/// Date and Location; when the response was received, in milliseconds since 1970; `id` if the Id is proof enough; `empty` if an
/// empty body is. Absent ones are empty.
///
/// Returns one of these heads, and the order as payload if the body is that:
///
/// - `{"fate":"created","issues":[…]}`
/// - `{"fate":"accepted"}`, by a relay
/// - `{"fate":"not-created" or "unknown","error":…,"problem":…,"retryable":…,"isSuspect":…,"holdsForAll":…,"retryAfterMs":…,"relayState":…,`
///   `"detail":…,"issues":[…]}`
///
/// ```
/// use sales_order_intake_wasm::fate::order_fate;
///
/// let fate = order_fate("{}", "", "lost");
/// assert!(fate.starts_with(r#"{"fate":"unknown","error":"ConnectionError""#));
/// ```
#[must_use]
pub fn order_fate(sent: &str, body: &str, facts: &str) -> String {
    let mut facts = facts.split('\n');
    let mut next = || facts.next().unwrap_or_default();
    let came = match next() {
        "lost" => Came::Nothing { was_sent: true },
        "not-sent" => Came::Nothing { was_sent: false },
        status => Came::Response(Facts {
            status: status.parse().unwrap_or_default(),
            body,
            ends_at_close: next() == "closed",
            content_type: next(),
            retry_after: next(),
            date: next(),
            location: next(),
            received_at: next().parse().ok(),
        }),
    };
    let mut options = FateOptions::default();
    options.proof = if next() == "id" { Proof::Id } else { Proof::Order };
    options.accept_empty_body = next() == "empty";
    match judge_json(sent, &came, &options) {
        Judged::Created { order, issues } => response(&order.unwrap_or_default(), &|head| {
            "created".write(head.member("fate"));
            issues.write(head.member("issues"));
        }),
        Judged::Accepted { order } => {
            response(&order.unwrap_or_default(), &|head| "accepted".write(head.member("fate")))
        }
        Judged::Failed(failed) => response("", &|head| {
            (if failed.may_be_created { "unknown" } else { "not-created" }).write(head.member("fate"));
            failed.kind.as_str().write(head.member("error"));
            failed.problem().write(head.member("problem"));
            failed.can_repeat.write(head.member("retryable"));
            failed.is_suspect.write(head.member("isSuspect"));
            failed.holds_for_all.write(head.member("holdsForAll"));
            match failed.retry_after {
                Some(millis) => head.member("retryAfterMs").number(&millis.into()),
                None => head.member("retryAfterMs").raw("null"),
            }
            failed.relay_state.map(|state| state.as_str()).write(head.member("relayState"));
            failed.error.write_members(head);
        }),
    }
}
