//! GUIDs: parsed, printed, created at random or derived from a key (D1, D2).

mod error;

use std::fmt;
use std::str::FromStr;

use uuid::Uuid;

pub(crate) use error::NotAGuid;
pub use error::{DeriveGuidError, NoRandomSource, ParseGuidError};

/// A GUID that is not all zero (D1).
///
/// Parses each of the .NET forms D, N, B and P in any case. Always prints the D form: lower case with hyphens. Compares
/// by value.
///
/// ```
/// use sales_order_intake::Guid;
///
/// let id: Guid = "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}".parse()?;
/// assert_eq!(id.to_string(), "2a8f5d33-eec9-4864-8b49-5636577b40d5");
/// assert_eq!("2A8F5D33EEC948648B495636577B40D5".parse(), Ok(id));
/// # Ok::<(), sales_order_intake::ParseGuidError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Guid(Uuid);

impl Guid {
    /// Returns a new random id (version 4) from the platform's secure random source (D2).
    ///
    /// # Errors
    /// Returns [`NoRandomSource`] if there is no such source, as in a JavaScript runtime without
    /// `crypto.getRandomValues`.
    ///
    /// ```
    /// use sales_order_intake::Guid;
    ///
    /// assert_ne!(Guid::new_random()?, Guid::new_random()?);
    /// # Ok::<(), sales_order_intake::NoRandomSource>(())
    /// ```
    pub fn new_random() -> Result<Self, NoRandomSource> {
        Self::from_random_source(getrandom::fill)
    }

    /// Returns a random id from the bytes that `fill` provides.
    fn from_random_source<E>(fill: impl FnOnce(&mut [u8]) -> Result<(), E>) -> Result<Self, NoRandomSource> {
        let mut bytes = [0; 16];
        fill(&mut bytes).map_err(|_| NoRandomSource)?;
        Ok(Self(uuid::Builder::from_random_bytes(bytes).into_uuid()))
    }

    /// Returns the id derived from a namespace and the caller's own key (RFC 9562 version 5, D2).
    ///
    /// The same cart gets the same id after a crash and on another machine, so a retry cannot duplicate the order.
    ///
    /// # Errors
    /// Returns [`DeriveGuidError`] for the namespaces that RFC 9562 publishes, because two shops that use one of them would
    /// share their ids, and for an empty key, because all carts without a key would share one id.
    ///
    /// ```
    /// use sales_order_intake::{DeriveGuidError, Guid};
    ///
    /// let shop: Guid = "51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b".parse().unwrap();
    /// assert_eq!(Guid::derive(shop, "cart-1041"), Guid::derive(shop, "cart-1041"));
    /// assert_ne!(Guid::derive(shop, "cart-1041"), Guid::derive(shop, "cart-1042"));
    ///
    /// let dns: Guid = "6ba7b810-9dad-11d1-80b4-00c04fd430c8".parse().unwrap();
    /// assert_eq!(Guid::derive(dns, "cart-1041"), Err(DeriveGuidError::PublishedNamespace));
    /// ```
    pub fn derive(namespace: Self, key: &str) -> Result<Self, DeriveGuidError> {
        let published = [Uuid::NAMESPACE_DNS, Uuid::NAMESPACE_URL, Uuid::NAMESPACE_OID, Uuid::NAMESPACE_X500];
        if published.contains(&namespace.0) {
            return Err(DeriveGuidError::PublishedNamespace);
        }
        if key.is_empty() {
            return Err(DeriveGuidError::EmptyKey);
        }
        Ok(Self(Uuid::new_v5(&namespace.0, key.as_bytes())))
    }

    /// Returns the value as a [`Uuid`].
    ///
    /// ```
    /// let id: sales_order_intake::Guid = "2a8f5d33-eec9-4864-8b49-5636577b40d5".parse()?;
    /// assert_eq!(id.as_uuid().get_version_num(), 4);
    /// # Ok::<(), sales_order_intake::ParseGuidError>(())
    /// ```
    #[must_use]
    pub fn as_uuid(&self) -> &Uuid {
        &self.0
    }

    /// Parses a GUID, without searching for what is wrong.
    pub(crate) fn read(string: &str) -> Result<Self, NotAGuid> {
        let bytes = string.as_bytes();
        let inner = match (bytes.first(), bytes.last(), bytes.len()) {
            (Some(b'{'), Some(b'}'), 38) | (Some(b'('), Some(b')'), 38) => bytes.get(1..37),
            (_, _, 36 | 32) => Some(bytes),
            _ => None,
        };
        // `uuid` parses more forms, but only the hyphenated and the simple one have these lengths.
        let uuid = inner.and_then(|inner| Uuid::try_parse_ascii(inner).ok()).ok_or(NotAGuid::Syntax)?;
        if uuid.is_nil() { Err(NotAGuid::AllZero) } else { Ok(Self(uuid)) }
    }

    /// Appends the D form.
    pub(crate) fn push_to(self, out: &mut String) {
        self.with_str(|form| out.push_str(form));
    }

    /// Returns the D form. Unlike `to_string`, adds no formatting code to the WebAssembly module.
    pub(crate) fn into_string(self) -> String {
        self.with_str(str::to_owned)
    }

    /// Passes the D form to `use_form`.
    fn with_str<T>(self, use_form: impl FnOnce(&str) -> T) -> T {
        use_form(self.0.hyphenated().encode_lower(&mut [0; 36]))
    }
}

impl FromStr for Guid {
    type Err = ParseGuidError;

    fn from_str(string: &str) -> Result<Self, ParseGuidError> {
        Self::read(string).map_err(|reason| ParseGuidError::new(reason, string))
    }
}

impl TryFrom<Uuid> for Guid {
    type Error = ParseGuidError;

    /// Returns [`ParseGuidError::AllZero`] for the nil UUID.
    fn try_from(value: Uuid) -> Result<Self, ParseGuidError> {
        if value.is_nil() { Err(ParseGuidError::AllZero) } else { Ok(Self(value)) }
    }
}

impl From<Guid> for Uuid {
    fn from(guid: Guid) -> Self {
        guid.0
    }
}

impl fmt::Display for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.with_str(|form| f.pad(form))
    }
}

impl fmt::Debug for Guid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failing_random_source_is_reported() {
        let mut was_asked = false;
        let guid = Guid::from_random_source(|_| {
            was_asked = true;
            Err(())
        });
        assert_eq!(guid, Err(NoRandomSource));
        assert!(was_asked);
    }

    #[test]
    fn a_random_id_has_version_4_and_the_random_bits_of_the_source() {
        let guid = Guid::from_random_source(|bytes| {
            bytes.fill(0xFF);
            Ok::<(), ()>(())
        });
        assert_eq!(guid.map(Guid::into_string).as_deref(), Ok("ffffffff-ffff-4fff-bfff-ffffffffffff"));
    }
}
