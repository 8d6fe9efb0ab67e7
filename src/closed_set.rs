//! Enums whose values have fixed names: each name is declared once, next to its variant.

use std::fmt;

/// No value of a closed set has the given name.
///
/// ```
/// use sales_order_intake::Rounding;
///
/// let error = "half_up".parse::<Rounding>().unwrap_err();
/// assert_eq!(error.to_string(), r#"unknown name "half_up", must be one of half-up, half-even, half-down"#);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownName {
    name: String,
    known: &'static [&'static str],
}

impl UnknownName {
    pub(crate) fn new(name: impl Into<String>, known: &'static [&'static str]) -> Self {
        Self { name: name.into(), known }
    }

    /// Returns the name that is unknown.
    ///
    /// ```
    /// let error = "v1".parse::<sales_order_intake::Version>().unwrap_err();
    /// assert_eq!(error.name(), "v1");
    /// ```
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns all known names.
    ///
    /// ```
    /// let error = "v1".parse::<sales_order_intake::Version>().unwrap_err();
    /// assert_eq!(error.known(), ["v2", "v3"]);
    /// ```
    #[must_use]
    pub fn known(&self) -> &'static [&'static str] {
        self.known
    }
}

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown name {:?}, must be one of {}", self.name, self.known.join(", "))
    }
}

impl std::error::Error for UnknownName {}

/// A value with a fixed name.
pub(crate) trait Named {
    fn name(&self) -> &'static str;
}

/// Returns the value that has a name.
pub(crate) fn find<T: Named + Copy>(values: &[T], name: &str) -> Option<T> {
    values.iter().find(|value| value.name() == name).copied()
}

/// Declares an enum with `ALL`, `as_str`, `FromStr` and `Display` by name; with serde also `Serialize` and `Deserialize`.
macro_rules! closed_set {
    ($(#[$meta:meta])* pub enum $name:ident { $($(#[$variant_meta:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$meta])*
        pub enum $name { $($(#[$variant_meta])* $variant,)* }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &[Self] = &[$(Self::$variant),*];

            /// The names of all values, in the same order.
            pub const NAMES: &[&str] = &[$($text),*];

            /// Returns the name of the value in options and results.
            ///
            /// ```
            #[doc = concat!("use sales_order_intake::", stringify!($name), ";")]
            ///
            #[doc = concat!("for value in ", stringify!($name), "::ALL {")]
            ///     assert_eq!(value.as_str().parse(), Ok(*value));
            /// }
            /// ```
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text,)* }
            }
        }

        impl std::str::FromStr for $name {
            type Err = $crate::closed_set::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let unknown = || $crate::closed_set::UnknownName::new(name, Self::NAMES);
                $crate::closed_set::find(Self::ALL, name).ok_or_else(unknown)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::closed_set::Named for $name {
            fn name(&self) -> &'static str {
                self.as_str()
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(serde::de::Error::custom)
            }
        }
    };
}
pub(crate) use closed_set;
