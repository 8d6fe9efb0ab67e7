//! JSON text, written value by value.

use rust_decimal::Decimal;

use crate::decimal::push_plain;
use crate::guid::Guid;
use crate::words::push_number;

/// A name as JSON has it, with quotes and the colon behind it.
macro_rules! written {
    ($name:literal) => {
        concat!("\"", $name, "\":")
    };
}
pub(crate) use written;

/// Writes one JSON text; commas come by themselves.
#[derive(Default)]
pub(crate) struct Writer {
    out: String,
}

impl Writer {
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self { out: String::with_capacity(capacity) }
    }

    pub(crate) fn into_text(self) -> String {
        self.out
    }

    /// Starts an object or a list.
    pub(crate) fn open(&mut self, bracket: char) {
        self.comma();
        self.out.push(bracket);
    }

    /// Ends it.
    pub(crate) fn close(&mut self, bracket: char) {
        self.out.push(bracket);
    }

    /// The name of a member as it is [`written`], with quotes and colon; its value follows.
    pub(crate) fn name(&mut self, written: &'static str) -> &mut Self {
        self.comma();
        self.out.push_str(written);
        self
    }

    /// The name of a member, whatever it is; its value follows.
    pub(crate) fn any_name(&mut self, name: &str) -> &mut Self {
        self.text(name);
        self.out.push(':');
        self
    }

    /// A value that is JSON text already.
    pub(crate) fn raw(&mut self, raw: &str) {
        self.comma();
        self.out.push_str(raw);
    }

    pub(crate) fn guid(&mut self, guid: Guid) {
        self.comma();
        self.out.push('"');
        guid.push_to(&mut self.out);
        self.out.push('"');
    }

    pub(crate) fn number(&mut self, number: usize) {
        self.comma();
        push_number(&mut self.out, number);
    }

    /// A decimal as a number.
    pub(crate) fn digits(&mut self, value: &Decimal) {
        self.comma();
        push_plain(&mut self.out, value);
    }

    /// A decimal as text: every digit survives a reader that knows only floats.
    pub(crate) fn decimal(&mut self, value: &Decimal) {
        self.comma();
        self.out.push('"');
        push_plain(&mut self.out, value);
        self.out.push('"');
    }

    pub(crate) fn decimal_or_null(&mut self, value: Option<&Decimal>) {
        match value {
            Some(value) => self.decimal(value),
            None => self.raw("null"),
        }
    }

    pub(crate) fn text_or_null(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.raw("null"),
        }
    }

    pub(crate) fn text(&mut self, text: &str) {
        self.comma();
        self.out.push('"');
        let mut rest = text;
        while let Some(at) = rest.bytes().position(|byte| matches!(byte, 0..0x20 | b'"' | b'\\')) {
            let (plain, escaped) = rest.split_at_checked(at).unwrap_or_default();
            self.out.push_str(plain);
            let mut after = escaped.chars();
            self.escape(after.next().unwrap_or_default());
            rest = after.as_str();
        }
        self.out.push_str(rest);
        self.out.push('"');
    }

    fn escape(&mut self, escaped: char) {
        self.out.push('\\');
        let letter = match escaped {
            '\u{8}' => 'b',
            '\t' => 't',
            '\n' => 'n',
            '\u{C}' => 'f',
            '\r' => 'r',
            '"' | '\\' => escaped,
            control => {
                self.out.push_str(if control < '\u{10}' { "u000" } else { "u001" });
                char::from_digit(u32::from(control) % 16, 16).unwrap_or_default()
            }
        };
        self.out.push(letter);
    }

    /// Between members and between elements, not before the first.
    fn comma(&mut self) {
        if !matches!(self.out.as_bytes().last(), None | Some(b'{' | b'[' | b':')) {
            self.out.push(',');
        }
    }
}
