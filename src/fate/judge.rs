//! The decision (D26, D31, D33, D51).

use crate::decimal::push_integer;
use crate::error_body::{ErrorBody, read_error};
use crate::issue::FoundIssue;
use crate::json::{self, DecimalForm};
use crate::order_writer::write_order;
use crate::record::RecordSet;
use crate::response::read_with;

use super::proof::Sent;
use super::relay::{RelayOrder, read_state};
use super::wait::{push_wait, retry_after};
use super::{FailureKind, FateOptions, RelayState};

/// What came back for one attempt.
pub enum Came<'a> {
    /// A response.
    Response(Facts<'a>),
    /// No complete response.
    Nothing {
        /// False if provably nothing was sent.
        was_sent: bool,
    },
}

/// What matters of a response. A header that is absent is empty.
pub struct Facts<'a> {
    /// The status; 0 for a redirect that a browser does not show.
    pub status: u16,
    /// The body as text.
    pub body: &'a str,
    /// Content-Type, with its parameters.
    pub content_type: &'a str,
    /// Retry-After.
    pub retry_after: &'a str,
    /// Date.
    pub date: &'a str,
    /// Location.
    pub location: &'a str,
    /// When the response was received, in milliseconds since 1970.
    pub received_at: Option<u64>,
    /// Only the closed connection ended the body.
    pub ends_at_close: bool,
}

/// What one attempt proves.
pub enum Judged<'r, T> {
    /// The service has the order.
    Created {
        /// What was made of the order in the body; `None` if the body is empty.
        order: Option<T>,
        /// Warnings.
        issues: Vec<FoundIssue<'r>>,
    },
    /// A relay has the order.
    Accepted {
        /// What was made of the order, if the body is that.
        order: Option<T>,
    },
    /// Nothing.
    Failed(Failed),
}

/// Why an attempt did not prove that the order was created.
pub struct Failed {
    /// Its kind.
    pub kind: FailureKind,
    /// What came, for the sentence.
    cause: Cause,
    /// Whether this attempt may have created the order.
    pub may_be_created: bool,
    /// Whether the request can be sent again.
    pub can_repeat: bool,
    /// Whether it may be an outage in disguise.
    pub is_suspect: bool,
    /// The state in which a relay has stopped sending the order.
    pub relay_state: Option<RelayState>,
    /// How long the service asks to wait, in milliseconds.
    pub retry_after: Option<u64>,
    /// What the service says.
    pub error: ErrorBody,
}

/// What came: the parts of a sentence.
enum Cause {
    /// All of it.
    Sentence(&'static str),
    /// What the service does, and its status if there is one.
    Refusal(&'static str, u16),
    /// What came with a 2xx.
    Unproven(u16, &'static str),
    /// A media type that came with a 2xx.
    MediaType(u16, String),
}

impl Failed {
    fn new(kind: FailureKind, cause: Cause) -> Self {
        let (may_be_created, can_repeat, is_suspect) = (false, false, false);
        let (relay_state, retry_after, error) = (None, None, ErrorBody::default());
        Self { kind, cause, may_be_created, can_repeat, is_suspect, relay_state, retry_after, error }
    }

    /// Returns what happened, as a sentence without a point.
    #[must_use]
    pub fn problem(&self) -> String {
        let (status, came) = match &self.cause {
            Cause::Sentence(sentence) => return (*sentence).to_owned(),
            Cause::Refusal(sentence, status) => return self.refusal(sentence, *status),
            Cause::Unproven(status, came) => (*status, *came),
            Cause::MediaType(status, media_type) => (*status, &**media_type),
        };
        let mut problem = String::from("The service responded with ");
        push_integer(&mut problem, usize::from(status));
        problem.push_str(" and ");
        problem.push_str(came);
        problem.push_str(", which does not prove that the order was created");
        problem
    }

    fn refusal(&self, sentence: &str, status: u16) -> String {
        let mut problem = ["The service ", sentence].concat();
        if status > 0 {
            problem.push_str(" (");
            push_integer(&mut problem, usize::from(status));
            problem.push(')');
        }
        if let Some(wait @ 1..) = self.retry_after {
            problem.push_str(" and asks to wait ");
            push_wait(&mut problem, wait);
        }
        problem
    }
}

/// Decides what one attempt proves, with the order as JSON with decimals as strings. `sent` is the body of the request.
#[must_use]
pub fn judge_json<'r>(sent: &str, came: &Came<'r>, options: &FateOptions) -> Judged<'r, String> {
    judge(sent, came, options, &mut |records| write_order(records, DecimalForm::String))
}

/// Decides what one attempt proves, with the order as the function makes it.
pub(super) fn judge<'r, T>(
    sent: &str,
    came: &Came<'r>,
    options: &FateOptions,
    read: &mut dyn FnMut(&RecordSet<'r>) -> T,
) -> Judged<'r, T> {
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
    let sent = Sent::read(sent);
    match relayed(&sent, response) {
        Some(Relayed::Accepted) => {
            let (order, _, _) = read_order(&sent, response, options, read);
            return Judged::Accepted { order };
        }
        Some(Relayed::Stopped(failed)) => return Judged::Failed(failed),
        None => {}
    }
    if !matches!(response.status, 200..300) {
        return Judged::Failed(refusal(response));
    }
    success(&sent, response, options, read).unwrap_or_else(|cause| {
        let failed = Failed::new(FailureKind::UnexpectedResponse, cause);
        Judged::Failed(Failed { may_be_created: true, can_repeat: true, is_suspect: true, ..failed })
    })
}

