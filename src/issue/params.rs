//! The values in the message of an issue, so that a program can write the message in another language.

use std::borrow::Cow;

use crate::json::{ToJson, Writer, serialize_as_json};

/// The values in the message of an issue, by name: the table of [codes](crate::code) lists the names for each code.
///
/// ```
/// use sales_order_intake::{Param, RuleOptions, validate_order};
///
/// let issues = validate_order(r#"{ "CompanyId": 0 }"#, &RuleOptions::default()).issues;
/// assert_eq!(issues[1].params.get("min"), Some(&Param::Number(1)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(pub(super) Vec<(&'static str, Param)>);

/// One value in the message of an issue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Param {
    /// A number, such as a limit.
    Number(usize),
    /// A text, such as the name of the member that was probably meant.
    Text(Cow<'static, str>),
}

impl Params {
    /// Adds a value.
    // Inlined for every value, it takes 400 bytes more of the WebAssembly module.
    #[inline(never)]
    pub(crate) fn push(&mut self, name: &'static str, value: Param) {
        self.0.push((name, value));
    }

    /// Returns the value of a name, `None` if the message has no such value.
    ///
    /// ```
    /// use sales_order_intake::{Param, Params};
    ///
    /// assert_eq!(Params::default().get("min"), None::<&Param>);
    /// ```
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Param> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// Returns all names with their values.
    ///
    /// ```
    /// use sales_order_intake::{RuleOptions, validate_order};
    ///
    /// let issues = validate_order(r#"{ "CompanyId": 0 }"#, &RuleOptions::default()).issues;
    /// assert_eq!(issues[1].params.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["min", "max"]);
    /// ```
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &Param)> {
        self.0.iter().map(|(name, value)| (*name, value))
    }
}

impl From<usize> for Param {
    fn from(number: usize) -> Self {
        Self::Number(number)
    }
}

impl From<&'static str> for Param {
    fn from(text: &'static str) -> Self {
        Self::Text(Cow::Borrowed(text))
    }
}

impl From<String> for Param {
    fn from(text: String) -> Self {
        Self::Text(Cow::Owned(text))
    }
}

serialize_as_json! { Params }
serialize_as_json! { Param }

impl ToJson for Params {
    fn write(&self, out: &mut Writer) {
        out.begin_object();
        for (name, value) in self.iter() {
            value.write(out.key_of(name));
        }
        out.end_object();
    }
}

impl ToJson for Param {
    fn write(&self, out: &mut Writer) {
        match self {
            Self::Number(number) => out.integer(*number),
            Self::Text(text) => out.string(text),
        }
    }
}
