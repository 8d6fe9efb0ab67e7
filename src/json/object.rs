//! Structs that are written as JSON objects: each member is declared once, with its field.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::closed_set::Named;
use crate::guid::Guid;

use super::Writer;

/// A value that can be written as JSON.
pub trait ToJson {
    /// Writes the value.
    fn write(&self, out: &mut Writer);
}

/// A struct whose members can also be written into another object.
pub trait ToMembers {
    /// Writes the members, of an object that the caller has begun.
    fn write_members(&self, out: &mut Writer);
}

/// Declares a struct with its JSON members: `field: Type => "name"`.
///
/// `None` is written as null, or omitted if the member is `optional`. `flat` writes the members of the field's own struct.
/// serde serializes the same members.
macro_rules! json_struct {
    ($(#[$meta:meta])* pub struct $name:ident {
        $($(#[$field_meta:meta])* pub $field:ident: $type:ty => $key:tt $($how:ident)?,)*
    }) => {
        $(#[$meta])*
        pub struct $name { $($(#[$field_meta])* pub $field: $type,)* }

        $crate::json::serialize_as_json! { $name }

        impl $crate::json::ToMembers for $name {
            fn write_members(&self, out: &mut $crate::json::Writer) {
                $(json_struct!(@write self $field out $key $($how)?);)*
            }
        }

        impl $crate::json::ToJson for $name {
            fn write(&self, out: &mut $crate::json::Writer) {
                out.begin_object();
                $crate::json::ToMembers::write_members(self, out);
                out.end_object();
            }
        }
    };
    (@write $self:ident $field:ident $out:ident flat) => {
        $crate::json::ToMembers::write_members(&$self.$field, $out)
    };
    (@write $self:ident $field:ident $out:ident $key:literal optional) => {
        if let Some(value) = &$self.$field {
            $crate::json::ToJson::write(value, $out.key($crate::json::key!($key)));
        }
    };
    (@write $self:ident $field:ident $out:ident $key:literal) => {
        $crate::json::ToJson::write(&$self.$field, $out.key($crate::json::key!($key)))
    };
}
pub(crate) use json_struct;

/// Implements `Serialize` with the JSON that [`ToJson`] writes, with decimals as strings.
macro_rules! serialize_as_json {
    ($name:ident) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut out = $crate::json::Writer::new($crate::json::DecimalForm::String);
                $crate::json::ToJson::write(self, &mut out);
                $crate::json::serialize_values(&out.into_string(), serializer)
            }
        }
    };
}
pub(crate) use serialize_as_json;

impl<T: ToJson> ToJson for Option<T> {
    fn write(&self, out: &mut Writer) {
        match self {
            Some(value) => value.write(out),
            None => out.raw("null"),
        }
    }
}

impl<T: ToJson> ToJson for Vec<T> {
    fn write(&self, out: &mut Writer) {
        out.begin_array();
        self.iter().for_each(|value| value.write(out));
        out.end_array();
    }
}

impl<T: Named> ToJson for T {
    fn write(&self, out: &mut Writer) {
        out.unescaped(self.name());
    }
}

impl ToJson for bool {
    fn write(&self, out: &mut Writer) {
        out.raw(if *self { "true" } else { "false" });
    }
}

impl ToJson for usize {
    fn write(&self, out: &mut Writer) {
        out.integer(*self);
    }
}

impl ToJson for u32 {
    fn write(&self, out: &mut Writer) {
        out.integer(*self as usize);
    }
}

impl ToJson for Decimal {
    fn write(&self, out: &mut Writer) {
        out.decimal(self);
    }
}

impl ToJson for Guid {
    fn write(&self, out: &mut Writer) {
        out.guid(*self);
    }
}

impl ToJson for String {
    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl ToJson for &str {
    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}

impl ToJson for Cow<'_, str> {
    fn write(&self, out: &mut Writer) {
        out.string(self);
    }
}
