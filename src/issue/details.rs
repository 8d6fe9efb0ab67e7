//! The parts of a message or hint that differ from issue to issue.

use super::params::{Param, Params};

/// The parts of a message or hint that differ from issue to issue.
#[derive(Clone, Default)]
pub(crate) struct Details {
    /// Replaces the hint of the code.
    pub(crate) hint: Option<String>,
    /// Follows the message after a colon.
    pub(crate) detail: Option<String>,
    /// The values for placeholders such as `{limit}` in message and hint of the code, and further ones for messages in
    /// other languages.
    pub(crate) params: Params,
}

/// Declares a function for each value that a message can have: its meaning, its name, which is that of the function, and its
/// type. The table of codes says which codes have it.
macro_rules! params {
    ($(#[doc = $meaning:literal] $name:ident: $type:ty = $typescript:literal;)*) => {
        impl Details {
            $(
                #[doc = $meaning]
                pub(crate) fn $name(self, value: impl Into<$type>) -> Self {
                    self.with(stringify!($name), value.into().into())
                }
            )*
        }

        /// Each value with its name, its type in TypeScript and its meaning.
        #[cfg(test)]
        pub(crate) const PARAMS: &[(&str, &str, &str)] =
            &[$((stringify!($name), $typescript, $meaning)),*];
    };
}

params! {
    /// The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters.
    limit: usize = "number";
    /// The length of the string, in characters.
    length: usize = "number";
    /// The lowest value that is allowed.
    min: usize = "number";
    /// The highest value that is allowed.
    max: usize = "number";
    /// The name of the member that was probably meant.
    suggestion: &'static str = "string";
    /// The name of the member that is present instead.
    found: String = "string";
    /// The line, from 1.
    line: usize = "number";
    /// The column in characters, from 1.
    column: usize = "number";
}

impl Details {
    fn with(mut self, name: &'static str, value: Param) -> Self {
        self.params.0.push((name, value));
        self
    }
}
