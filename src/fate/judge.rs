//! The decision (D26, D31, D33, D51).

use crate::error_body::read_error;
use crate::issue::Issue;
use crate::json::{self, DecimalForm, SyntaxError};
use crate::order_writer::write_order;
use crate::parse::MAX_BYTES;
use crate::record::RecordSet;
use crate::response::read_with;

use super::failed::{Cause, Failed};
use super::options::{EarlierAttempts, FateOptions};
use super::outcome::{FailureKind, RelayState};
use super::proof::{Expected, Mismatch, ambiguous_members};
use super::relay::{RelayOrder, read_state};
use super::reply::{Came, Facts};
use super::wait::retry_after;

/// What one attempt proves.
pub enum Judged<T> {
    /// The service has the order.
    Created {
        /// The order in the body, converted; `None` if the body is empty.
        order: Option<T>,
        /// Warnings.
        issues: Vec<Issue>,
    },
    /// A relay has the order.
    Accepted {
        /// The order in the body, converted, if the body has one.
        order: Option<T>,
    },
    /// The attempt proves nothing, or that it did not create the order.
    Failed(Failed),
}

/// Decides what one attempt proves, and returns the order as JSON with decimals as strings. `expected` is what the proof compares
/// of the order that was sent.
#[must_use]
pub fn judge_json<'r>(expected: &str, came: &Came<'r>, options: &FateOptions) -> Judged<String> {
    judge(expected, came, options, &mut |records| write_order(records, DecimalForm::String))
}

/// Decides what one attempt proves, and returns the order as `read` converts it.
pub(super) fn judge<'r, T>(
    expected: &str,
    came: &Came<'r>,
    options: &FateOptions,
    read: &mut dyn FnMut(&RecordSet<'r>) -> T,
) -> Judged<T> {
    let response = match came {
        Came::Response(response) => response,
        Came::Nothing { was_sent } => {
            let sentence = if *was_sent {
                "The connection was lost, or no complete response came in time"
            } else {
                "No connection could be made"
            };
            let failed = Failed::new(FailureKind::Connection, Cause::Sentence(sentence));
            return Judged::Failed(Failed { may_be_created: *was_sent, can_repeat: true, ..failed });
        }
    };
    let expected = Expected::read(expected);
    let is_success = matches!(response.status, 200..300);
    // The order itself is the best proof; but a 202 has only accepted it.
    let unproven = if is_success && response.status != 202 {
        match success(&expected, response, options, read) {
            Ok(created) => return created,
            Err(cause) => Some(cause),
        }
    } else {
        None
    };
    match relayed(&expected, response) {
        Some(Relayed::Accepted) => {
            let (order, _, _) = read_order(&expected, response, options, read);
            return Judged::Accepted { order };
        }
        Some(Relayed::Stopped(failed)) => return Judged::Failed(failed),
        None if !is_success => return Judged::Failed(refusal(response, options)),
        None => {}
    }
    unproven.map_or_else(|| success(&expected, response, options, read), Err).unwrap_or_else(|cause| {
        let failed = Failed::new(FailureKind::UnexpectedResponse, cause);
        let retry_after = asked_wait(response).filter(|wait| *wait > 0);
        Judged::Failed(Failed {
            may_be_created: true,
            can_repeat: true,
            is_suspect: true,
            retry_after,
            ..failed
        })
    })
}

/// The meaning of a relay's response.
enum Relayed {
    Accepted,
    Stopped(Failed),
}

