//! The one way to make a response.

use http::{HeaderName, HeaderValue, Response, StatusCode};

/// Makes a response. The values of its headers are ASCII.
pub fn respond<Body>(
    status: StatusCode,
    headers: impl IntoIterator<Item = (HeaderName, &'static str)>,
    body: impl Into<Body>,
) -> Response<Body> {
    let mut response = Response::new(body.into());
    *response.status_mut() = status;
    let headers = headers.into_iter().map(|(name, value)| (name, HeaderValue::from_static(value)));
    response.headers_mut().extend(headers);
    response
}
