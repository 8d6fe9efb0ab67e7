//! The definition of a member of a record: its type, its limits and its rules; and the schema of a record.
//!
//! The table of them is in `members`, as calls of the macro [`records!`]. From each record the macro makes the Rust
//! structs, the [`Schema`] that parsing, rules and printing follow, and one [`Field`] per member, which reads that member of
//! a parsed record: `record.get(&item::QUANTITY)`.
//!
//! More than 300 lines, because each flag that a row can have is a method.

use crate::code::IssueCode;

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
    /// The type of its value.
    pub field_type: FieldType,
    /// Whether an order that is sent has it.
    pub presence: Presence,
    /// True if null means "no value".
    pub nullable: bool,
    /// True if it says something about a person (D45).
    pub personal: bool,
    /// The number of characters of a string that the point of sale displays well (D24).
    pub max_chars: Option<usize>,
    /// Reported if the string is absent or blank.
    pub(crate) blank: Option<IssueCode>,
    /// Reported if the string is present.
    pub(crate) unused: Option<IssueCode>,
    /// Reported if the list has no entries.
    pub empty: Option<IssueCode>,
    /// Reported if the decimal is zero.
    pub zero: Option<IssueCode>,
    /// Reported if the decimal is less than zero.
    pub negative: Option<IssueCode>,
    /// Reported if the decimal has more fraction digits than these; `None` are those of the currency.
    pub(crate) fraction_digits: Option<(Option<u32>, IssueCode)>,
}

/// Whether an order that is sent has a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Presence {
    /// An order without it is invalid.
    Required,
    /// It may be absent.
    Optional,
    /// The service adds it; it is never sent (§2.1, D22).
    ReadOnly,
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

impl FieldType {
    /// Returns the type of a list whose entries have this schema.
    ///
    /// Refuses, at compile time, an entry with a record or a list in it: entries are found at equal distances, which have room
    /// for the members of one record only.
    pub(crate) const fn list(entry: &'static Schema) -> Self {
        let mut fields = entry.fields;
        while let [field, rest @ ..] = fields {
            assert!(
                !matches!(field.field_type, Self::Record(_) | Self::List(_)),
                "an entry of a list has a record or a list"
            );
            fields = rest;
        }
        Self::List(entry)
    }
}

impl Field {
    pub(crate) const fn new(
        index: usize,
        name: &'static str,
        key: &'static str,
        presence: Presence,
        field_type: FieldType,
    ) -> Self {
        let (nullable, personal, max_chars) = (false, false, None);
        let (blank, unused, empty) = (None, None, None);
        let (zero, negative, fraction_digits) = (None, None, None);
        Self {
            index,
            name,
            key,
            field_type,
            presence,
            nullable,
            personal,
            max_chars,
            blank,
            unused,
            empty,
            zero,
            negative,
            fraction_digits,
        }
    }

    pub(crate) const fn nullable(mut self) -> Self {
        self.nullable = true;
        self
    }

    pub(crate) const fn personal(mut self) -> Self {
        self.personal = true;
        self
    }

    pub(crate) const fn max_chars(mut self, count: usize) -> Self {
        self.max_chars = Some(count);
        self
    }

    /// Refuses, at compile time, a row without `max_chars` before it: only a string with a limit is searched for characters.
    pub(crate) const fn blank(mut self, code: IssueCode) -> Self {
        assert!(self.max_chars.is_some(), "a member has `blank` without `max_chars` before it");
        self.blank = Some(code);
        self
    }

    pub(crate) const fn unused(mut self, code: IssueCode) -> Self {
        self.unused = Some(code);
        self
    }

    pub(crate) const fn empty(mut self, code: IssueCode) -> Self {
        self.empty = Some(code);
        self
    }

    pub(crate) const fn zero(mut self, code: IssueCode) -> Self {
        self.zero = Some(code);
        self
    }

    pub(crate) const fn negative(mut self, code: IssueCode) -> Self {
        self.negative = Some(code);
        self
    }

    pub(crate) const fn fraction_digits(mut self, limit: Option<u32>, code: IssueCode) -> Self {
        self.fraction_digits = Some((limit, code));
        self
    }

    /// Returns true if both are the same member of the same record.
    pub(crate) fn is(&self, other: &'static Self) -> bool {
        std::ptr::eq(self, other)
    }

    /// Returns true if the service adds it, so that it is never sent.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.presence == Presence::ReadOnly
    }

    /// Returns true if a number of this member is sent as it was given, a string or a number.
    pub fn keeps_form(&self) -> bool {
        matches!(self.field_type, FieldType::ValueType)
    }
}

impl Schema {
    /// Finds a member by its exact name, or by its name in any case (D26, D63).
    pub fn find(&self, name: &str, any_case: bool) -> Option<&'static Field> {
        let is_same =
            |field: &&&Field| field.name == name || any_case && is_same_in_any_case(field.name, name);
        self.fields.iter().find(is_same).copied()
    }
}