/// Judges a relay's response: acceptance, or the state in which it has stopped sending the order.
fn relayed(expected: &Expected<'_>, response: &Facts<'_>) -> Option<Relayed> {
    if response.location.is_empty() || !matches!(response.status, 200..300 | 400..500) || is_page(response) {
        return None;
    }
    match read_state(response.body, expected.id()?) {
        Some(RelayOrder::Open) if response.status < 300 => Some(Relayed::Accepted),
        Some(RelayOrder::Stopped { state, may_be_created, is_conflict }) => {
            let sentence = match state {
                RelayState::Refused => "The service refused the order that the relay sent",
                RelayState::Stalled | RelayState::Invalid => {
                    "The relay does not send the order, and somebody has to look after it"
                }
                RelayState::Cancelled => "The order was cancelled at the relay before it was sent",
            };
            let failed = Failed::new(FailureKind::Rejected, Cause::Sentence(sentence));
            let (error, relay_state) = (read_error(response.body), Some(state));
            // The other order with this Id may be this one, from an attempt that the relay does not know (D34).
            let holds_for_all = !may_be_created && !is_conflict;
            Some(Relayed::Stopped(Failed { may_be_created, holds_for_all, relay_state, error, ..failed }))
        }
        _ if response.status == 202 => Some(Relayed::Accepted),
        _ => None,
    }
}

/// Returns the milliseconds that a response asks to wait; `None` if it does not ask to come back.
fn asked_wait(response: &Facts<'_>) -> Option<u64> {
    retry_after(response.retry_after, response.date, response.received_at)
}

/// Returns the media type without parameters; empty if there is none.
fn media_type<'r>(response: &Facts<'r>) -> &'r str {
    response.content_type.split(';').next().unwrap_or_default().trim()
}

/// Returns true for a body that is never read as an order: a page, probably from an intermediary such as a proxy.
fn is_page(response: &Facts<'_>) -> bool {
    let media_type = media_type(response);
    ["text/html", "application/xhtml+xml"].iter().any(|page| media_type.eq_ignore_ascii_case(page))
}

/// Reads the order in a response. If it is not the one that was sent, returns a description of it instead. Returns the
/// issues, too.
fn read_order<'r, T>(
    expected: &Expected<'_>,
    response: &Facts<'r>,
    options: &FateOptions,
    read: &mut dyn FnMut(&RecordSet<'r>) -> T,
) -> (Option<T>, Option<Mismatch>, Vec<Issue>) {
    let (mut order, mut other) = (None, None);
    let issues = read_with(response.body, &mut |records, issues| {
        // A member that appears more than once is an issue.
        let ambiguous = if issues.len() > 0 { ambiguous_members(response.body) } else { Vec::new() };
        other = expected.check(records.root(), &ambiguous, options.proof).err();
        if other.is_none() {
            expected.report_differences(records.root(), issues);
            order = Some(read(records));
        }
    });
    (order, other, issues)
}

/// Judges a 2xx. The error describes a response that proves nothing.
fn success<'r, T>(
    expected: &Expected<'_>,
    response: &Facts<'r>,
    options: &FateOptions,
    read: &mut dyn FnMut(&RecordSet<'r>) -> T,
) -> Result<Judged<T>, Cause> {
    let status = response.status;
    let unproven =
        |came: &'static str, lack: &'static str| Err(Cause::Unproven(status, came.into(), [lack, ""]));
    let (order, other, issues) = read_order(expected, response, options, read);
    if json::without_bom(response.body).trim().is_empty() {
        return match status {
            _ if response.ends_at_close && status != 204 => {
                unproven("an empty body that may have been cut off", "")
            }
            201 | 204 => Ok(Judged::Created { order, issues }),
            200 if options.accept_empty_body => Ok(Judged::Created { order, issues }),
            202 => unproven("an empty body", "a 202 accepts an order, and says nothing of its fate"),
            _ => unproven("an empty body", ""),
        };
    }
    let media_type = media_type(response);
    let is_error = is_page(response) || media_type.eq_ignore_ascii_case("application/problem+json");
    match (order, other) {
        (Some(_), _) if !is_error && status == 202 => {
            unproven("the order", "a 202 accepts an order, and says nothing of its fate")
        }
        (Some(_), _) if !is_error && !matches!(status, 200 | 201) => {
            unproven("the order", "only a 200 or 201 with the order does")
        }
        (Some(order), _) if !is_error => Ok(Judged::Created { order: Some(order), issues }),
        (_, Some(Mismatch { came, lack })) if !is_error => unproven(came, lack),
        _ => {
            let came = match media_type {
                "" => "a body without a media type".into(),
                _ => media_type.to_ascii_lowercase().into(),
            };
            let lack = if is_error { [""; 2] } else { lack_of(response.body) };
            Err(Cause::Unproven(status, came, lack))
        }
    }
}

