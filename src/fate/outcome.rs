//! What is known about an order.

use std::fmt;
use std::time::Duration;

use crate::closed_set::closed_set;
use crate::issue::Issue;
use crate::order::ReceivedOrder;

/// What is known about an order after an attempt to send it.
///
/// ```
/// use sales_order_intake::{Fate, FateOptions, Reply, RuleOptions, ServiceResponse, prepare_request};
///
/// let order = r#"{
///     "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000,
///     "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
/// }"#;
/// let request = prepare_request(order, &RuleOptions::default())?;
/// let fate = |reply: Reply<'_>| request.fate(reply, &FateOptions::default());
///
/// assert!(matches!(fate(ServiceResponse::new(201, order).into()), Fate::Created(_)));
/// // Any JSON with the Id is not the order.
/// let queued = r#"{ "id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "status": "queued" }"#;
/// assert!(matches!(fate(ServiceResponse::new(200, queued).into()), Fate::Unknown(_)));
/// assert!(matches!(fate(ServiceResponse::new(422, r#"{"Message":"closed"}"#).into()), Fate::NotCreated(_)));
/// assert!(matches!(fate(Reply::Lost), Fate::Unknown(_)));
/// # Ok::<(), sales_order_intake::InvalidOrder>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "one for each attempt, and most of them are created")]
#[non_exhaustive]
pub enum Fate {
    /// The service has created the order, or had it already. It is proven.
    Created(Created),
    /// A relay has stored the order and delivers it later: the service does not have it yet, and may get it at any time.
    Accepted(Accepted),
    /// The service does not have the order. Correct it, or send it again if the failure [can be
    /// repeated](Failure::can_repeat).
    NotCreated(Failure),
    /// The service may have the order. Send it again with the same Id, never with a new one.
    Unknown(Failure),
}

/// An order that the service has.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Created {
    /// The order in the response, with its read-only members; `None` if the body is empty.
    pub order: Option<ReceivedOrder>,
    /// The service had the order before this attempt: it responded with 200 (D53). If no earlier attempt of yours can have created
    /// it, another sale has the same Id.
    pub already_there: bool,
    /// Warnings: what could not be read, and which items differ from those that were sent.
    pub issues: Vec<Issue>,
}

/// An order that a relay has stored.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Accepted {
    /// The Location of the order's state, as the response has it: relative to the URL of the request.
    pub location: String,
}

closed_set! {
    /// What kind of failure an attempt ended with. The names are those of the errors of the npm package.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum FailureKind {
        /// 401: get another token and send the order again (D35).
        Authentication = "AuthenticationError",
        /// 403: the token is valid, but not for this order.
        Permission = "PermissionError",
        /// 404: check the base URL, CompanyId and EntityId.
        NotFound = "NotFoundError",
        /// 409: the service has another order with this Id, or this one from an earlier attempt (D34).
        Conflict = "ConflictError",
        /// Another 4xx: the service, or a relay, rejects the order.
        Rejected = "RejectedError",
        /// 429.
        RateLimit = "RateLimitError",
        /// 5xx.
        Server = "ServerError",
        /// No complete response.
        Connection = "ConnectionError",
        /// A response that the service never sends: a redirect, a 2xx that proves nothing.
        UnexpectedResponse = "UnexpectedResponseError",
    }
}

closed_set! {
    /// The state in which a relay has stopped sending an order.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum RelayState {
        /// The service has refused the order.
        Refused = "refused",
        /// The relay has given up: only an operator can continue.
        Stalled = "stalled",
        /// The order was cancelled before it was sent.
        Cancelled = "cancelled",
        /// The relay has stored the order although it is invalid (D65): only a person who corrects it there can continue.
        Invalid = "invalid",
    }
}

/// Why an attempt did not prove that the order was created. Displays a sentence without anything of the order (D45).
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Failure {
    /// What kind of failure it is.
    pub kind: FailureKind,
    /// The status of the response; `None` if there was none.
    pub status: Option<u16>,
    /// Whether the same request can be sent again, with the same Id and the same bytes (D33). A 409 after an attempt whose fate is
    /// unknown can: that attempt may still be in progress (D34). Decide for yourself how often, and for how long.
    pub can_repeat: bool,
    /// How long the service asks to wait; `None` if it does not. At most a year.
    pub retry_after: Option<Duration>,
    /// Whether the response may be an outage in disguise (D51): not from the service, or caused on the way to it. It then proves
    /// nothing about the order.
    pub is_suspect: bool,
    /// The state in which a relay has stopped sending the order; `None` if the response is not a relay's.
    pub relay_state: Option<RelayState>,
    /// The reason, as the service worded it. Don't log it: it may quote the order (D45).
    pub detail: Option<String>,
    /// What the service says is wrong with the order.
    pub issues: Vec<Issue>,
    pub(super) problem: String,
}

impl Failure {
    /// Returns what happened, as a sentence without a final period: what `Display` prints.
    ///
    /// ```
    /// use sales_order_intake::{Fate, FateOptions, Reply, RuleOptions, prepare_request};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// let request = prepare_request(order, &RuleOptions::default())?;
    /// let Fate::NotCreated(failure) = request.fate(Reply::NotSent, &FateOptions::default()) else { panic!("it was sent") };
    /// assert_eq!(failure.problem(), "No connection could be made");
    /// # Ok::<(), sales_order_intake::InvalidOrder>(())
    /// ```
    #[must_use]
    pub fn problem(&self) -> &str {
        &self.problem
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.problem)
    }
}

impl std::error::Error for Failure {}

impl fmt::Debug for Failure {
    /// Prints no text of the service, because it may quote the order (D45).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let codes: Vec<_> = self.issues.iter().map(|issue| (issue.code, &issue.pointer)).collect();
        f.debug_struct("Failure")
            .field("problem", &self.problem)
            .field("can_repeat", &self.can_repeat)
            .field("retry_after", &self.retry_after)
            .field("is_suspect", &self.is_suspect)
            .field("relay_state", &self.relay_state)
            .field("has_detail", &self.detail.is_some())
            .field("issues", &codes)
            .finish_non_exhaustive()
    }
}
