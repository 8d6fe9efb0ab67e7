//! Why a value can't be an option.

use std::fmt;

/// The reason why a value can't be an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidOption {
    /// A currency has 0 to 4 fraction digits.
    Scale,
    /// A tax rate is not negative.
    NegativeRate,
    /// The ValueTypes of an amount and of a percentage differ.
    SameValueTypes,
}

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scale => "the scale must be from 0 to 4",
            Self::NegativeRate => "a tax rate must not be negative",
            Self::SameValueTypes => "the ValueTypes of amounts and percentages must differ",
        })
    }
}

impl std::error::Error for InvalidOption {}
