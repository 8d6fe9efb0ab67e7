//! The differences between the JSON that is read and the JSON that is made from it.

use std::borrow::Cow;

/// Differences between the JSON that a reader has read and what is made from it, in the order of their positions. What lies between
/// them is copied.
#[derive(Clone, Debug, Default)]
pub(crate) struct Edits(Vec<Edit>);

/// Text in place of the bytes from `start` to `end`.
#[derive(Clone, Debug)]
struct Edit {
    start: usize,
    end: usize,
    text: Box<str>,
}

impl Edits {
    /// Replaces the bytes from `start` to `end`, after which there are no edits yet. Drops the edits within them.
    pub(super) fn replace(&mut self, start: usize, end: usize, text: &str) {
        while self.0.pop_if(|edit| edit.start >= start).is_some() {}
        if start < end {
            self.0.push(Edit { start, end, text: text.into() });
        }
    }

    /// Removes the edits within a slice of the JSON, which is then copied as it is.
    pub(crate) fn undo(&mut self, json: &str, slice: &str) {
        let start = slice.as_ptr().addr().wrapping_sub(json.as_ptr().addr());
        self.0.retain(|edit| !(start..start + slice.len()).contains(&edit.start));
    }

    /// Returns the edited JSON; borrows it if there are no edits.
    pub(crate) fn apply<'a>(&self, json: &'a str) -> Cow<'a, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(json);
        }
        let mut edited = String::with_capacity(json.len());
        let mut copied = 0;
        for Edit { start, end, text } in &self.0 {
            edited.push_str(json.get(copied..*start).unwrap_or_default());
            edited.push_str(text);
            copied = *end;
        }
        edited.push_str(json.get(copied..).unwrap_or_default());
        Cow::Owned(edited)
    }
}
