//! The faults that only a test asks for: statuses and pages, as intermediaries such as proxies send them.

use http::header::{CONTENT_TYPE, LOCATION};
use http::{Response, StatusCode};

use super::{InjectedFault, NOTHING_STORED};
use crate::http_response::respond;

/// Every fault of a test, for messages.
pub const SCRIPTED: &str = "a status from 400 to 599, html, html=<status from 200 to 599>, redirect, latency=<milliseconds up to \
    300000>, drop, drop-after or down-until=<seconds up to 86400>";

const PAGE: &str =
    "<!doctype html>\n<html lang=\"en\"><title>Maintenance</title><p>We will be back soon.</p></html>\n";

impl InjectedFault {
    /// Parses a fault that a test asks for: one of those that a request may ask for, any status from 400 to
    /// 599, a page of HTML or a redirect.
    ///
    /// ```
    /// use service_rules::injected_fault::InjectedFault;
    ///
    /// for fault in ["503", "502", "html", "html=404", "redirect", "drop-after"] {
    ///     assert!(InjectedFault::scripted(fault).is_ok());
    /// }
    /// assert!(InjectedFault::scripted("200").is_err());
    /// ```
    ///
    /// # Errors
    /// Returns [`SCRIPTED`] if there is no such fault.
    pub fn scripted(text: &str) -> Result<Self, &'static str> {
        if let Ok(fault) = text.parse() {
            return Ok(fault);
        }
        let status = |digits: &str, min| {
            let status = digits.parse().ok();
            status.filter(|status: &StatusCode| (min..600).contains(&status.as_u16())).ok_or(SCRIPTED)
        };
        match text.split_once('=') {
            Some(("html", digits)) => status(digits, 200).map(Self::Page),
            Some(_) => Err(SCRIPTED),
            None if text == "html" => Ok(Self::Page(StatusCode::OK)),
            None if text == "redirect" => Ok(Self::Redirect),
            None => status(text, 400).map(Self::Status),
        }
    }
}

/// Returns the response of a fault that only a test asks for; `None` for others.
pub(super) fn response(fault: InjectedFault) -> Option<Response<String>> {
    let (status, header, value, body) = match fault {
        InjectedFault::Redirect => (StatusCode::FOUND, LOCATION, "https://login.test/", String::new()),
        // A status that the service itself never responds with has no problem type of its own (RFC 9457
        // §4.2.1).
        InjectedFault::Status(status) => {
            let problem = format!(
                r#"{{"type":"about:blank","title":"Injected fault","status":{},"detail":"{NOTHING_STORED}"}}"#,
                status.as_u16()
            );
            (status, CONTENT_TYPE, "application/problem+json", problem)
        }
        InjectedFault::Page(status) => (status, CONTENT_TYPE, "text/html; charset=utf-8", PAGE.to_owned()),
        _ => return None,
    };
    Some(respond(status, [(header, value)], body))
}
