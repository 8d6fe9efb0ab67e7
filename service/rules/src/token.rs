//! Bearer tokens. Only their SHA-256 is stored (§5).

use std::fmt;
use std::str::FromStr;

use serde::Deserialize;
use sha2::{Digest, Sha256};
use subtle::{Choice, ConditionallySelectable as _, ConstantTimeEq};

use sales_order_intake::NoRandomSource;

/// A new token in plain text, shown to its user once.
///
/// ```
/// use service_rules::token::Token;
///
/// let token = Token::new_random()?;
/// assert_eq!(token.hash().to_string().len(), 64); // the registry contains only this
/// # Ok::<(), sales_order_intake::NoRandomSource>(())
/// ```
pub struct Token(String);

/// The SHA-256 of a token. A token has 256 random bits, so a slow hash would not make it harder to guess.
#[derive(Clone, Copy, Deserialize)]
#[serde(try_from = "String")]
pub struct TokenHash([u8; 32]);

impl Token {
    /// Creates a token of 256 random bits.
    ///
    /// ```
    /// use service_rules::token::Token;
    ///
    /// assert_ne!(Token::new_random()?.reveal(), Token::new_random()?.reveal());
    /// # Ok::<(), sales_order_intake::NoRandomSource>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`NoRandomSource`] if the platform has no secure random source.
    pub fn new_random() -> Result<Self, NoRandomSource> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|_| NoRandomSource)?;
        Ok(Self(["soi_", &hex::encode(bytes)].concat()))
    }

    /// Returns the token for the Authorization header. Never log it.
    ///
    /// ```
    /// use service_rules::token::Token;
    ///
    /// assert!(Token::new_random()?.reveal().starts_with("soi_"));
    /// # Ok::<(), sales_order_intake::NoRandomSource>(())
    /// ```
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// Returns the hash for the registry.
    ///
    /// ```
    /// use service_rules::token::Token;
    ///
    /// let token: Token = "abc".parse().unwrap();
    /// assert!(token.hash().to_string().starts_with("ba7816bf"));
    /// ```
    #[must_use]
    pub fn hash(&self) -> TokenHash {
        TokenHash::of(&self.0)
    }
}

impl FromStr for Token {
    type Err = &'static str;

    /// Takes a token that somebody else created, if it has the syntax of RFC 6750: if it can follow `Bearer` in
    /// the Authorization header.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let characters = text.trim_end_matches('=');
        let is_allowed = |c: char| c.is_ascii_alphanumeric() || "-._~+/".contains(c);
        if characters.is_empty() || !characters.chars().all(is_allowed) {
            return Err("must be letters, digits and any of - . _ ~ + /, and may end in =");
        }
        Ok(Self(text.to_owned()))
    }
}

impl TokenHash {
    /// Computes the hash of a token.
    #[must_use]
    pub fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// Returns the index of this hash among others. Compares it with all of them, each in constant time.
    pub(crate) fn position_among(self, others: impl IntoIterator<Item = Self>) -> Option<usize> {
        let (mut found, mut position) = (Choice::from(0), 0);
        for (index, other) in (0_u64..).zip(others) {
            let is_equal = self.ct_eq(&other);
            position.conditional_assign(&index, is_equal);
            found |= is_equal;
        }
        if bool::from(found) { usize::try_from(position).ok() } else { None }
    }
}

impl TryFrom<String> for TokenHash {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        let expected = "must be the 64 hexadecimal digits that `sales-order-intake-server token` prints";
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).map_err(|_| expected)?;
        Ok(Self(bytes))
    }
}

impl ConstantTimeEq for TokenHash {
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
}

impl fmt::Display for TokenHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&hex::encode(self.0))
    }
}

#[cfg(test)]
mod tests {
    use super::{Token, TokenHash};
    use subtle::ConstantTimeEq as _;

    #[test]
    fn a_hash_is_parsed_as_it_is_displayed() {
        let hash = Token::new_random().unwrap().hash();
        let parsed = TokenHash::try_from(hash.to_string().to_uppercase()).unwrap();
        assert!(bool::from(parsed.ct_eq(&hash)));
    }

    #[test]
    fn a_hash_is_64_hexadecimal_digits() {
        let with_end = |end: &str| {
            let mut digits = TokenHash::of("x").to_string();
            digits.truncate(62);
            digits + end
        };
        assert!(TokenHash::try_from(with_end("0f")).is_ok());
        for end in ["", "0", "0g", "+1", "012"] {
            assert!(TokenHash::try_from(with_end(end)).is_err(), "{end}");
        }
    }

    #[test]
    fn a_token_has_the_syntax_of_the_authorization_header() {
        for text in ["a", "test-token", "soi_0~9.+/", "YQ=="] {
            assert_eq!(text.parse::<Token>().unwrap().reveal(), text);
        }
        for text in ["", "=", "a b", "a=b", "ä", "a\n"] {
            assert!(text.parse::<Token>().is_err(), "{text}");
        }
    }

    #[test]
    fn tokens_differ() {
        assert_ne!(Token::new_random().unwrap().reveal(), Token::new_random().unwrap().reveal());
    }
}
