//! The values in the message of an issue, so that a program can write the message in another language.

use std::borrow::Cow;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use crate::json::{ToJson, Writer};

/// The values in the message of an issue, by name: `limit`, `length`, `min`, `max`, `suggestion`, `found`, `expected`,
/// `line`, `column`.
///
/// ```
/// use sales_order_intake::{Param, RuleOptions, validate_order};
///
/// let issues = validate_order(r#"{ "CompanyId": 0 }"#, &RuleOptions::default()).issues;
/// let params = issues[0].params.as_ref().unwrap();
/// assert_eq!(params.get("min"), Some(&Param::Number(1)));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(pub(super) Vec<(&'static str, Param)>);

/// One value in the message of an issue.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Param {
    /// A number, such as a limit.
    Number(usize),
    /// A text, such as the name of the member that was probably meant.
    Text(Cow<'static, str>),
}

impl Params {
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
    /// let params = issues[0].params.as_ref().unwrap();
    /// assert_eq!(params.iter().map(|(name, _)| name).collect::<Vec<_>>(), ["min", "max"]);
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

impl Serialize for Params {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        self.iter().try_for_each(|(name, value)| map.serialize_entry(name, value))?;
        map.end()
    }
}

impl ToJson for Params {
    fn write(&self, out: &mut Writer) {
        out.begin_object();
        for (name, value) in self.iter() {
            let out = out.key_of(name);
            match value {
                Param::Number(number) => out.integer(*number),
                Param::Text(text) => out.string(text),
            }
        }
        out.end_object();
    }
}
