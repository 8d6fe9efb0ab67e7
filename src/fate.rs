//! What became of an order, decided in one place from what was sent and what came back (D57).
//!
//! `judge` makes the decision, `proof` compares a response with the order that was sent, `relay` reads the states of a relay, and
//! `wait` how long the service asks to wait.

mod judge;
mod proof;
mod relay;
#[cfg(test)]
mod tests;
mod wait;

use std::fmt;
use std::time::{Duration, SystemTime};

use crate::closed_set::closed_set;
use crate::issue::Issue;
use crate::order::{FromRecord as _, ReceivedOrder};
use crate::record::RecordSet;
use crate::request::PreparedRequest;

use judge::judge;
pub use judge::{Came, Facts, Failed, Judged, judge_json};

/// What came back for one attempt to send a request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Reply<'a> {
    /// A response whose body was read, up to [`ServiceResponse::MAX_BODY`] bytes.
    Response(ServiceResponse<'a>),
    /// The request was or may have been sent, and no complete response came: the connection was lost, or time was up.
    Lost,
    /// Provably nothing was sent: the host is unknown, the connection was refused, or the TLS handshake failed.
    NotSent,
}

impl<'a> From<ServiceResponse<'a>> for Reply<'a> {
    fn from(response: ServiceResponse<'a>) -> Self {
        Self::Response(response)
    }
}

/// A response, as far as it matters for the order: status, some headers, and the body as text.
///
/// ```
/// use sales_order_intake::ServiceResponse;
///
/// let response = ServiceResponse::new(429, "").header("Retry-After", "7").header("Server", "nginx");
/// assert_eq!(response.status(), 429);
/// ```
#[derive(Clone)]
pub struct ServiceResponse<'a> {
    status: u16,
    body: &'a str,
    content_type: String,
    retry_after: String,
    date: String,
    location: String,
    received_at: Option<u64>,
    ends_at_close: bool,
}

impl<'a> ServiceResponse<'a> {
    /// The maximum length of a body that is read as an order, in bytes. Pass what has been read of a longer one: it is no JSON.
    pub const MAX_BODY: usize = crate::parse::MAX_BYTES;

    /// Creates a response without headers. Bytes that are not UTF-8 may be replaced, as `String::from_utf8_lossy` does.
    ///
    /// ```
    /// use sales_order_intake::ServiceResponse;
    ///
    /// assert_eq!(ServiceResponse::new(201, "").status(), 201);
    /// ```
    #[must_use]
    pub fn new(status: u16, body: &'a str) -> Self {
        Self {
            status,
            body,
            content_type: String::new(),
            retry_after: String::new(),
            date: String::new(),
            location: String::new(),
            received_at: None,
            ends_at_close: false,
        }
    }

    /// Adds a header. The name may be in any case; all but Content-Type, Date, Location and Retry-After are ignored, so every
    /// header of a response can be passed.
    ///
    /// ```
    /// use sales_order_intake::ServiceResponse;
    ///
    /// let headers = [("content-type", "application/json"), ("x-request-id", "7")];
    /// let response = ServiceResponse::new(200, "{}");
    /// let response = headers.into_iter().fold(response, |response, (name, value)| response.header(name, value));
    /// assert!(format!("{response:?}").contains("application/json"));
    /// ```
    #[must_use]
    pub fn header(mut self, name: &str, value: &str) -> Self {
        for (known, slot) in [
            ("content-type", &mut self.content_type),
            ("date", &mut self.date),
            ("location", &mut self.location),
            ("retry-after", &mut self.retry_after),
        ] {
            if name.eq_ignore_ascii_case(known) {
                *slot = value.trim().to_owned();
            }
        }
        self
    }

    /// Takes status and headers from a response of the crate `http`, as ureq, reqwest and hyper have it.
    ///
    /// An empty body of HTTP/1.x whose end no header marks [may have been cut off](Self::ends_at_close).
    ///
    /// ```
    /// use sales_order_intake::ServiceResponse;
    ///
    /// let (parts, body) = http::Response::builder().status(429).header("Retry-After", "7").body("").unwrap().into_parts();
    /// assert_eq!(ServiceResponse::from_http(&parts, body).status(), 429);
    /// ```
    #[cfg(feature = "http")]
    #[must_use]
    pub fn from_http(parts: &http::response::Parts, body: &'a str) -> Self {
        use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
        let known = |(name, value): (&http::HeaderName, &'_ http::HeaderValue)| {
            Some((name.as_str().to_owned(), value.to_str().ok()?.to_owned()))
        };
        let response = parts
            .headers
            .iter()
            .filter_map(known)
            .fold(Self::new(parts.status.as_u16(), body), |response, (name, value)| {
                response.header(&name, &value)
            });
        let has_length =
            [CONTENT_LENGTH, TRANSFER_ENCODING].iter().any(|name| parts.headers.contains_key(name));
        if parts.version < http::Version::HTTP_2 && !has_length { response.ends_at_close() } else { response }
    }

