//! Serializes JSON from the writer, so that no decimal depends on the features of another crate.

use std::borrow::Cow;

use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{elements, members, string};

/// Serializes the values of JSON from a [`Writer`](super::Writer) into any format. A number that is not a count or an index is
/// serialized into JSON only.
pub(crate) fn serialize_values<S: Serializer>(json: &str, serializer: S) -> Result<S::Ok, S::Error> {
    Written(json).serialize(serializer)
}

/// Serializes JSON as it is, so that a number keeps its digits: into JSON only.
pub(crate) fn serialize_raw<S: Serializer>(json: String, serializer: S) -> Result<S::Ok, S::Error> {
    RawValue::from_string(json).map_err(S::Error::custom)?.serialize(serializer)
}

/// Valid JSON.
struct Written<'a>(&'a str);

impl Serialize for Written<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(raw) = *self;
        match raw.as_bytes() {
            [b'{', ..] => {
                let mut entries: Vec<(Cow<'_, str>, Self)> = Vec::new();
                // The JSON is valid, so this can't fail.
                let _ = members(raw, &mut |name, value| entries.push((name, Self(value))));
                serializer.collect_map(entries)
            }
            [b'[', ..] => {
                let mut entries = Vec::new();
                let _ = elements(raw, &mut |value| entries.push(Self(value)));
                serializer.collect_seq(entries)
            }
            b"null" => serializer.serialize_none(),
            b"true" | b"false" => serializer.serialize_bool(raw == "true"),
            _ => match string(raw) {
                Some(string) => serializer.serialize_str(&string),
                None => match raw.parse() {
                    Ok(integer) => serializer.serialize_u64(integer),
                    Err(_) => serialize_raw(raw.to_owned(), serializer),
                },
            },
        }
    }
}
