//! Order ids and every other GUID: new, derived, parsed, printed (D1, D2).

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use uuid::Uuid;

/// A GUID that is not all zero (D1).
///
/// Read from any of the four .NET forms D, N, B and P in any case, always printed in the D form: lower case with
/// hyphens. Two GUIDs are equal when their values are.
///
/// ```
/// use sales_order_intake::Guid;
///
/// let id: Guid = "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}".parse()?;
/// assert_eq!(id.to_string(), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
/// # Ok::<(), sales_order_intake::GuidError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(Uuid);

/// Why a text is no [`Guid`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum GuidError {
    /// None of the .NET forms D, N, B, P.
    Form,
    /// Well formed, but all zero: .NET's `Guid.Empty`, which names nothing.
    AllZero,
}

/// The platform has no secure random source, so no id can be minted; derive one or bring your own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRandomSource;

impl Guid {
    /// A new random id (version 4) from the platform's secure random source (D2).
    ///
    /// # Errors
    /// Where there is no such source, as in a JavaScript runtime without `crypto.getRandomValues`.
    pub fn new_random() -> Result<Self, NoRandomSource> {
        let mut bytes = [0; 16];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomSource)?;
        Ok(Self(uuid::Builder::from_random_bytes(bytes).into_uuid()))
    }

    /// The id derived from a namespace and the caller's own key (RFC 9562 version 5, D2): the same cart gives the
    /// same id after a crash and on another machine, so that a retry can't double the order.
    ///
    /// ```
    /// use sales_order_intake::Guid;
    ///
    /// let shop: Guid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8".parse()?;
    /// assert_eq!(Guid::derive(shop, "cart-1041"), Guid::derive(shop, "cart-1041"));
    /// assert_ne!(Guid::derive(shop, "cart-1041"), Guid::derive(shop, "cart-1042"));
    /// # Ok::<(), sales_order_intake::GuidError>(())
    /// ```
    #[must_use]
    pub fn derive(namespace: Self, key: &str) -> Self {
        Self(Uuid::new_v5(&namespace.0, key.as_bytes()))
    }

    /// Reads one of the .NET forms D (`2a8f5d33-…`), N (32 digits), B (`{…}`) or P (`(…)`), any case.
    ///
    /// # Errors
    /// [`GuidError`] says whether the form or the value is wrong.
    pub fn parse(text: &str) -> Result<Self, GuidError> {
        let bytes = text.as_bytes();
        let inner = match (bytes.first(), bytes.last(), bytes.len()) {
            (Some(b'{'), Some(b'}'), 38) | (Some(b'('), Some(b')'), 38) => {
                bytes.get(1..37).ok_or(GuidError::Form)?
            }
            (_, _, 36 | 32) => bytes,
            _ => return Err(GuidError::Form),
        };
        // By length alone `uuid` can only take these for the hyphenated and the simple form.
        match Uuid::try_parse_ascii(inner) {
            Ok(value) if value.is_nil() => Err(GuidError::AllZero),
            Ok(value) => Ok(Self(value)),
            Err(_) => Err(GuidError::Form),
        }
    }

    /// The value as a [`Uuid`].
    #[must_use]
    pub fn as_uuid(&self) -> &Uuid {
        &self.0
    }

    /// Appends the D form.
    pub(crate) fn push_to(self, out: &mut String) {
        out.push_str(self.0.hyphenated().encode_lower(&mut [0; 36]));
    }

    /// The D form.
    pub(crate) fn into_text(self) -> String {
        let mut text = String::with_capacity(36);
        self.push_to(&mut text);
        text
    }
}

impl FromStr for Guid {
    type Err = GuidError;
    fn from_str(text: &str) -> Result<Self, GuidError> {
        Self::parse(text)
    }
}

impl TryFrom<Uuid> for Guid {
    type Error = GuidError;
    fn try_from(value: Uuid) -> Result<Self, GuidError> {
        if value.is_nil() { Err(GuidError::AllZero) } else { Ok(Self(value)) }
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.hyphenated().encode_lower(&mut [0; 36]))
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Guid {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.hyphenated().encode_lower(&mut [0; 36]))
    }
}

impl GuidError {
    pub(crate) fn says(self) -> &'static str {
        match self {
            Self::Form => "not a GUID in the form D, N, B or P",
            Self::AllZero => "the GUID is all zero",
        }
    }
}

impl fmt::Display for GuidError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.says())
    }
}

impl std::error::Error for GuidError {}

impl fmt::Display for NoRandomSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no secure random source; derive the id from a key or bring your own")
    }
}

impl std::error::Error for NoRandomSource {}