    /// Sets the time at which the response was received. A Retry-After that is a date counts from here if the response has no
    /// Date.
    ///
    /// ```
    /// use std::time::SystemTime;
    /// use sales_order_intake::ServiceResponse;
    ///
    /// let response = ServiceResponse::new(503, "").received_at(SystemTime::now());
    /// assert_eq!(response.status(), 503);
    /// ```
    #[must_use]
    pub fn received_at(mut self, time: SystemTime) -> Self {
        let since_1970 = time.duration_since(SystemTime::UNIX_EPOCH).ok();
        self.received_at = since_1970.and_then(|time| u64::try_from(time.as_millis()).ok());
        self
    }

    /// Says that only the closed connection ended the body: HTTP/1.x without Content-Length and Transfer-Encoding. An empty body
    /// may then have been cut off, and proves nothing (D26).
    ///
    /// ```
    /// use sales_order_intake::ServiceResponse;
    ///
    /// let response = ServiceResponse::new(201, "").ends_at_close();
    /// assert_eq!(response.status(), 201);
    /// ```
    #[must_use]
    pub fn ends_at_close(mut self) -> Self {
        self.ends_at_close = true;
        self
    }

    fn facts(&self) -> Facts<'_> {
        Facts {
            status: self.status,
            body: self.body,
            content_type: &self.content_type,
            retry_after: &self.retry_after,
            date: &self.date,
            location: &self.location,
            received_at: self.received_at,
            ends_at_close: self.ends_at_close,
        }
    }

    /// Returns the status.
    ///
    /// ```
    /// assert_eq!(sales_order_intake::ServiceResponse::new(201, "").status(), 201);
    /// ```
    #[must_use]
    pub fn status(&self) -> u16 {
        self.status
    }
}

impl fmt::Debug for ServiceResponse<'_> {
    /// Prints no personal data (D45), of the body only the size.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceResponse")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

closed_set! {
    /// What the body of a response must have to prove that the order was created (D26).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Proof {
        /// The form of an order with the Id, CompanyId and EntityId that were sent, and no other IntegratorId.
        #[default]
        Order = "order",
        /// The Id is enough: for a deployment that is known to return less than the order.
        Id = "id",
    }
}

closed_set! {
    /// What is known about earlier attempts to send the order (D31, D34).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum EarlierAttempts {
        /// There were none, or none of them can have created the order.
        #[default]
        None = "none",
        /// One of them may have created the order: a 4xx does not prove that it was not created.
        Unknown = "unknown",
    }
}

/// How a reply is judged.
///
/// ```
/// use sales_order_intake::{FateOptions, Proof};
///
/// let mut options = FateOptions::default();
/// options.proof = Proof::Id;
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FateOptions {
    /// What the body must have.
    pub proof: Proof,
    /// Whether any 2xx with an empty body proves creation, and not only 201 and 204: for a deployment that is known to respond so.
    pub accept_empty_body: bool,
    /// What is known about earlier attempts. Set [`EarlierAttempts::Unknown`] after each [`Fate::Unknown`].
    pub earlier_attempts: EarlierAttempts,
}

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
    /// A relay has stored the order and delivers it later; the service does not have it yet.
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
        /// A response that the service does not give: a redirect, a 2xx that proves nothing.
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
        /// The relay has given up: only somebody who looks after it can go on.
        Stalled = "stalled",
        /// Somebody has cancelled the order before it was sent.
        Cancelled = "cancelled",
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
    /// Whether the same request can be sent again, with the same Id and the same bytes (D33).
    pub can_repeat: bool,
    /// How long the service asks to wait; `None` if it does not. At most a year.
    pub retry_after: Option<Duration>,
    /// Whether the response may be an outage in disguise (D51): not from the service, or the fault of the way to it. It says
    /// nothing about the order then.
    pub is_suspect: bool,
    /// The state in which a relay has stopped sending the order; `None` if the response is not a relay's.
    pub relay_state: Option<RelayState>,
    /// The reason, as the service worded it. Don't log it: it may quote the order (D45).
    pub detail: Option<String>,
    /// What the service says is wrong with the order.
    pub issues: Vec<Issue>,
    problem: String,
}

impl Failure {
    /// Returns what happened, as a sentence without a point: what `Display` prints.
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

impl PreparedRequest {
    /// Decides what became of the order after an attempt to send this request (D26, D31, D33, D51, D57).
    ///
    /// Send the request again, unchanged, as long as the failure [can be repeated](Failure::can_repeat), and pass
    /// [`EarlierAttempts::Unknown`] after each [`Fate::Unknown`]. One attempt with ureq and the feature `http`:
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
    ///         let text = body.read_to_string()?;
    ///         request.fate(ServiceResponse::from_http(&parts, &text), &FateOptions::default())
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
        match judge(&self.body, &came, options, read) {
            Judged::Created { order, issues } => Fate::Created(Created {
                already_there: order.is_some() && status == 200 && is_first,
                order: order.flatten(),
                issues: issues.into_iter().map(Issue::from).collect(),
            }),
            Judged::Accepted { .. } => Fate::Accepted(Accepted { location: location.to_owned() }),
            Judged::Failed(failed) => {
                // A relay has made all attempts itself, and knows what came of them.
                let is_certain = !failed.may_be_created && (is_first || failed.relay_state.is_some());
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
