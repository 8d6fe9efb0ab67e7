//! The values that the messages of codes have.

/// A value that the message of a code has.
#[derive(Clone, Copy)]
pub struct KnownParam {
    /// Its name.
    pub name: &'static str,
    /// Its type.
    pub param_type: ParamType,
}

/// The type of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParamType {
    /// A number, such as a limit.
    Number,
    /// A text, such as the name of a member.
    Text,
}

/// Passes each value that a message can have to a macro: its meaning, its name, and its type. The table of codes says which codes
/// have it.
macro_rules! for_each_param {
    ($declare:ident) => {
        $declare! {
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
    };
}
pub(crate) use for_each_param;

macro_rules! params {
    ($(#[doc = $meaning:literal] $name:ident: $type:ty = $param_type:ident;)*) => {
        /// Each value with its name, its type and its meaning.
        pub const PARAMS: &[(&str, ParamType, &str)] =
            &[$((stringify!($name), ParamType::$param_type, $meaning)),*];

        /// Each value as the table of codes names it, without its meaning, which the WebAssembly module does not need.
        pub(super) mod known {
            use super::{KnownParam, ParamType};

            $(
                pub(in crate::code) const fn $name() -> KnownParam {
                    KnownParam { name: stringify!($name), param_type: ParamType::$param_type }
                }
            )*
        }
    };
}

for_each_param! { params }
