//! The fate of an order, which one function decides from the request and the reply (D57).
//!
//! `judge` makes the decision: `proof` compares a response with the order that was sent, `relay` reads the states of a relay, and
//! `wait` reads how long the service asks to wait. `reply`, `options` and `outcome` have the public types.

mod failed;
mod judge;
mod options;
mod outcome;
mod proof;
mod relay;
mod reply;
#[cfg(test)]
mod tests;
mod wait;

use std::time::Duration;

use crate::order::{FromRecord as _, ReceivedOrder};
use crate::parse::parse;
use crate::record::RecordSet;
use crate::request::PreparedRequest;

pub use failed::Failed;
use judge::judge;
pub use judge::{Judged, judge_json};
pub use options::{EarlierAttempts, FateOptions, Proof};
pub use outcome::{Accepted, Created, Failure, FailureKind, Fate, RelayState};
pub(crate) use proof::expected_of;
pub use reply::{Came, Facts, Reply, ServiceResponse};

impl PreparedRequest {
    /// Decides the fate of the order after an attempt to send this request (D26, D31, D33, D51, D57).
    ///
    /// Send the request again, unchanged, as long as the failure [can be repeated](Failure::can_repeat), and pass
    /// [`EarlierAttempts::Unknown`] after each [`Fate::Unknown`] and [`Fate::Accepted`]. One attempt with ureq and the feature `http`:
    ///
    /// ```no_run
    /// # #[cfg(feature = "http")] {
    /// # use sales_order_intake::{Fate, FateOptions, RuleOptions, Reply, ServiceResponse, prepare_request};
    /// # let json = "{}";
    /// let request = prepare_request(json, &RuleOptions::default())?;
    /// let config = ureq::Agent::config_builder().http_status_as_error(false).max_redirects(0).build();
    /// let fate = match config.new_agent().run(request.to_http("https://intake.example.com", "a-token")?) {
    ///     Ok(response) => {
    ///         let (parts, mut body) = response.into_parts();
    ///         match body.read_to_string() {
    ///             Ok(text) => request.fate(ServiceResponse::from_http(&parts, &text), &FateOptions::default()),
    ///             Err(_) => request.fate(Reply::Lost, &FateOptions::default()),
    ///         }
    ///     }
    ///     Err(ureq::Error::HostNotFound | ureq::Error::ConnectionFailed) => request.fate(Reply::NotSent, &FateOptions::default()),
    ///     Err(_) => request.fate(Reply::Lost, &FateOptions::default()),
    /// };
    /// match fate {
    ///     Fate::Created(created) => println!("receipt: {:?}", created.order.and_then(|order| order.receipt_number)),
    ///     Fate::Accepted(accepted) => println!("a relay delivers it: {}", accepted.location),
    ///     Fate::NotCreated(failure) if !failure.can_repeat => println!("correct it: {failure}"),
    ///     Fate::NotCreated(failure) | Fate::Unknown(failure) => println!("send it again, with the same Id: {failure}"),
    ///     _ => println!("a fate of a later version"),
    /// }
    /// # }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// `examples/send.rs` in the repository is the whole program.
    #[must_use]
    pub fn fate<'r>(&self, reply: impl Into<Reply<'r>>, options: &FateOptions) -> Fate {
        let reply = reply.into();
        let (came, status, location) = match &reply {
            Reply::Response(response) => {
                (Came::Response(response.facts()), response.status, &*response.location)
            }
            Reply::Lost => (Came::Nothing { was_sent: true }, 0, ""),
            Reply::NotSent => (Came::Nothing { was_sent: false }, 0, ""),
        };
        let is_first = options.earlier_attempts == EarlierAttempts::None;
        let read = &mut |records: &RecordSet<'_>| ReceivedOrder::from_record(records.root());
        let expected = parse(&self.body).records.as_ref().map(expected_of).unwrap_or_default();
        match judge(&expected, &came, options, read) {
            Judged::Created { order, issues } => Fate::Created(Created {
                already_there: order.is_some() && status == 200 && is_first,
                order: order.flatten(),
                issues,
            }),
            Judged::Accepted { .. } => Fate::Accepted(Accepted { location: location.to_owned() }),
            Judged::Failed(failed) => {
                let is_certain = !failed.may_be_created && (is_first || failed.holds_for_all);
                let failure = Failure {
                    problem: failed.problem(),
                    kind: failed.kind,
                    status: (status > 0).then_some(status),
                    can_repeat: failed.can_repeat,
                    retry_after: failed.retry_after.map(Duration::from_millis),
                    is_suspect: failed.is_suspect,
                    relay_state: failed.relay_state,
                    detail: failed.error.detail,
                    issues: failed.error.issues,
                };
                if is_certain { Fate::NotCreated(failure) } else { Fate::Unknown(failure) }
            }
        }
    }
}
