//! The host names under which pages are served: only those that cannot belong to somebody else.
//!
//! A page of another site can make its own name resolve to this machine (DNS rebinding). Its requests then
//! have the same origin as the page, which may read the responses; but their Host is still the name of that
//! site.

use std::net::IpAddr;

use http::HeaderMap;
use http::header::{HOST, HeaderName, ORIGIN};
use http::uri::Authority;

use crate::problem::{Problem, ProblemType};

/// Checks that all hosts of a request are `localhost`, an IP address or one that the settings allow. `target`
/// is the one in the target of the request, `advice` says what to do in this form of the service.
///
/// # Errors
/// Returns the problem of another host, or of a request without one.
pub fn check(
    target: Option<&str>,
    headers: &HeaderMap,
    allowed: &[String],
    advice: &str,
) -> Result<(), Problem> {
    // HTTP/2 has the host in the target of the request, as HTTP/1.1 may.
    let headers = headers.get_all(HOST).iter().map(|host| host.to_str().ok());
    let hosts = target.map(Some).into_iter().chain(headers).map(|host| host?.parse().ok());
    let is_allowed = |authority: Option<Authority>| {
        let host = authority.as_ref().and_then(host_of);
        host.is_some_and(|host| is_allowed(host, allowed))
    };
    let mut hosts = hosts.peekable();
    if hosts.peek().is_none() {
        return Err(Problem::new(ProblemType::BadRequest, "The request needs the header Host."));
    }
    if hosts.all(is_allowed) {
        return Ok(());
    }
    Err(Problem::new(ProblemType::WrongHost, advice))
}

/// Refuses a request whose Host is no host with or without a port, such as one with a user name.
///
/// # Errors
/// Returns the problem of the header.
pub(crate) fn check_form(headers: &HeaderMap) -> Result<(), Problem> {
    let is_host = |host: &str| host.parse().is_ok_and(|authority: Authority| host_of(&authority).is_some());
    if headers.get_all(HOST).iter().all(|host| host.to_str().is_ok_and(is_host)) {
        return Ok(());
    }
    Err(Problem::new(ProblemType::BadRequest, "The header Host must be a host, or a host and a port."))
}

/// Refuses a request that a browser reports as one of a page of another site. Such a page can send a form, or a
/// POST without a body, and the browser does not ask before. Other programs send neither header.
///
/// # Errors
/// Returns the problem of a request of another site.
pub(crate) fn check_site(headers: &HeaderMap) -> Result<(), Problem> {
    const SITE: HeaderName = HeaderName::from_static("sec-fetch-site");
    // `none`: the user has asked for it, not a page.
    let is_own_site = |site: &str| ["same-origin", "none"].contains(&site);
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    // Behind a proxy with TLS, only the protocol differs. The origin of a page without one is `null`.
    let is_own_origin = |origin: &str| {
        let named = origin.split_once("://").map(|(_, named)| named);
        named.zip(host).is_some_and(|(named, host)| named.eq_ignore_ascii_case(host))
    };
    let all = |name: &HeaderName, is_own: &dyn Fn(&str) -> bool| {
        headers.get_all(name).iter().all(|value| value.to_str().is_ok_and(is_own))
    };
    let is_own =
        if headers.contains_key(SITE) { all(&SITE, &is_own_site) } else { all(&ORIGIN, &is_own_origin) };
    if is_own {
        return Ok(());
    }
    let detail = "The browser says that a page of another site sent this request; nothing was changed.";
    Err(Problem::new(ProblemType::CrossSite, detail))
}

/// Returns the host, or `None` if anything other than a port is before or after it: [`Authority::host`] ends
/// at a bracket, so it returns `[::1]` for `[::1].example.com`.
fn host_of(authority: &Authority) -> Option<&str> {
    let host = authority.host();
    let rest = authority.as_str().strip_prefix(host)?;
    (rest.is_empty() || rest.starts_with(':')).then_some(host)
}

/// Returns true for names of this machine, for IP addresses, which are not looked up, and for allowed names.
fn is_allowed(host: &str, allowed: &[String]) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    let names = allowed.iter().map(String::as_str).chain(["localhost"]);
    address.parse::<IpAddr>().is_ok() || names.into_iter().any(|name| name.eq_ignore_ascii_case(host))
}
