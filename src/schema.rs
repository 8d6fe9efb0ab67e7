//! The schema of each record: its members with their types and limits.
//!
//! The table itself is in [`crate::order`], as calls of the macro [`records!`]. From each record the macro makes the Rust
//! struct, the [`Schema`] that parsing, rules and printing follow, and one [`Field`] per member, which reads that member of
//! a parsed record: `record.get(&item::QUANTITY)`.

/// The members of one record.
pub struct Schema {
    /// In the order of the specification.
    pub fields: &'static [&'static Field],
    /// False if the members are not specified but known from sibling operations. Unknown members are then sent without
    /// a warning (D10, D13).
    pub is_published: bool,
}

/// One member of a record.
#[derive(Clone, Copy)]
pub struct Field {
    /// The position in [`Schema::fields`].
    pub index: usize,
    /// The name, as JSON has it.
    pub name: &'static str,
    /// The name as a JSON key, with quotes and colon.
    pub key: &'static str,
    /// What it may hold.
    pub field_type: FieldType,
    /// True if null means "no value".
    pub nullable: bool,
    /// Filled by the service, never sent (§2.1, D22).
    pub read_only: bool,
    /// The number of characters of a string that the point of sale displays well (D24).
    pub max_chars: Option<usize>,
    /// The documentation, from which that of the TypeScript types is generated.
    #[cfg(test)]
    pub docs: &'static str,
}

/// The type of a member.
#[derive(Clone, Copy)]
pub enum FieldType {
    /// A GUID in any of the .NET forms (D1).
    Guid,
    /// An integer from a minimum to a maximum (D4).
    Integer {
        /// The lowest value.
        min: u32,
        /// The highest value.
        max: u32,
    },
    /// True or false.
    Boolean,
    /// A string.
    String,
    /// An ISO 8601 date and time (D41).
    Date,
    /// A 96-bit decimal (D8).
    Decimal,
    /// A number or a string, sent unchanged (D14).
    ValueType,
    /// A record.
    Record(&'static Schema),
    /// A list of records.
    List(&'static Schema),
}

impl Field {
    pub(crate) const fn new(
        index: usize,
        name: &'static str,
        key: &'static str,
        field_type: FieldType,
    ) -> Self {
        Self {
            index,
            name,
            key,
            field_type,
            nullable: false,
            read_only: false,
            max_chars: None,
            #[cfg(test)]
            docs: "",
        }
    }

    #[cfg(test)]
    pub(crate) const fn docs(mut self, docs: &'static str) -> Self {
        self.docs = docs;
        self
    }

    pub(crate) const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    pub(crate) const fn read_only(mut self) -> Self {
        self.read_only = true;
        self
    }

    pub(crate) const fn max_chars(mut self, count: usize) -> Self {
        self.max_chars = Some(count);
        self
    }

    /// Returns true if a number of this member is sent as it was given, a string or a number.
    pub fn keeps_form(&self) -> bool {
        matches!(self.field_type, FieldType::ValueType)
    }
}

impl Schema {
    /// Finds a member by its exact name, or by its name in any case (D26). Looks at position `likely` first: members
    /// mostly come in the order of the specification.
    pub fn find(&self, name: &str, any_case: bool, likely: usize) -> Option<&'static Field> {
        let is_same =
            |field: &&&Field| field.name == name || any_case && field.name.eq_ignore_ascii_case(name);
        self.fields.get(likely).filter(is_same).or_else(|| self.fields.iter().find(is_same)).copied()
    }
}

/// Declares records: their Rust structs, [`Schema`]s and [`Field`]s.
///
/// Unknown members are reported in `published` records, but not in `assumed` ones, which are known only from sibling
/// operations.
macro_rules! records {
    ($(
        $(#[$meta:meta])*
        $visibility:ident $record:ident = $schema:ident in $module:ident {
            $(
                $(#[doc = $docs:literal])*
                $field:ident: $constant:ident $name:literal $field_type:ident $(($($argument:tt)*))? $(, $flag:ident $(($value:expr))?)*;
            )*
        }
    )*) => {$(
        $(#[$meta])*
        #[derive(Clone, Debug, Default)]
        pub struct $record {
            $($(#[doc = $docs])* pub $field: records!(@rust $field_type $(($($argument)*))?),)*
            /// Members that the specification does not have, unchanged.
            pub other: OtherMembers,
        }

        #[doc = concat!("The schema of [`", stringify!($record), "`].")]
        pub static $schema: Schema = Schema {
            fields: &[$(&$module::$constant),*],
            is_published: records!(@published $visibility),
        };

        #[doc = concat!("The members of [`", stringify!($record), "`](super::", stringify!($record), ").")]
        pub(crate) mod $module {
            #[allow(unused_imports, clippy::allow_attributes, reason = "not every record refers to another")]
            use super::*;
            use crate::json::key;
            use crate::schema::{Field, FieldType};

            #[allow(non_camel_case_types, clippy::upper_case_acronyms, clippy::allow_attributes, reason = "the positions are named like their constants")]
            enum Position { $($constant),* }
            $(
                pub(crate) static $constant: Field = {
                    let field = Field::new(
                        Position::$constant as usize,
                        $name,
                        key!($name),
                        records!(@field $field_type $(($($argument)*))?),
                    )$(.$flag($($value)?))*;
                    #[cfg(test)]
                    let field = field.docs(concat!($($docs),*));
                    field
                };
            )*
        }

        impl FromRecord for $record {
            fn from_record(record: Record<'_, '_>) -> Self {
                Self {
                    $($field: FromMember::from_member(record, &$module::$constant),)*
                    other: other_members(record),
                }
            }
        }

        impl WriteValue for $record {
            fn write(&self, out: &mut Writer) {
                out.begin_object();
                $(self.$field.write_member($module::$constant.key, out);)*
                for (name, value) in &self.other {
                    out.key_of(name).raw(value.get());
                }
                out.end_object();
            }
        }

        impl serde::Serialize for $record {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serialize_record(self, serializer)
            }
        }
    )*};
    (@published published) => { true };
    (@published assumed) => { false };
    (@field Guid) => { FieldType::Guid };
    (@field Integer ($min:literal to $max:literal)) => { FieldType::Integer { min: $min, max: $max } };
    (@field Boolean) => { FieldType::Boolean };
    (@field String) => { FieldType::String };
    (@field Date) => { FieldType::Date };
    (@field Decimal) => { FieldType::Decimal };
    (@field ValueType) => { FieldType::ValueType };
    (@field Record ($schema:ident $record:ident)) => { FieldType::Record(&super::$schema) };
    (@field List ($schema:ident $record:ident)) => { FieldType::List(&super::$schema) };
    (@field OptionalList ($schema:ident $record:ident)) => { FieldType::List(&super::$schema) };
    (@rust Guid) => { Option<Guid> };
    (@rust Integer ($min:literal to $max:literal)) => { Option<u32> };
    (@rust Boolean) => { Option<bool> };
    (@rust String) => { Option<String> };
    (@rust Date) => { Option<String> };
    (@rust Decimal) => { Option<Decimal> };
    (@rust ValueType) => { Option<ValueType> };
    (@rust Record ($schema:ident $record:ident)) => { Option<$record> };
    (@rust List ($schema:ident $record:ident)) => { Vec<$record> };
    (@rust OptionalList ($schema:ident $record:ident)) => { Option<Vec<$record>> };
    }
pub(crate) use records;

#[cfg(test)]
mod tests;
