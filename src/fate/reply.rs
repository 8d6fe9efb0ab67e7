//! What came back for an attempt.

use std::fmt;
use std::time::SystemTime;

/// What came back for one attempt to send a request.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Reply<'a> {
    /// A response whose body was read, up to [`ServiceResponse::MAX_BODY`] bytes.
    Response(ServiceResponse<'a>),
    /// The request was or may have been sent, and no complete response came: the connection was lost, or the attempt timed out.
    Lost,
    /// Provably nothing was sent: the host is unknown, the connection was refused, or the TLS handshake failed.
    NotSent,
}

impl<'a> From<ServiceResponse<'a>> for Reply<'a> {
    fn from(response: ServiceResponse<'a>) -> Self {
        Self::Response(response)
    }
}

/// The parts of a response that matter for the order: status, some headers, and the body as a string.
///
/// ```
/// use sales_order_intake::ServiceResponse;
///
/// let response = ServiceResponse::new(429, "").header("Retry-After", "7").header("Server", "nginx");
/// assert_eq!(response.status(), 429);
/// ```
#[derive(Clone)]
pub struct ServiceResponse<'a> {
    pub(super) status: u16,
    body: &'a str,
    content_type: String,
    retry_after: String,
    date: String,
    pub(super) location: String,
    received_at: Option<u64>,
    ends_at_close: bool,
}

impl<'a> ServiceResponse<'a> {
    /// The maximum length of a body that is read as an order, in bytes. If the body is longer, pass the part
    /// that was read: it is not valid JSON, so it proves nothing.
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

    /// Marks the body as ended only by the close of the connection: HTTP/1.x without Content-Length and Transfer-Encoding. An empty body
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

    pub(super) fn facts(&self) -> Facts<'_> {
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
    /// Prints no personal data (D45), and only the size of the body.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ServiceResponse")
            .field("status", &self.status)
            .field("content_type", &self.content_type)
            .field("body", &format_args!("{} bytes", self.body.len()))
            .finish_non_exhaustive()
    }
}

/// What came back for one attempt, as the other crates of the workspace pass it.
pub enum Came<'a> {
    /// A response.
    Response(Facts<'a>),
    /// No complete response.
    Nothing {
        /// False if provably nothing was sent.
        was_sent: bool,
    },
}

/// The parts of a response that matter. A header that is absent is empty.
pub struct Facts<'a> {
    /// The status; 0 for a redirect that a browser does not show.
    pub status: u16,
    /// The body as a string.
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
    /// True if only the close of the connection ended the body.
    pub ends_at_close: bool,
}
