//! A response: values one after the other, often followed by JSON up to the end. `pkg-template/src/fields.ts` reads them: slices of
//! one string take a fifth of the time of `JSON.parse`.
//!
//! - A number has digits of five bits, the highest first. The last digit is one of the 32 characters from `@` on, the digits before it
//!   are characters from `` ` `` on. So 3 is `C`, and 35 is `aC`.
//! - A text comes after a number, its length in UTF-16 code units plus one. The number 0 means that there is none.
//! - A decimal is a text, in plain notation with all its digits.
//! - A refusal is `!`, the message as a text, and the location of the option or amount that can't be used. Nothing else starts with `!`.

use sales_order_intake::Issue;
use sales_order_intake::internals::{Amount, OptionError, ToJson, Writer};

/// A capacity that is enough for most responses, in bytes.
const CAPACITY: usize = 512;

/// Writes values one after the other.
pub(crate) struct Fields {
    out: String,
}

impl Fields {
    /// Starts a response that ends with a text of about `rest` bytes.
    pub(crate) fn with_capacity(rest: usize) -> Self {
        Self { out: String::with_capacity(CAPACITY + rest) }
    }

    /// Writes a number: digits of five bits, the highest first.
    pub(crate) fn number(&mut self, number: usize) {
        self.higher_digits(number >> 5);
        self.digit(b'@', number);
    }

    fn higher_digits(&mut self, number: usize) {
        if number > 0 {
            self.higher_digits(number >> 5);
            self.digit(b'`', number);
        }
    }

    fn digit(&mut self, first: u8, number: usize) {
        #[expect(clippy::cast_possible_truncation, reason = "five bits")]
        let bits = (number & 31) as u8;
        self.out.push(char::from(first | bits));
    }

    /// Writes a text after its length.
    pub(crate) fn text(&mut self, text: &str) {
        let length = if text.is_ascii() { text.len() } else { text.encode_utf16().count() };
        self.number(1 + length);
        self.out.push_str(text);
    }

    /// Writes a text, or that there is none.
    pub(crate) fn optional(&mut self, text: Option<&str>) {
        match text {
            Some(text) => self.text(text),
            None => self.number(0),
        }
    }

    /// Writes a decimal in plain notation, or that there is none.
    pub(crate) fn decimal(&mut self, value: Option<Amount>) {
        let Some(value) = value else { return self.number(0) };
        let digits = value.digits();
        self.number(1 + digits.length());
        digits.push_to(&mut self.out);
    }

    /// Writes a text of ASCII characters that is in pieces.
    pub(crate) fn pieces(&mut self, pieces: &[&str]) {
        self.number(1 + pieces.iter().map(|piece| piece.len()).sum::<usize>());
        pieces.iter().for_each(|piece| self.out.push_str(piece));
    }

    /// Writes the issues as JSON, or that there are none.
    pub(crate) fn issues(&mut self, issues: &Vec<Issue>) {
        if issues.is_empty() {
            return self.number(0);
        }
        self.text(&json(issues));
    }

    /// Returns the response. It ends with the text, if there is one.
    pub(crate) fn ending_with(mut self, rest: Option<&str>) -> String {
        self.out.push_str(rest.unwrap_or_default());
        self.out
    }
}

/// Returns the JSON of a value.
pub(crate) fn json(value: &impl ToJson) -> String {
    let mut out = Writer::default();
    value.write(&mut out);
    out.into_string()
}

/// Returns the response for an option or an amount that is not valid.
pub(crate) fn invalid_option(error: &OptionError) -> String {
    let mut fields = Fields { out: String::from("!") };
    fields.text(&error.message);
    fields.ending_with(Some(&error.option))
}
