//! The Rust structs of a record, from its row of the table in [`crate::order`].

/// Declares the struct of a record that is sent: required members are not optional, read-only ones are left out.
///
/// Sorts the members into all, required and optional ones, one by one, then declares the struct.
macro_rules! sent_record {
    ([$($meta:tt)*] $record:ident $module:ident [$($all:tt)*] [$($required:tt)*] [$($optional:tt)*] {
        $(#[$doc:meta])* $field:ident: $constant:ident $name:literal required $type:ident $(($($argument:tt)*))?
            $(, $flag:ident $(($($value:expr),*))?)*;
        $($rest:tt)*
    }) => {
        sent_record! {
            [$($meta)*] $record $module
            [$($all)* { [$(#[$doc])*] $field $constant [member_type!(sent $type $(($($argument)*))?)] }]
            [$($required)* { $field $constant [member_type!(sent $type $(($($argument)*))?)] }]
            [$($optional)*]
            { $($rest)* }
        }
    };
    ([$($meta:tt)*] $record:ident $module:ident [$($all:tt)*] [$($required:tt)*] [$($optional:tt)*] {
        $(#[$doc:meta])* $field:ident: $constant:ident $name:literal optional $type:ident $(($($argument:tt)*))?
            $(, $flag:ident $(($($value:expr),*))?)*;
        $($rest:tt)*
    }) => {
        sent_record! {
            [$($meta)*] $record $module
            [$($all)* { [$(#[$doc])*] $field $constant [Option<member_type!(sent $type $(($($argument)*))?)>] }]
            [$($required)*]
            [$($optional)* { $field $constant }]
            { $($rest)* }
        }
    };
    ([$($meta:tt)*] $record:ident $module:ident [$($all:tt)*] [$($required:tt)*] [$($optional:tt)*] {
        $(#[$doc:meta])* $field:ident: $constant:ident $name:literal read_only $type:ident $(($($argument:tt)*))?
            $(, $flag:ident $(($($value:expr),*))?)*;
        $($rest:tt)*
    }) => {
        sent_record! { [$($meta)*] $record $module [$($all)*] [$($required)*] [$($optional)*] { $($rest)* } }
    };
    (
        [$($meta:tt)*] $record:ident $module:ident
        [$({ [$($doc:tt)*] $field:ident $constant:ident [$($type:tt)*] })*]
        [$({ $required:ident $required_constant:ident [$($required_type:tt)*] })*]
        [$({ $optional:ident $optional_constant:ident })*]
        {}
    ) => {
        $($meta)*
        #[derive(Clone, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $record {
            $($($doc)* pub $field: $($type)*,)*
            /// Members that the specification does not have, and those that were passed through unread, unchanged.
            pub other: OtherMembers,
        }

        impl $record {
            /// Returns a record with its required members; the others are absent, and can be set.
            ///
            /// ```
            #[doc = concat!("use sales_order_intake::{", stringify!($record), ", parse_decimal};")]
            ///
            #[doc = concat!("let record = ", stringify!($record), "::new(")]
            $(#[doc = concat!("    ", example!($($required_type)*), ", // ", stringify!($required))])*
            /// );
            /// assert!(record.other.is_empty());
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[must_use]
            #[allow(clippy::new_without_default, clippy::allow_attributes, reason = "not every record has required members")]
            pub fn new($($required: $($required_type)*),*) -> Self {
                Self { $($required,)* $($optional: None,)* other: OtherMembers::new() }
            }

            /// Returns the record as JSON: absent members are left out, decimals are numbers with all their digits.
            ///
            /// ```
            #[doc = concat!("# use sales_order_intake::{Json, ", stringify!($record), ", parse_decimal};")]
            #[doc = concat!("# let mut record = ", stringify!($record), "::new(", $(example!($($required_type)*), ",",)* ");")]
            /// record.other.insert("Gift".to_owned(), Json::parse("true")?);
            /// assert!(record.to_json().ends_with(r#""Gift":true}"#));
            /// # Ok::<(), Box<dyn std::error::Error>>(())
            /// ```
            #[must_use]
            pub fn to_json(&self) -> String {
                number_json(self)
            }
        }

        impl FromRecord for $record {
            fn from_record(record: Record<'_, '_>) -> Option<Self> {
                Some(Self {
                    $($required: FromMember::from_member(record, &$module::$required_constant)?,)*
                    $($optional: FromMember::from_member(record, &$module::$optional_constant),)*
                    other: other_members(record),
                })
            }
        }

        record_traits! { $record $module $($field $constant)* }
    };
}

/// Declares the struct of a record that a service returned: every member is optional.
macro_rules! received_record {
    ([$($meta:tt)*] $record:ident $module:ident { $(
        $(#[$doc:meta])* $field:ident: $constant:ident $name:literal $presence:ident $type:ident $(($($argument:tt)*))?
            $(, $flag:ident $(($($value:expr),*))?)*;
    )* }) => {
        $($meta)*
        #[derive(Clone, Default, PartialEq, Eq)]
        #[non_exhaustive]
        pub struct $record {
            $($(#[$doc])* pub $field: Option<member_type!(received $type $(($($argument)*))?)>,)*
            /// Members that the specification does not have, unchanged.
            pub other: OtherMembers,
        }

        impl $record {
            /// Returns the record as JSON: absent members are left out, decimals are numbers with all their digits.
            ///
            /// ```
            #[doc = concat!("use sales_order_intake::", stringify!($record), ";")]
            ///
            #[doc = concat!("assert_eq!(", stringify!($record), "::default().to_json(), \"{}\");")]
            /// ```
            #[must_use]
            pub fn to_json(&self) -> String {
                number_json(self)
            }
        }

        impl FromRecord for $record {
            fn from_record(record: Record<'_, '_>) -> Option<Self> {
                Some(Self {
                    $($field: FromMember::from_member(record, &$module::$constant),)*
                    other: other_members(record),
                })
            }
        }

        record_traits! { $record $module $($field $constant)* }
    };
}

/// Implements the traits that sent and received structs share.
macro_rules! record_traits {
    ($record:ident $module:ident $($field:ident $constant:ident)*) => {
        impl ToJson for $record {
            fn write(&self, out: &mut Writer) {
                out.begin_object();
                $(self.$field.write_member($module::$constant.key, out);)*
                for (name, value) in &self.other {
                    out.key_of(name).raw(value.as_str());
                }
                out.end_object();
            }
        }

        impl fmt::Debug for $record {
            /// Prints no personal data (D45), and of other members only the names.
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut out = f.debug_struct(stringify!($record));
                $(out.field(stringify!($field), personal(&$module::$constant, &self.$field));)*
                out.field("other", &self.other.keys()).finish()
            }
        }

        #[cfg(feature = "serde")]
        impl serde::Serialize for $record {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                $crate::json::serialize_raw(self.to_json(), serializer)
            }
        }
    };
}

/// Expands the type of a member to that of Rust, in an order that is sent or in one that a service returned.
macro_rules! member_type {
    ($role:ident Guid) => { Guid };
    ($role:ident Integer ($min:literal to $max:literal)) => { u32 };
    ($role:ident Boolean) => { bool };
    ($role:ident String) => { String };
    ($role:ident Date) => { String };
    ($role:ident Decimal) => { Decimal };
    ($role:ident ValueType) => { ValueType };
    (sent Record ($schema:ident $sent:ident $received:ident)) => { $sent };
    (received Record ($schema:ident $sent:ident $received:ident)) => { $received };
    (sent List ($schema:ident $sent:ident $received:ident)) => { Vec<$sent> };
    (received List ($schema:ident $sent:ident $received:ident)) => { Vec<Option<$received>> };
}

/// Expands the type of a required member to a value of it, for examples in the documentation.
macro_rules! example {
    (member_type!(sent Guid)) => {
        r#""8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b".parse()?"#
    };
    (member_type!(sent Integer $range:tt)) => {
        "1501"
    };
    (member_type!(sent Decimal)) => {
        r#"parse_decimal("12.50")?"#
    };
    (member_type!(sent ValueType)) => {
        "1.into()"
    };
    (member_type!(sent List $list:tt)) => {
        "Vec::new()"
    };
}

pub(super) use {example, member_type, received_record, record_traits, sent_record};
