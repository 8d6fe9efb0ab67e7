//! A JSON value that is not read.

use std::fmt;

use super::{SyntaxError, document};

/// A JSON value with every character it had: a member that is passed on unread.
///
/// Compares its text. `Debug` prints none of it, because it may be personal (D45).
#[derive(Clone, PartialEq, Eq)]
pub struct Json(Box<str>);

/// The text is not JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotJson {
    /// The byte at which it stops being JSON.
    pub position: usize,
    expected: &'static str,
}

impl Json {
    /// Parses a JSON value; whitespace around it is dropped.
    ///
    /// ```
    /// use sales_order_intake::Json;
    ///
    /// assert_eq!(Json::parse(r#" { "gift": true } "#)?.as_str(), r#"{ "gift": true }"#);
    /// assert_eq!(Json::parse("[1,]").unwrap_err().to_string(), "expected a value at byte 3");
    /// # Ok::<(), sales_order_intake::NotJson>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`NotJson`] with the position at which the text stops being JSON.
    pub fn parse(json: &str) -> Result<Self, NotJson> {
        let raw =
            document(json).map_err(|SyntaxError { position, expected }| NotJson { position, expected })?;
        Ok(Self(raw.into()))
    }

    /// Wraps a value that was parsed before.
    pub(crate) fn from_parsed(raw: &str) -> Self {
        Self(raw.into())
    }

    /// Returns the text.
    ///
    /// ```
    /// assert_eq!(sales_order_intake::Json::parse("1.50")?.as_str(), "1.50");
    /// # Ok::<(), sales_order_intake::NotJson>(())
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Json(..)")
    }
}

impl fmt::Display for NotJson {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {} at byte {}", self.expected, self.position)
    }
}

impl std::error::Error for NotJson {}
