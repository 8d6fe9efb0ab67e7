//! The request as a value of the crate `http` (D37, D38, D39).

use std::fmt;
use std::net::IpAddr;

use ::http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE, HeaderValue};
use ::http::{Method, Request, Uri};

use super::{JSON, PreparedRequest};

/// The reason why a request can't be sent to a base URL with a token. It prints neither of them (D45).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ToHttpError {
    /// The base URL is not an absolute URL such as `https://host/path`.
    NotAUrl,
    /// The base URL is neither https nor http on a loopback address: others could read the token (D37).
    NotSecure,
    /// The base URL has a user name or a password.
    HasCredentials,
    /// The base URL has a query or a fragment.
    HasQuery,
    /// The token is empty, or has characters other than visible ASCII.
    NotAToken,
}

impl fmt::Display for ToHttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAUrl => "the base URL must be an absolute URL such as https://host/path",
            Self::NotSecure => {
                "the base URL must be https, or http on a loopback address: others could read the token"
            }
            Self::HasCredentials => "the base URL must have no user name and no password",
            Self::HasQuery => "the base URL must have no query and no fragment",
            Self::NotAToken => {
                "the token must be a bearer token: a string without spaces, line breaks and 'Bearer'"
            }
        })
    }
}

impl std::error::Error for ToHttpError {}

impl PreparedRequest {
    /// Returns the request as a value of the crate `http`, which clients such as reqwest and ureq take. Requires the feature
    /// `http`.
    ///
    /// The path of the base URL is preserved, with or without a slash at its end (D37). The headers are Accept, Content-Type and
    /// Authorization (D39); the last one is marked sensitive, so that clients and their logs don't show it.
    ///
    /// ```
    /// use sales_order_intake::{RuleOptions, prepare_request};
    ///
    /// let order = r#"{
    ///     "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000,
    ///     "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50",
    ///     "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": 19.99 }]
    /// }"#;
    /// let request = prepare_request(order, &RuleOptions::default())?.to_http("https://intake.example.com/orders", "a-token")?;
    /// assert_eq!(request.method(), "PUT");
    /// let url = "https://intake.example.com/orders/v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)";
    /// assert_eq!(request.uri(), url);
    /// assert_eq!(request.headers()["authorization"], "Bearer a-token");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`ToHttpError`] for a base URL that is not https, or http on a loopback address (`localhost`, names that end in
    /// `.localhost`, 127.0.0.0/8, `::1`), for one with credentials, a query or a fragment, and for a token with characters other than
    /// visible ASCII.
    pub fn to_http(&self, base_url: &str, token: &str) -> Result<Request<String>, ToHttpError> {
        let uri = url_below(base_url, &self.path)?;
        if token.is_empty() || !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(ToHttpError::NotAToken);
        }
        let bearer = HeaderValue::try_from(["Bearer ", token].concat());
        let mut bearer = bearer.map_err(|_| ToHttpError::NotAToken)?;
        bearer.set_sensitive(true);
        let mut request = Request::new(self.body.clone());
        *request.method_mut() = Method::PUT;
        *request.uri_mut() = uri;
        let headers = request.headers_mut();
        headers.insert(ACCEPT, HeaderValue::from_static(JSON));
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(JSON));
        headers.insert(AUTHORIZATION, bearer);
        Ok(request)
    }
}

/// Returns the URL of a path below a base URL.
fn url_below(base_url: &str, path: &str) -> Result<Uri, ToHttpError> {
    // `Uri` drops a fragment.
    if base_url.contains(['?', '#']) {
        return Err(ToHttpError::HasQuery);
    }
    let base: Uri = base_url.parse().map_err(|_| ToHttpError::NotAUrl)?;
    let (Some(scheme), Some(authority)) = (base.scheme_str(), base.authority()) else {
        return Err(ToHttpError::NotAUrl);
    };
    let host = authority.host();
    let is_port = |port: &str| port.parse::<u16>().is_ok();
    if authority.as_str().contains('@') {
        return Err(ToHttpError::HasCredentials);
    }
    let port = authority.as_str().strip_prefix(host).and_then(|port| port.strip_prefix(':'));
    if host.is_empty() || !port.is_none_or(is_port) {
        return Err(ToHttpError::NotAUrl);
    }
    if scheme != "https" && !(scheme == "http" && is_loopback(host)) {
        return Err(ToHttpError::NotSecure);
    }
    let url = [scheme, "://", authority.as_str(), base.path().trim_end_matches('/'), "/", path].concat();
    url.parse().map_err(|_| ToHttpError::NotAUrl)
}

fn is_loopback(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(&host);
    host == "localhost"
        || host.ends_with(".localhost")
        || address.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}