/// What a relay's response says.
enum Relayed {
    Accepted,
    Stopped(Failed),
}

/// Judges a relay's response: acceptance, or the state in which it has stopped sending the order.
fn relayed(sent: &Sent<'_>, response: &Facts<'_>) -> Option<Relayed> {
    if response.location.is_empty() || !matches!(response.status, 200..300 | 400..500) || is_page(response) {
        return None;
    }
    match read_state(response.body, sent.id()?) {
        Some(RelayOrder::Open) if response.status < 300 => Some(Relayed::Accepted),
        Some(RelayOrder::Stopped { state, may_be_created }) => {
            let sentence = match state {
                RelayState::Refused => "The service refused the order that the relay sent",
                RelayState::Stalled => {
                    "The relay has stopped sending the order, and somebody has to look after it"
                }
                RelayState::Cancelled => "The order was cancelled at the relay before it was sent",
            };
            let failed = Failed::new(FailureKind::Rejected, Cause::Sentence(sentence));
            let error = read_error(response.body);
            Some(Relayed::Stopped(Failed { may_be_created, relay_state: Some(state), error, ..failed }))
        }
        _ if response.status == 202 => Some(Relayed::Accepted),
        _ => None,
    }
}

/// Returns the media type without parameters; empty if there is none.
fn media_type<'r>(response: &Facts<'r>) -> &'r str {
    response.content_type.split(';').next().unwrap_or_default().trim()
}

/// Returns true for a body that is never read as an order: a page, probably of something on the way to the service.
fn is_page(response: &Facts<'_>) -> bool {
    let media_type = media_type(response);
    ["text/html", "application/xhtml+xml"].iter().any(|page| media_type.eq_ignore_ascii_case(page))
}

/// Reads the order in a response, if it is the one that was sent. Returns what it is otherwise, and the issues.
fn read_order<'r, T>(
    sent: &Sent<'_>,
    response: &Facts<'r>,
    options: &FateOptions,
    read: &mut dyn FnMut(&RecordSet<'r>) -> T,
) -> (Option<T>, Option<&'static str>, Vec<FoundIssue<'r>>) {
    let (mut order, mut other) = (None, None);
    let issues = read_with(response.body, &mut |records, issues| {
        other = sent.check(records.root(), options.proof).err();
        if other.is_none() {
            sent.report_differences(records.root(), issues);
            order = Some(read(records));
        }
    });
    (order, other, issues)
}

/// Judges a 2xx. Returns what came if it proves nothing.
fn success<'r, T>(
    sent: &Sent<'_>,
    response: &Facts<'r>,
    options: &FateOptions,
    read: &mut dyn FnMut(&RecordSet<'r>) -> T,
) -> Result<Judged<'r, T>, Cause> {
    let status = response.status;
    let unproven = |came| Err(Cause::Unproven(status, came));
    let (order, other, issues) = read_order(sent, response, options, read);
    if json::without_bom(response.body).trim().is_empty() {
        return match status {
            _ if options.accept_empty_body => Ok(Judged::Created { order, issues }),
            201 if response.ends_at_close => unproven("an empty body that may have been cut off"),
            201 | 204 => Ok(Judged::Created { order, issues }),
            _ => unproven("an empty body"),
        };
    }
    let media_type = media_type(response);
    let is_error = is_page(response) || media_type.eq_ignore_ascii_case("application/problem+json");
    match (order, other) {
        // A 202 has accepted the order, and says nothing about what comes of it.
        (Some(_), _) if !is_error && !matches!(status, 200 | 201) => unproven("the order"),
        (Some(order), _) if !is_error => Ok(Judged::Created { order: Some(order), issues }),
        (_, Some(other)) if !is_error => unproven(other),
        _ if media_type.is_empty() => unproven("a body without a media type"),
        _ => Err(Cause::MediaType(status, media_type.to_ascii_lowercase())),
    }
}

/// Judges any other status.
fn refusal(response: &Facts<'_>) -> Failed {
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
        429 => (RateLimit, "limits the rate of requests"),
        400..500 => (Rejected, "rejected the order"),
        500..600 => (Server, "failed"),
        // Browsers show 0 for a redirect that is not followed.
        0 | 300..400 => (UnexpectedResponse, "responded with a redirect, which is not followed"),
        _ => (UnexpectedResponse, "responded with a status that is not valid here"),
    };
    let error = read_error(response.body);
    let is_from_service = (error.detail.is_some() || !error.issues.is_empty())
        && json::document(json::without_bom(response.body)).is_ok_and(json::is_object);
    Failed {
        // Only a 4xx proves that the order was not created (D31).
        may_be_created: !matches!(status, 400..500) || status == 408,
        can_repeat: matches!(status, 408 | 429 | 500..600) && status != 501,
        // What may be the fault of the way to the service, and not of the order (D51).
        is_suspect: match status {
            401 | 408 | 429 => false,
            403..=405 => true,
            400..500 => !is_from_service,
            500..600 => status == 501,
            _ => true,
        },
        retry_after: retry_after(response.retry_after, response.date, response.received_at),
        error,
        ..Failed::new(kind, Cause::Refusal(sentence, status))
    }
}
