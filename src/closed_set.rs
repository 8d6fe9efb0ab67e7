//! Enums whose values have fixed names: each name is declared once, next to its variant.

use std::fmt;

/// Reports that no value of a closed set has the given name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownName;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown name")
    }
}

impl std::error::Error for UnknownName {}

/// A value with a fixed name.
pub(crate) trait Named {
    fn name(&self) -> &'static str;
}

/// Declares an enum with `ALL`, `as_str`, `FromStr`, `Display`, `Serialize` and `Deserialize` by name.
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
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let index = Self::NAMES.iter().position(|known| *known == name);
                index.and_then(|index| Self::ALL.get(index)).copied().ok_or($crate::UnknownName)
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

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let name = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                name.parse().map_err(|_| {
                    serde::de::Error::custom(["must be one of ", &Self::NAMES.join(", ")].concat())
                })
            }
        }
    };
}
pub(crate) use closed_set;
