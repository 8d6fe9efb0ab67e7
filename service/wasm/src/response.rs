//! Headers and responses as JSON.

use http::{HeaderMap, HeaderName, HeaderValue, Response};
use serde::{Deserialize, Serialize};

/// A response.
#[derive(Deserialize, Serialize)]
pub(crate) struct JsonResponse {
    status: u16,
    headers: Vec<(String, String)>,
    body: String,
}

impl From<Response<String>> for JsonResponse {
    fn from(response: Response<String>) -> Self {
        let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let headers = response.headers().iter().map(|(name, value)| (name.to_string(), text(value)));
        Self { status: response.status().as_u16(), headers: headers.collect(), body: response.into_body() }
    }
}

/// Reads headers; leaves out what no server would take.
pub(crate) fn headers(list: &[(String, String)]) -> HeaderMap {
    let header = |(name, value): &(String, String)| {
        Some((name.parse::<HeaderName>().ok()?, HeaderValue::from_bytes(value.as_bytes()).ok()?))
    };
    let mut headers = HeaderMap::new();
    for (name, value) in list.iter().filter_map(header) {
        headers.append(name, value);
    }
    headers
}
