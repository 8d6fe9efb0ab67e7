//! The position at which a string is not as expected.

use std::fmt;

/// The first character of a string that is not expected at its position, or the end of a string that is too short.
///
/// ```
/// use sales_order_intake::{Guid, ParseGuidError};
///
/// let error = "2a8g5d33-eec9-4864-8b49-5636577b40d5".parse::<Guid>().unwrap_err();
/// let ParseGuidError::Syntax(unexpected) = error else { panic!("{error}") };
/// assert_eq!((unexpected.character(), unexpected.position()), (Some('g'), 3));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpected {
    position: usize,
    character: Option<char>,
}

impl Unexpected {
    /// Returns the character of a string at a byte position, or the end of the string.
    pub(crate) fn at(string: &str, position: usize) -> Self {
        let character = string.get(position..).and_then(|rest| rest.chars().next());
        Self { position, character }
    }

    /// Returns the position in bytes, from 0.
    ///
    /// ```
    /// use sales_order_intake::{ParseDecimalError, parse_decimal};
    ///
    /// let Err(ParseDecimalError::Syntax(unexpected)) = parse_decimal("12.") else { panic!("a point at the end") };
    /// assert_eq!(unexpected.position(), 3);
    /// ```
    #[must_use]
    pub fn position(self) -> usize {
        self.position
    }

    /// Returns the character, or `None` at the end of the string.
    ///
    /// ```
    /// use sales_order_intake::{ParseDecimalError, parse_decimal};
    ///
    /// let Err(ParseDecimalError::Syntax(unexpected)) = parse_decimal("12,50") else { panic!("a comma") };
    /// assert_eq!(unexpected.character(), Some(','));
    /// ```
    #[must_use]
    pub fn character(self) -> Option<char> {
        self.character
    }
}

impl fmt::Display for Unexpected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.character {
            Some(character) => write!(f, "unexpected character {character:?} at byte {}", self.position),
            None => write!(f, "unexpected end at byte {}", self.position),
        }
    }
}
