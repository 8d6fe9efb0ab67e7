//! The media types of orders, application/json and text/json: parses Content-Type and negotiates by Accept
//! (§4, D40).
//!
//! Our own code, because the crate `mime` (and with it `headers::ContentType`) rejects the space before `;`
//! that RFC 9110 §5.6.6 allows, and does not parse Accept.

use http::HeaderMap;
use http::header::{ACCEPT, CONTENT_ENCODING, CONTENT_TYPE, HeaderName};
use serde::{Deserialize, Serialize};

use crate::problem::{Problem, ProblemType};

/// A media type of orders.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
pub enum MediaType {
    /// `application/json`.
    ApplicationJson,
    /// `text/json`.
    TextJson,
}

/// Rejects a body that is compressed, or of another media type than orders.
pub fn check_content(headers: &HeaderMap) -> Result<(), Problem> {
    let unsupported = |detail| Problem::new(ProblemType::UnsupportedMediaType, detail).and_close();
    let mut codings = values(headers, CONTENT_ENCODING).flat_map(|value| value.split(',')).map(str::trim);
    if !codings.all(|coding| coding.is_empty() || coding.eq_ignore_ascii_case("identity")) {
        return Err(unsupported("The body must not be compressed."));
    }
    if !MediaType::is_content_type(values(headers, CONTENT_TYPE)) {
        return Err(unsupported("Send the order as application/json or text/json, in UTF-8."));
    }
    Ok(())
}

/// Returns the values of a header. One that is not ASCII is neither a known coding nor a known type.
fn values(headers: &HeaderMap, name: HeaderName) -> impl Iterator<Item = &str> {
    headers.get_all(name).into_iter().map(|value| value.to_str().unwrap_or("?"))
}

impl MediaType {
    /// Chooses the media type of the response by the headers Accept.
    pub fn of_response(headers: &HeaderMap) -> Result<Self, Problem> {
        Self::preferred(values(headers, ACCEPT)).ok_or_else(|| {
            let detail = "Orders are returned as application/json or text/json.";
            Problem::new(ProblemType::NotAcceptable, detail)
        })
    }

    /// Returns the value of Content-Type. Without a charset, some clients do not read text/json as UTF-8.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::ApplicationJson => "application/json",
            Self::TextJson => "text/json; charset=utf-8",
        }
    }

    /// Returns true if the headers Content-Type name a type of orders. Several values count as a list, and
    /// every entry must be such a type, because a proxy may act on another entry than this service.
    fn is_content_type<'h>(headers: impl Iterator<Item = &'h str>) -> bool {
        let mut entries = headers.flat_map(entries).peekable();
        entries.peek().is_some() && entries.all(|entry| Self::from_content_type(entry).is_some())
    }

    /// Parses an entry of Content-Type. Returns `None` if it is another type or another charset than UTF-8.
    fn from_content_type(content_type: &str) -> Option<Self> {
        let (essence, parameters) = parse(content_type);
        let is_utf8 = parameters.iter().all(|(name, value)| {
            !name.eq_ignore_ascii_case("charset")
                || value.eq_ignore_ascii_case("utf-8")
                || value.eq_ignore_ascii_case("utf8")
        });
        let is_named = |known: &Self| known.name_and_range()[0].eq_ignore_ascii_case(essence);
        [Self::ApplicationJson, Self::TextJson].into_iter().find(is_named).filter(|_| is_utf8)
    }

    /// Returns the type that the headers Accept prefer, application/json if both are equal (RFC 9110
    /// §12.5.1). Returns `None` if they accept neither.
    fn preferred<'h>(accept: impl Iterator<Item = &'h str>) -> Option<Self> {
        let ranges = accept.flat_map(entries).map(str::trim);
        let ranges: Vec<_> = ranges.filter(|range| !range.is_empty()).map(MediaRange::parse).collect();
        if ranges.is_empty() {
            return Some(Self::ApplicationJson);
        }
        let weight = |media_type: Self| {
            let matching = ranges.iter().filter(|range| range.specificity(media_type).is_some());
            matching.max_by_key(|range| range.specificity(media_type)).map_or(0, |range| range.weight)
        };
        match (weight(Self::ApplicationJson), weight(Self::TextJson)) {
            (0, 0) => None,
            (application, text) if application >= text => Some(Self::ApplicationJson),
            _ => Some(Self::TextJson),
        }
    }

    /// Returns its name, and the range of all subtypes of its type.
    fn name_and_range(self) -> [&'static str; 2] {
        match self {
            Self::ApplicationJson => ["application/json", "application/*"],
            Self::TextJson => ["text/json", "text/*"],
        }
    }
}

/// One entry of an Accept header.
struct MediaRange<'h> {
    essence: &'h str,
    /// The parameter `q`, in thousandths.
    weight: u16,
}

impl<'h> MediaRange<'h> {
    fn parse(text: &'h str) -> Self {
        let (essence, parameters) = parse(text);
        let q = parameters.iter().find(|(name, _)| name.eq_ignore_ascii_case("q"));
        Self { essence, weight: q.map_or(1000, |(_, value)| thousandths(value)) }
    }

