//! Why an attempt did not prove that the order was created.

use std::borrow::Cow;

use crate::decimal::push_integer;
use crate::error_body::ErrorBody;

use super::outcome::{FailureKind, RelayState};
use super::wait::push_wait;

/// Why an attempt did not prove that the order was created.
pub struct Failed {
    /// Its kind.
    pub kind: FailureKind,
    /// The cause, for the sentence.
    pub(super) cause: Cause,
    /// Whether this attempt may have created the order.
    pub may_be_created: bool,
    /// Whether the request can be sent again.
    pub can_repeat: bool,
    /// Whether it may be an outage in disguise.
    pub is_suspect: bool,
    /// Whether it holds for all attempts, as a relay's report about the attempts that it made itself does.
    pub holds_for_all: bool,
    /// The state in which a relay has stopped sending the order.
    pub relay_state: Option<RelayState>,
    /// How long the service asks to wait, in milliseconds.
    pub retry_after: Option<u64>,
    /// The content of the error body.
    pub error: ErrorBody,
}

/// The cause of a failure: the parts of a sentence.
pub(super) enum Cause {
    /// The whole sentence.
    Sentence(&'static str),
    /// What the service does, its status if there is one, and what else is known; empty if nothing is.
    Refusal(&'static str, u16, &'static str),
    /// What came with a 2xx, and in two parts what it lacks to prove the creation; empty if that is clear.
    Unproven(u16, Cow<'static, str>, [&'static str; 2]),
}

impl Failed {
    pub(super) fn new(kind: FailureKind, cause: Cause) -> Self {
        let (may_be_created, can_repeat, is_suspect, holds_for_all) = (false, false, false, false);
        let (relay_state, retry_after, error) = (None, None, ErrorBody::default());
        Self {
            kind,
            cause,
            may_be_created,
            can_repeat,
            is_suspect,
            holds_for_all,
            relay_state,
            retry_after,
            error,
        }
    }

    /// Returns what happened, as a sentence without a final period.
    #[must_use]
    pub fn problem(&self) -> String {
        let (status, came, lack) = match &self.cause {
            Cause::Sentence(sentence) => return (*sentence).to_owned(),
            Cause::Refusal(sentence, status, addition) => return self.refusal(sentence, *status, addition),
            Cause::Unproven(status, came, lack) => (*status, came, *lack),
        };
        let mut problem = String::from("The service responded with ");
        push_integer(&mut problem, usize::from(status));
        problem.push_str(" and ");
        problem.push_str(came);
        problem.push_str(", which does not prove that the order was created");
        if lack != [""; 2] {
            problem.push_str(": ");
            problem.push_str(lack[0]);
            problem.push_str(lack[1]);
        }
        problem
    }

    fn refusal(&self, sentence: &str, status: u16, addition: &str) -> String {
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
        problem.push_str(addition);
        problem
    }
}
