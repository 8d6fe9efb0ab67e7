//! The parts of a message or hint that differ from issue to issue.

use crate::code::params::for_each_param;

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

/// Declares a function for each value that a message can have.
macro_rules! setters {
    ($(#[doc = $meaning:literal] $name:ident: $type:ty = $param_type:ident;)*) => {
        impl Details {
            $(
                #[doc = $meaning]
                pub(crate) fn $name(self, value: impl Into<$type>) -> Self {
                    self.with(stringify!($name), value.into().into())
                }
            )*
        }
    };
}

for_each_param! { setters }

impl Details {
    fn with(mut self, name: &'static str, value: Param) -> Self {
        self.params.push(name, value);
        self
    }
}