/// Returns what a body lacks to be read as an order, in two parts. Quotes nothing that could be personal (D45).
fn lack_of(body: &str) -> [&'static str; 2] {
    /// What serializers write that is not JSON.
    const WORDS: [&str; 6] = ["NaN", "Infinity", "undefined", "None", "True", "False"];
    let body = json::without_bom(body);
    if body.len() > MAX_BYTES {
        return ["the body is too large", ""];
    }
    let Err(SyntaxError { position, expected }) = json::document(body) else {
        return ["the body is not an object", ""];
    };
    let rest = body.get(position..).unwrap_or_default();
    match WORDS.into_iter().find(|word| rest.starts_with(word)) {
        _ if rest.is_empty() => ["the body is not JSON: unexpected ", "end"],
        Some(word) => ["the body is not JSON: unexpected ", word],
        None => ["the body is not JSON: expected ", expected],
    }
}

/// Judges any other status.
fn refusal(response: &Facts<'_>, options: &FateOptions) -> Failed {
    use FailureKind::{
        Authentication, Conflict, NotFound, Permission, RateLimit, Rejected, Server, UnexpectedResponse,
    };
    let status = response.status;
    let (kind, sentence) = match status {
        401 => (Authentication, "refused the token"),
        403 => (Permission, "does not permit this with the token"),
        404 => (NotFound, "found no such operation, company or location"),
        408 => (Rejected, "timed out waiting for the request"),
        409 => (Conflict, "already has an order with this Id"),
        425 => (Rejected, "was not ready for the request"),
        429 => (RateLimit, "limits the rate of requests"),
        // The codes of nginx and of a load balancer for a client that has gone. Their client is often a proxy.
        460 | 499 => (Rejected, "reports that the request was cancelled"),
        400..500 => (Rejected, "rejected the order"),
        500..600 => (Server, "failed"),
        // Browsers show 0 for a redirect that is not followed.
        0 | 300..400 => (UnexpectedResponse, "responded with a redirect, which is not followed"),
        _ => (UnexpectedResponse, "responded with a status that is not valid here"),
    };
    // What an earlier attempt has stored, or is still storing, is not refused (D34).
    let may_be_earlier = status == 409 && options.earlier_attempts == EarlierAttempts::Unknown;
    let addition =
        if may_be_earlier { "; an earlier attempt may have stored it, or still be in progress" } else { "" };
    let error = read_error(response.body);
    let asked_wait = asked_wait(response);
    let is_answer = matches!(status, 400..500) && !is_cut_short(status);
    let is_from_service = (error.detail.is_some() || !error.issues.is_empty())
        && json::document(json::without_bom(response.body)).is_ok_and(json::is_object);
    Failed {
        // Only the service's own answer proves that the order was not created (D31).
        may_be_created: !is_answer,
        can_repeat: match status {
            401 | 501 => false,
            425 | 429 | 500..600 => true,
            400..500 => is_cut_short(status) || may_be_earlier || asked_wait.is_some(),
            _ => false,
        },
        // True if an intermediary may be the cause, and not the order (D51).
        is_suspect: match status {
            401 | 408 | 425 | 429 | 460 | 499 => false,
            403..=405 => true,
            400..500 => !is_from_service,
            500..600 => status == 501,
            _ => true,
        },
        retry_after: asked_wait.filter(|wait| *wait > 0),
        error,
        ..Failed::new(kind, Cause::Refusal(sentence, status, addition))
    }
}

/// Returns true for a 4xx that says nothing about the order: whoever sent it stopped waiting, for the request or for its response.
fn is_cut_short(status: u16) -> bool {
    matches!(status, 408 | 460 | 499)
}
