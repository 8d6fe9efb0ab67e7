//! Reads responses of the core as `pkg-template/src/fields.ts` does.
#![expect(clippy::indexing_slicing, clippy::string_slice, reason = "a test fails by panicking")]

use serde_json::{Map, Value, json};

pub(crate) fn parsed(json: &str) -> Result<Value, String> {
    serde_json::from_str(json).map_err(|error| error.to_string())
}

/// Returns the pointer of the option that can't be used.
pub(crate) fn refusal(output: &str) -> Option<&str> {
    let mut fields = Fields { rest: output.strip_prefix('!')? };
    fields.text();
    Some(fields.rest)
}

/// Reads a response as `pkg-template/src/fields.ts` does.
pub(crate) struct Fields<'a> {
    pub(crate) rest: &'a str,
}

/// What a response says about the request of an order.
pub(crate) struct Target {
    pub(crate) is_ok: bool,
    pub(crate) path: Value,
    pub(crate) order_id: Value,
}

impl Fields<'_> {
    pub(crate) fn number(&mut self) -> usize {
        let mut number = 0;
        loop {
            let digit = usize::from(self.rest.as_bytes()[0]);
            self.rest = &self.rest[1..];
            number = number << 5 | digit & 31;
            if digit < usize::from(b'`') {
                return number;
            }
        }
    }

    pub(crate) fn text(&mut self) -> Value {
        let Some(length) = self.number().checked_sub(1) else { return Value::Null };
        let mut units = 0;
        let end = self.rest.char_indices().find(|(_, character)| {
            let is_end = units == length;
            units += character.len_utf16();
            is_end
        });
        let (text, rest) = self.rest.split_at(end.map_or(self.rest.len(), |(end, _)| end));
        self.rest = rest;
        text.into()
    }

    /// Reads a list that is absent if it is empty.
    pub(crate) fn json(&mut self) -> Result<Value, String> {
        self.text().as_str().map_or(Ok(json!([])), parsed)
    }

    fn list(&mut self, names: &[&str]) -> Vec<Value> {
        let count = self.number();
        let mut entry = || names.iter().map(|name| ((*name).to_owned(), self.text())).collect::<Map<_, _>>();
        (0..count).map(|_| entry().into()).collect()
    }

    pub(crate) fn target(&mut self) -> Target {
        let flags = self.number();
        let target = self.text();
        let path = if flags & 2 == 0 { Value::Null } else { target.clone() };
        let in_path =
            path.as_str().and_then(|path| Some(path.split_once('(')?.1.trim_end_matches(')').into()));
        Target { is_ok: flags & 1 != 0, path, order_id: in_path.unwrap_or(target) }
    }

    pub(crate) fn totals(&mut self) -> Value {
        json!({
            "version": self.text(),
            "scale": self.number(),
            "rounding": self.text(),
            "subtotal": self.text(),
            "discount": { "total": self.text(), "entries": self.list(&["name", "amount"]) },
            "tax": { "source": self.text(), "total": self.text(), "entries": self.list(&["taxId", "name", "amount"]) },
            "total": self.text(),
        })
    }

    pub(crate) fn preview(&mut self) -> Result<Value, String> {
        let mut preview = self.totals();
        for (name, value) in parsed(self.rest)?.as_object().into_iter().flatten() {
            preview[name] = value.clone();
        }
        Ok(preview)
    }
}
