//! The JSON that several functions share: headers and responses, the registry of a request, and its time.

use http::{HeaderMap, HeaderName, HeaderValue, Response};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use service_rules::registry::{Form, Registry};
use service_rules::token::TokenHash;
use time::OffsetDateTime;

/// A response.
#[derive(Deserialize, Serialize)]
pub(crate) struct JsonResponse {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl From<Response<String>> for JsonResponse {
    fn from(response: Response<String>) -> Self {
        let text = |value: &HeaderValue| value.to_str().unwrap_or_default().to_owned();
        let headers = response.headers().iter().map(|(name, value)| (name.to_string(), text(value)));
        Self { status: response.status().as_u16(), headers: headers.collect(), body: response.into_body() }
    }
}

/// Reads JSON.
pub(crate) fn read<'j, T: Deserialize<'j>>(json: &'j str) -> Result<T, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

/// Reads headers; leaves out those that no server would accept.
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

/// Where the registry comes from.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
enum Source {
    /// Every company, location and integrator there can be, and this token.
    Everything(String),
    /// The registry of a test.
    Test(Value),
    /// A registry file, and one more token for everything in it.
    File(Value, String),
}

/// Reads a registry. Returns its first error.
pub(crate) fn registry(json: &str) -> Result<Registry, String> {
    match read(json)? {
        Source::Everything(token) => Ok(Registry::of_everything(&token)),
        Source::Test(json) => Registry::from_json(json, Form::Test),
        Source::File(json, token) => {
            let mut registry = Registry::from_json(json, Form::File)?;
            registry.add_token_for_everything(TokenHash::of(&token));
            Ok(registry)
        }
    }
}

/// Reads a time in milliseconds since 1970.
pub(crate) fn time(milliseconds: i64) -> Result<OffsetDateTime, String> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(milliseconds) * 1_000_000)
        .map_err(|error| error.to_string())
}
