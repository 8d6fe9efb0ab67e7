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

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
    /// [`Param::Number`].
    Number,
    /// [`Param::Text`].
    Text,
}

/// A value that the message of a code has.
#[derive(Clone, Copy)]
pub struct KnownParam {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub param_type: ParamType,
}

/// Declares a function for each value that a message can have: its meaning, its name, which is that of the function, and its
/// type. The table of codes says which codes have it.
macro_rules! params {
    ($(#[doc = $meaning:literal] $name:ident: $type:ty = $param_type:ident;)*) => {
        impl Details {
            $(
                #[doc = $meaning]
                pub(crate) fn $name(self, value: impl Into<$type>) -> Self {
                    self.with(stringify!($name), value.into().into())
                }
            )*
        }

        /// Each value with its name, its type and its meaning.
        pub const PARAMS: &[(&str, ParamType, &str)] =
            &[$((stringify!($name), ParamType::$param_type, $meaning)),*];

        /// Each value as the table of codes names it, without its meaning, which the WebAssembly module does not need.
        pub(crate) mod known {
            use super::{KnownParam, ParamType};

            $(
                pub(crate) const fn $name() -> KnownParam {
                    KnownParam { name: stringify!($name), param_type: ParamType::$param_type }
                }
            )*
        }
    };
}

params! {
    /// The highest number that is allowed: of bytes, entries, members, levels, issues, digits or characters.
    limit: usize = Number;
    /// The length of the string, in characters.
    length: usize = Number;
    /// The lowest value that is allowed.
    min: usize = Number;
    /// The highest value that is allowed.
    max: usize = Number;
    /// The name of the member that was probably meant.
    suggestion: &'static str = Text;
    /// The name of the member that is present instead, or besides.
    found: String = Text;
    /// The line, from 1.
    line: usize = Number;
    /// The column in characters, from 1.
    column: usize = Number;
}

impl Details {
    fn with(mut self, name: &'static str, value: Param) -> Self {
        self.params.push(name, value);
        self
    }
}
