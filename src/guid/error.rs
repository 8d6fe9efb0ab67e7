//! The reasons why a GUID can't be parsed, derived or generated.

use std::fmt;

use crate::unexpected::Unexpected;

/// The reason why a string is not a [`Guid`](super::Guid).
///
/// ```
/// use sales_order_intake::{Guid, ParseGuidError};
///
/// let error = "2a8g5d33-eec9-4864-8b49-5636577b40d5".parse::<Guid>().unwrap_err();
/// assert_eq!(error.to_string(), "not a GUID in the form D, N, B or P: unexpected character 'g' at byte 3");
/// assert!(matches!(error, ParseGuidError::Syntax(unexpected) if unexpected.position() == 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseGuidError {
    /// The string has none of the .NET forms D, N, B and P; contains the first difference from the form that it resembles
    /// most.
    Syntax(Unexpected),
    /// The GUID is all zero (.NET's `Guid.Empty`), which identifies nothing.
    AllZero,
}

/// The reason why an id cannot be derived (D2).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DeriveGuidError {
    /// The namespace is one of those that RFC 9562 publishes: DNS, URL, OID or X500.
    PublishedNamespace,
    /// The key is empty.
    EmptyKey,
}

/// The platform has no secure random source.
///
/// [`Guid::derive`](super::Guid::derive) makes an id without one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomSource;

/// What is wrong with a string, without the position, so that the WebAssembly module has no code that searches for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotAGuid {
    Syntax,
    AllZero,
}

impl NotAGuid {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Syntax => "not a GUID in the form D, N, B or P",
            Self::AllZero => "the GUID is all zero",
        }
    }
}

impl ParseGuidError {
    pub(super) fn new(reason: NotAGuid, string: &str) -> Self {
        match reason {
            NotAGuid::Syntax => Self::Syntax(unexpected_in(string)),
            NotAGuid::AllZero => Self::AllZero,
        }
    }
}

/// The digits of the forms D, B and P, and those of the form N; `h` is a hexadecimal digit.
const HYPHENATED: &str = "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh";
const SIMPLE: &str = "hhhhhhhhhhhhhhhhhhhhhhhhhhhhhhhh";
const FORMS: [[&str; 3]; 4] =
    [["", HYPHENATED, ""], ["", SIMPLE, ""], ["{", HYPHENATED, "}"], ["(", HYPHENATED, ")"]];

/// Returns where a string that is not a GUID differs from the form that it follows longest.
fn unexpected_in(string: &str) -> Unexpected {
    let fits = |(form, character): &(char, char)| match form {
        'h' => character.is_ascii_hexdigit(),
        other => character == other,
    };
    let same = |form: String| form.chars().zip(string.chars()).take_while(fits).count();
    // The part that fits is ASCII, so characters are bytes.
    let position = FORMS.iter().map(|parts| same(parts.concat())).max().unwrap_or_default();
    Unexpected::at(string, position)
}

impl fmt::Display for ParseGuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(unexpected) => write!(f, "{}: {unexpected}", NotAGuid::Syntax.message()),
            Self::AllZero => f.write_str(NotAGuid::AllZero.message()),
        }
    }
}

impl std::error::Error for ParseGuidError {}

impl fmt::Display for DeriveGuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::PublishedNamespace => {
                "the namespace must be a GUID of your own, not one that RFC 9562 publishes"
            }
            Self::EmptyKey => "the key must not be empty",
        })
    }
}

impl std::error::Error for DeriveGuidError {}

impl fmt::Display for NoRandomSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no secure random source: derive the id from a key or provide your own")
    }
}

impl std::error::Error for NoRandomSource {}

#[cfg(test)]
mod tests {
    use crate::guid::Guid;

    #[test]
    fn the_first_character_that_no_form_has_is_reported() {
        for (string, unexpected) in [
            ("", "end at byte 0"),
            ("2a8f5d33", "end at byte 8"),
            ("2a8g5d33-eec9-4864-8b49-5636577b40d5", "character 'g' at byte 3"),
            ("2a8f5d33-eec94864-8b49-5636577b40d5", "character '4' at byte 13"),
            ("2A8F5D33EEC94864-8B49-5636577B40D5", "character '-' at byte 16"),
            ("2a8f5d33eec948648b495636577b40d56", "character '6' at byte 32"),
            ("{2a8f5d33-eec9-4864-8b49-5636577b40d5)", "character ')' at byte 37"),
            ("(2a8f5d33eec948648b495636577b40d5)", "character 'e' at byte 9"),
            (" 2a8f5d33-eec9-4864-8b49-5636577b40d5", "character ' ' at byte 0"),
            ("2aé", "character 'é' at byte 2"),
            ("2a\n", "character '\\n' at byte 2"),
        ] {
            let expected = format!("not a GUID in the form D, N, B or P: unexpected {unexpected}");
            assert_eq!(string.parse::<Guid>().unwrap_err().to_string(), expected, "{string}");
        }
    }
}
