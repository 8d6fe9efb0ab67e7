//! The registry of a request, and its time.

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::Value;
use service_rules::registry::{Form, Registry, RegistryError};
use service_rules::token::TokenHash;

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

/// Reads a registry.
pub(crate) fn registry(json: &str) -> Result<Registry, String> {
    match serde_json::from_str(json).map_err(|error| error.to_string())? {
        Source::Everything(token) => Ok(Registry::of_everything(&token)),
        Source::Test(json) => Registry::from_json(json, Form::Test).map_err(lines),
        Source::File(json, token) => {
            let mut registry = Registry::from_json(json, Form::File).map_err(lines)?;
            registry.add_token_for_everything(TokenHash::of(&token));
            Ok(registry)
        }
    }
}

/// Returns the errors, each in a line.
#[expect(clippy::needless_pass_by_value, reason = "map_err passes it")]
fn lines(errors: Vec<RegistryError>) -> String {
    let lines: Vec<_> = errors.iter().map(ToString::to_string).collect();
    lines.join("\n")
}

/// Reads a time in milliseconds since 1970.
pub(crate) fn time(milliseconds: i64) -> Result<Timestamp, String> {
    Timestamp::from_millisecond(milliseconds).map_err(|error| error.to_string())
}
