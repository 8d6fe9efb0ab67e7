//! Bearer tokens: made here, kept only as their SHA-256 (§5).

use std::fmt;

use sha2::{Digest, Sha256};
use subtle::{Choice, ConstantTimeEq};

use crate::guid::NoRandomSource;

/// A new token in clear, to be handed to its user once.
///
/// ```
/// use sales_order_intake::service::Token;
///
/// let token = Token::new_random()?;
/// assert_eq!(token.hash().to_string().len(), 64); // what the registry holds
/// # Ok::<(), sales_order_intake::NoRandomSource>(())
/// ```
pub struct Token(String);

/// The SHA-256 of a token: a token has 256 random bits, so that nothing slower is needed to keep it from being guessed.
#[derive(Clone, Copy)]
pub struct TokenHash([u8; 32]);

impl Token {
    /// A token of 256 random bits.
    ///
    /// # Errors
    /// Where the platform has no secure random source.
    pub fn new_random() -> Result<Self, NoRandomSource> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomSource)?;
        Ok(Self(["soi_", &hex(&bytes)].concat()))
    }

    /// The token itself: for the Authorization header, never for a log.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What the registry holds of it.
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl TokenHash {
    pub(crate) fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Reads the 64 hexadecimal digits of the registry.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut hash = [0; 32];
        if text.len() != 64 {
            return None;
        }
        for (byte, digits) in hash.iter_mut().zip(text.as_bytes().chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        text.bytes().all(|digit| digit.is_ascii_hexdigit()).then_some(Self(hash))
    }

    /// Whether both are the same; it takes as long wherever they differ.
    pub(crate) fn same(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex(&self.0))
    }
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16).unwrap_or('0');
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

#[cfg(test)]
mod tests {
    use super::{Token, TokenHash};

    #[test]
    fn a_hash_is_read_as_it_is_printed() {
        let hash = Token::new_random().unwrap().hash();
        let read = TokenHash::parse(&hash.to_string().to_uppercase()).unwrap();
        assert!(bool::from(read.same(&hash)));
    }

    #[test]
    fn what_is_not_64_hexadecimal_digits_is_no_hash() {
        let with_end = |end: &str| {
            let mut digits = TokenHash::of("x").to_string();
            digits.truncate(62);
            digits + end
        };
        assert!(TokenHash::parse(&with_end("0f")).is_some());
        for end in ["", "0", "0g", "+1", "012"] {
            assert!(TokenHash::parse(&with_end(end)).is_none(), "{end}");
        }
    }

    #[test]
    fn no_two_tokens_are_the_same() {
        assert_ne!(Token::new_random().unwrap().reveal(), Token::new_random().unwrap().reveal());
    }
}
