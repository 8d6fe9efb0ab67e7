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

impl Details {
    pub(crate) fn limit(limit: usize) -> Self {
        Self::default().param("limit", limit)
    }

    /// Adds a value under a name.
    pub(crate) fn param(self, name: &'static str, value: impl Into<Param>) -> Self {
        self.with(name, value.into())
    }

    fn with(mut self, name: &'static str, value: Param) -> Self {
        self.params.0.push((name, value));
        self
    }
}