    /// Returns how closely the range matches a type, or `None` if it does not.
    fn specificity(&self, media_type: MediaType) -> Option<u8> {
        let [name, range] = media_type.name_and_range();
        [(name, 2), (range, 1), ("*/*", 0)]
            .into_iter()
            .find_map(|(own, closeness)| own.eq_ignore_ascii_case(self.essence).then_some(closeness))
    }
}

/// Splits a list at its commas, except in quoted strings.
fn entries(list: &str) -> impl Iterator<Item = &str> {
    split(list, ',')
}

/// Splits a header at a separator, except in quoted strings (RFC 9110 §5.6.4).
fn split(header: &str, separator: char) -> impl Iterator<Item = &str> {
    let (mut quoted, mut escaped) = (false, false);
    header.split(move |character| {
        let is_escaped = std::mem::replace(&mut escaped, false);
        match character {
            '"' if !is_escaped => quoted = !quoted,
            '\\' if quoted && !is_escaped => escaped = true,
            _ => {}
        }
        character == separator && !quoted
    })
}

/// Splits a media type into `type/subtype` and its parameters; ignores malformed parameters.
fn parse(text: &str) -> (&str, Vec<(&str, &str)>) {
    let mut parts = split(text, ';').map(str::trim);
    let essence = parts.next().unwrap_or_default();
    let parameters = parts.filter_map(|part| part.split_once('='));
    (essence, parameters.map(|(name, value)| (name.trim(), value.trim().trim_matches('"'))).collect())
}

/// Parses a weight: `0.75` → 750, and `.2`, which old clients send, → 200. A malformed one counts as 1.
fn thousandths(text: &str) -> u16 {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = [whole, fraction, "000"].concat();
    let is_number = !text.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
    let digits = digits.get(..whole.len() + 3).filter(|_| is_number).and_then(|digits| digits.parse().ok());
    digits.filter(|weight| *weight <= 1000).unwrap_or(1000)
}

#[cfg(test)]
mod tests {
    use super::MediaType::{self, ApplicationJson, TextJson};

    #[test]
    fn content_type_must_be_json_in_utf_8() {
        for (header, media_type) in [
            ("application/json", Some(ApplicationJson)),
            ("Application/JSON ; charset=UTF-8", Some(ApplicationJson)),
            ("text/json;charset=\"utf-8\"", Some(TextJson)),
            ("application/json; charset=iso-8859-1", None),
            ("application/json; profile=x", Some(ApplicationJson)),
            (r#"application/json; profile="a; charset=latin1""#, Some(ApplicationJson)),
            (r#"application/json; profile="a\"; charset=latin1"; charset=utf-8"#, Some(ApplicationJson)),
            (r#"application/json; profile="a"; charset=latin1"#, None),
            ("application/xml", None),
            ("application/problem+json", None),
            ("text/plain", None),
            ("json", None),
            ("", None),
        ] {
            assert_eq!(MediaType::from_content_type(header), media_type, "{header}");
        }
    }

    #[test]
    fn several_content_types_must_all_be_json() {
        for (headers, accepted) in [
            (&[][..], false),
            (&[""], false),
            (&["application/json"], true),
            (&["application/json", "application/json"], true),
            (&["application/json, text/json;charset=utf-8"], true),
            (&["application/json", "application/xml"], false),
            (&["application/xml", "application/json"], false),
            (&["application/json;x=1, application/xml"], false),
            (&["application/json, "], false),
            (&[r#"application/json; profile="a, \", b""#], true),
        ] {
            assert_eq!(MediaType::is_content_type(headers.iter().copied()), accepted, "{headers:?}");
        }
    }

    #[test]
    fn the_response_has_the_type_that_accept_prefers() {
        for (headers, media_type) in [
            (&[][..], Some(ApplicationJson)),
            (&[""], Some(ApplicationJson)),
            (&["*/*"], Some(ApplicationJson)),
            (&["application/json"], Some(ApplicationJson)),
            (&["text/json"], Some(TextJson)),
            (&["TEXT/*"], Some(TextJson)),
            (&["text/json, application/json"], Some(ApplicationJson)),
            (&["application/json;q=0.5, text/json;q=0.75"], Some(TextJson)),
            (&["application/json;q=0.5", "text/json"], Some(TextJson)),
            (&["application/json;q=0, */*"], Some(TextJson)),
            (&["*/*;q=0"], None),
            (&["application/json;q=0"], None),
            (&["text/html, application/xml;q=0.9"], None),
            (&["text/html, */*;q=0.1"], Some(ApplicationJson)),
            (
                &[r#"application/json;profile="a, text/json;q=0";q=0.5, text/json;q=0.1"#],
                Some(ApplicationJson),
            ),
            (&[r#"application/json;profile="a;q=0.1", text/json;q=0.5"#], Some(ApplicationJson)),
            (&["text/json;q=.2, application/json;q=.1"], Some(TextJson)),
            // A malformed weight counts as 1.
            (&["application/json;q="], Some(ApplicationJson)),
            (&["application/json;q=-1, text/json;q=+0.1"], Some(ApplicationJson)),
            (&["application/json;q=0.9, text/json;q=high"], Some(TextJson)),
        ] {
            assert_eq!(MediaType::preferred(headers.iter().copied()), media_type, "{headers:?}");
        }
    }
}