/// Returns true if a reader that ignores case takes one name for the other (D63). `known` is ASCII.
pub(crate) fn is_same_in_any_case(known: &str, name: &str) -> bool {
    // Unicode has letters outside of ASCII whose other case is in ASCII, and some readers know them. They take more bytes.
    if name.len() <= known.len() || name.is_ascii() {
        return known.eq_ignore_ascii_case(name);
    }
    let folded = name.chars().map(|letter| match letter {
        'ı' | 'İ' => 'i',
        'ſ' => 's',
        '\u{212A}' => 'k',
        other => other.to_ascii_lowercase(),
    });
    known.chars().map(|letter| letter.to_ascii_lowercase()).eq(folded)
}

/// Declares records: their Rust structs, [`Schema`]s and [`Field`]s.
///
/// Unknown members are reported in `published` records, but not in `assumed` ones, which are known only from sibling
/// operations. A `received` record is only returned by a service.
macro_rules! records {
    ($($(#[$meta:meta])* $kind:ident $($record:ident),+ = $schema:ident in $module:ident { $($members:tt)* })*) => {
        $(records! { @fields $kind $schema $module { $($members)* } })*
        $(records! { @structs $kind [$(#[$meta])*] [$($record)+] $module { $($members)* } })*

        /// Returns the documentation of each member of a record, in the order of [`Schema::fields`]. It is not a part of
        /// `Field`, so that only programs that call this contain it.
        #[must_use]
        pub fn member_docs(schema: &Schema) -> &'static [&'static str] {
            let all = [$((&$schema, $module::DOCS)),*];
            all.into_iter().find(|(known, _)| std::ptr::eq(*known, schema)).map_or(&[], |(_, docs)| docs)
        }
    };

    (@fields $kind:ident $schema:ident $module:ident { $(
        $(#[doc = $docs:literal])*
        $field:ident: $constant:ident $name:literal $presence:ident $type:ident $(($($argument:tt)*))?
            $(, $flag:ident $(($($value:expr),*))?)*;
    )* }) => {
        #[doc = concat!("The schema of the record `", stringify!($module), "`.")]
        pub static $schema: Schema = Schema {
            fields: &[$(&$module::$constant),*],
            is_published: matches!(stringify!($kind).as_bytes(), b"published" | b"received"),
        };

        #[doc = concat!("The members of the record `", stringify!($module), "`.")]
        pub(crate) mod $module {
            #[allow(unused_imports, clippy::allow_attributes, reason = "not every record has rules of its own")]
            use crate::code::IssueCode::*;
            use crate::json::key;
            use crate::order::field::{Field, FieldType, Presence, records};

            #[allow(non_camel_case_types, clippy::upper_case_acronyms, clippy::allow_attributes, reason = "the positions are named like their constants")]
            enum Position { $($constant),* }
            $(
                pub(crate) static $constant: Field = Field::new(
                    Position::$constant as usize,
                    $name,
                    key!($name),
                    records!(@presence $presence),
                    records!(@type $type $(($($argument)*))?),
                )$(.$flag($($($value),*)?))*;
            )*

            pub(super) const DOCS: &[&str] = &[$(concat!($($docs),*)),*];
        }
    };

    (@structs received [$($meta:tt)*] [$record:ident] $module:ident { $($members:tt)* }) => {
        received_record! { [$($meta)*] $record $module { $($members)* } }
    };
    (@structs $kind:ident [$($meta:tt)*] [$sent:ident $received:ident] $module:ident { $($members:tt)* }) => {
        sent_record! { [$($meta)*] $sent $module [] [] [] { $($members)* } }
        received_record! {
            [#[doc = concat!("In a response: a [`", stringify!($sent), "`] whose members may all be absent (D26).")]]
            $received $module { $($members)* }
        }
    };

    (@presence required) => { Presence::Required };
    (@presence optional) => { Presence::Optional };
    (@presence read_only) => { Presence::ReadOnly };
    (@type Guid) => { FieldType::Guid };
    (@type Integer ($min:literal to $max:literal)) => { FieldType::Integer { min: $min, max: $max } };
    (@type Boolean) => { FieldType::Boolean };
    (@type String) => { FieldType::String };
    (@type Date) => { FieldType::Date };
    (@type Decimal) => { FieldType::Decimal };
    (@type ValueType) => { FieldType::ValueType };
    (@type Record ($schema:ident $sent:ident $received:ident)) => { FieldType::Record(&super::$schema) };
    (@type List ($schema:ident $sent:ident $received:ident)) => { FieldType::list(&super::$schema) };
}
pub(crate) use records;

#[cfg(test)]
mod tests {
    use crate::code::IssueCode;
    use crate::order::{DISCOUNT, ORDER};

    use super::{Field, FieldType, Presence};

    #[test]
    #[should_panic = "an entry of a list has a record or a list"]
    fn an_entry_of_a_list_must_not_have_a_list() {
        let _ = FieldType::list(&DISCOUNT);
    }

    #[test]
    #[should_panic = "an entry of a list has a record or a list"]
    fn an_entry_of_a_list_must_not_have_a_record() {
        let _ = FieldType::list(&ORDER);
    }

    #[test]
    #[should_panic = "a member has `blank` without `max_chars` before it"]
    fn a_string_that_must_not_be_blank_needs_a_limit_of_characters() {
        let _ = Field::new(0, "Name", "", Presence::Optional, FieldType::String)
            .blank(IssueCode::ItemNameMissing);
    }
}
