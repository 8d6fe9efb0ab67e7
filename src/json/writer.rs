//! A writer of JSON without whitespace.

use rust_decimal::Decimal;

use crate::decimal::{push_integer, push_plain};
use crate::guid::Guid;

/// Expands a name to its key: the name in quotes, and a colon. The name must need no escapes.
macro_rules! key {
    ($name:literal) => {
        concat!("\"", $name, "\":")
    };
}
pub(crate) use key;

impl Writer {
    /// Appends to the string that is being written, with escapes.
    fn push_escaped(&mut self, piece: &str) {
        let mut rest = piece;
        loop {
            let special = rest.bytes().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\'));
            let Some(index) = special else { break };
            let (unescaped, escaped) = rest.split_at_checked(index).unwrap_or_default();
            self.out.push_str(unescaped);
            let mut after = escaped.chars();
            self.escape(after.next().unwrap_or_default());
            rest = after.as_str();
        }
        self.out.push_str(rest);
    }
}

/// How a writer prints decimals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum DecimalForm {
    /// As numbers, for the service.
    Number,
    /// As strings, so that a reader whose numbers are floats loses no digit.
    #[default]
    String,
}

/// Writes JSON value by value, and puts the commas between them.
///
/// The caller writes a key or name before each value of an object, and ends what it begins.
#[derive(Default)]
pub struct Writer {
    out: String,
    decimals: DecimalForm,
    /// True after a value: the next value or key is another entry.
    needs_comma: bool,
}

impl Writer {
    /// Returns a writer that prints decimals in this form.
    #[must_use]
    pub(crate) fn new(decimals: DecimalForm) -> Self {
        Self { decimals, ..Self::default() }
    }

    /// Makes room for this many bytes.
    #[must_use]
    pub fn with_capacity(self, capacity: usize) -> Self {
        Self { out: String::with_capacity(capacity), ..self }
    }

    /// Returns how decimals are printed.
    pub(crate) fn decimals(&self) -> DecimalForm {
        self.decimals
    }

    /// Returns what has been written.
    #[must_use]
    pub fn into_string(self) -> String {
        self.out
    }

    /// Begins an object.
    pub fn begin_object(&mut self) {
        self.begin('{');
    }

    /// Ends an object.
    pub fn end_object(&mut self) {
        self.end('}');
    }

    /// Begins an array.
    pub fn begin_array(&mut self) {
        self.begin('[');
    }

    /// Ends an array.
    pub fn end_array(&mut self) {
        self.end(']');
    }

    /// Writes a key made by [`key!`]; its value is next.
    pub fn key(&mut self, key: &'static str) -> &mut Self {
        self.separate();
        self.out.push_str(key);
        self.needs_comma = false;
        self
    }

    /// Writes the key of a name that needs no escapes; its value is next.
    pub fn member(&mut self, name: &'static str) -> &mut Self {
        self.separate();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        self.needs_comma = false;
        self
    }

    /// Writes the key of any name, with escapes if it needs them; its value is next.
    pub fn key_of(&mut self, name: &str) -> &mut Self {
        self.string(name);
        self.out.push(':');
        self.needs_comma = false;
        self
    }

    /// Writes a value that is JSON already.
    pub fn raw(&mut self, raw: &str) {
        self.separate();
        self.out.push_str(raw);
    }

    /// Writes a GUID as a string.
    pub fn guid(&mut self, guid: Guid) {
        self.separate();
        self.out.push('"');
        guid.push_to(&mut self.out);
        self.out.push('"');
    }

    /// Writes a count or an index.
    pub fn integer(&mut self, integer: usize) {
        self.separate();
        push_integer(&mut self.out, integer);
    }

    /// Writes a decimal as a number, in any form of decimals.
    pub fn number(&mut self, value: &Decimal) {
        self.separate();
        push_plain(&mut self.out, value);
    }

    /// Writes a decimal in the form of this writer.
    pub fn decimal(&mut self, value: &Decimal) {
        if self.decimals == DecimalForm::Number {
            return self.number(value);
        }
        self.separate();
        self.out.push('"');
        push_plain(&mut self.out, value);
        self.out.push('"');
    }

    /// Writes a string, with escapes if it needs them.
    pub fn string(&mut self, string: &str) {
        self.separate();
        self.out.push('"');
        self.push_escaped(string);
        self.out.push('"');
    }

    /// Writes a string that needs no escapes.
    pub(crate) fn unescaped(&mut self, string: &str) {
        self.separate();
        self.out.push('"');
        self.out.push_str(string);
        self.out.push('"');
    }

    fn escape(&mut self, character: char) {
        self.out.push('\\');
        let letter = match character {
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{C}' => 'f',
            '\r' => 'r',
            '"' | '\\' => character,
            control => {
                self.out.push_str(if control < '\u{10}' { "u000" } else { "u001" });
                char::from_digit(u32::from(control) % 16, 16).unwrap_or_default()
            }
        };
        self.out.push(letter);
    }

    fn begin(&mut self, bracket: char) {
        self.separate();
        self.out.push(bracket);
        self.needs_comma = false;
    }

    fn end(&mut self, bracket: char) {
        self.out.push(bracket);
        self.needs_comma = true;
    }

    /// Writes the comma before an entry that is not the first.
    fn separate(&mut self) {
        if self.needs_comma {
            self.out.push(',');
        }
        self.needs_comma = true;
    }
}
