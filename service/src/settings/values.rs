//! The values of settings on the command line.

use std::time::Duration;

use axum::http::uri::Authority;
use axum::http::{HeaderValue, Uri};
use clap::builder::{RangedU64ValueParser, TypedValueParser};
use service_rules::endpoint::Endpoint;

/// Parses a number of seconds, at most a day.
pub(super) fn seconds(min: u64) -> impl TypedValueParser<Value = Duration> {
    RangedU64ValueParser::<u64>::new().range(min..=24 * 60 * 60).map(Duration::from_secs)
}

/// Parses a number of connections.
pub(super) fn at_least_one(text: &str) -> Result<usize, &'static str> {
    text.parse().ok().filter(|number| *number > 0).ok_or("must be a number, at least 1")
}

/// Returns a number of seconds, as it is parsed.
pub(super) fn in_seconds(time: Duration) -> String {
    time.as_secs().to_string()
}

/// Parses a base path: empty, or segments that each follow a slash; not a folder of pages, whose addresses orders
/// would have too.
pub(super) fn base_path(text: &str) -> Result<String, &'static str> {
    let path = text.trim_end_matches('/');
    let is_folder =
        |(pattern, _): (&str, _)| pattern.split_once("/{").is_some_and(|(folder, _)| folder == path);
    let allowed = |c: char| c.is_ascii_alphanumeric() || "/-._~".contains(c);
    match path {
        "" => Ok(String::new()),
        _ if Endpoint::ALL.into_iter().any(is_folder) => {
            Err("must not be /assets or /pos, where pages of the service are")
        }
        _ if path.starts_with('/') && !path.contains("//") && path.chars().all(allowed) => {
            Ok(path.to_owned())
        }
        _ => Err("must be empty or a path such as /covaorderintake"),
    }
}

/// Parses a host name without a port.
pub(super) fn host(text: &str) -> Result<String, &'static str> {
    let expected = "must be a host name without a port, such as orders.example.com";
    let authority: Authority = text.parse().map_err(|_| expected)?;
    if authority.host() == text { Ok(text.to_owned()) } else { Err(expected) }
}

/// Parses an origin as browsers send it: scheme, host and port without a path, not even a slash.
pub(super) fn origin(text: &str) -> Result<HeaderValue, &'static str> {
    let expected = "must be an origin such as https://shop.example.com or http://127.0.0.1:3000";
    let uri: Uri = text.parse().map_err(|_| expected)?;
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else { return Err(expected) };
    let whole = [scheme, "://", authority.as_str()].concat();
    if !["http", "https"].contains(&scheme) || whole != text || text.contains('@') {
        return Err(expected);
    }
    text.parse().map_err(|_| expected)
}

#[cfg(test)]
mod tests {
    use super::base_path;

    #[test]
    fn orders_have_no_address_that_a_page_has() {
        for path in ["/pos", "/pos/", "/assets"] {
            assert!(base_path(path).is_err(), "{path}");
        }
        for path in ["", "/covaorderintake", "/pos/orders", "/assets/orders", "/health", "/v3"] {
            assert_eq!(base_path(path).as_deref(), Ok(path));
        }
    }
}
