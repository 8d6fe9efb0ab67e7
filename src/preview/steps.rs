//! How a number came about.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::decimal::{Exact, plain};

/// One number of a preview and how it was computed, such as `2.345 × 12.50`, exactly `29.3125`, rounded `29.31`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// Which number: a JSON Pointer into the preview, such as `/lines/0/extended`.
    pub of: String,
    /// The computation in figures.
    pub expression: String,
    /// Its exact result; a quotient that does not end is cut after 28 fraction digits.
    pub exact: String,
    /// The number in the preview.
    pub result: String,
    /// The decision that says so.
    pub rule: &'static str,
}

/// The steps taken, where somebody asked for them.
pub(super) struct Steps(Option<Vec<Step>>);

impl Steps {
    pub(super) fn new(wanted: bool) -> Self {
        Self(wanted.then(Vec::new))
    }

    pub(super) fn into_steps(self) -> Option<Vec<Step>> {
        self.0
    }

    /// Notes a step; the texts are made only where somebody asked for them.
    pub(super) fn note(
        &mut self,
        rule: &'static str,
        of: impl FnOnce() -> String,
        expression: impl FnOnce() -> String,
        exact: impl FnOnce() -> String,
        result: &Decimal,
    ) {
        if let Some(steps) = &mut self.0 {
            let result = plain(result);
            steps.push(Step { of: of(), expression: expression(), exact: exact(), result, rule });
        }
    }

    /// Notes a sum, which is exact.
    pub(super) fn note_sum<'a>(
        &mut self,
        rule: &'static str,
        of: impl FnOnce() -> String,
        terms: impl IntoIterator<Item = &'a Decimal>,
        result: &Decimal,
    ) {
        let expression = || {
            let terms: Vec<_> = terms.into_iter().map(plain).collect();
            if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
        };
        self.note(rule, of, expression, || plain(result), result);
    }
}

/// `a × b` in figures.
pub(super) fn product(left: &str, right: &Decimal) -> String {
    [left, " × ", &plain(right)].concat()
}

/// `/lines/3/…`
pub(super) fn line_pointer(index: usize, member: &str) -> String {
    ["/lines/", &index.to_string(), "/", member].concat()
}

/// The exact value in figures, without the zeros that only its scale brings.
pub(super) fn figures(exact: &Exact) -> String {
    let mut figures = exact.clone().into_plain();
    if figures.contains('.') {
        figures.truncate(figures.trim_end_matches('0').trim_end_matches('.').len());
    }
    figures
}
