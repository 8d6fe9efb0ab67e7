//! How a number came about.

use rust_decimal::Decimal;
use serde::Serialize;

use crate::decimal::{Exact, push_plain, to_plain_string};
use crate::words::push_number;

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

/// Which number of the preview.
#[derive(Clone, Copy)]
pub(super) enum Of {
    At(&'static str),
    Line(usize, &'static str),
    LineTax(usize, usize),
    DiscountEntry(usize),
    TaxEntry(usize),
}

/// A computation in figures; its texts are made only where somebody asked for them.
pub(super) enum How<'h> {
    As(&'h str),
    Product(Decimal, Decimal),
    /// A percentage of what is left.
    Percent(Decimal, Decimal),
    /// All that is left.
    Rest(Decimal),
    /// Price − discount + tax.
    Net(Decimal, Decimal, Decimal),
    /// A part of a sum, in proportion.
    Share(&'h str, &'h str, &'h str),
    Sum(&'h mut dyn Iterator<Item = Decimal>),
}

/// The steps taken, where somebody asked for them.
pub(super) struct Steps(Option<Vec<Step>>);

impl Steps {
    pub(super) fn new(wanted: bool) -> Self {
        Self(wanted.then(Vec::new))
    }

    pub(super) fn wanted(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn into_steps(self) -> Option<Vec<Step>> {
        self.0
    }

    /// Notes a number that is what was computed: sums and differences are exact.
    pub(super) fn note(&mut self, rule: &'static str, of: Of, how: How<'_>, result: &Decimal) {
        if self.wanted() {
            self.push(rule, of, how, to_plain_string(result), result);
        }
    }

    /// Notes a number that was rounded.
    pub(super) fn note_rounded(
        &mut self,
        rule: &'static str,
        of: Of,
        how: How<'_>,
        exact: &Exact,
        result: &Decimal,
    ) {
        if self.wanted() {
            self.push(rule, of, how, figures(exact), result);
        }
    }

    pub(super) fn push(&mut self, rule: &'static str, of: Of, how: How<'_>, exact: String, result: &Decimal) {
        let step = Step {
            of: of.pointer(),
            expression: how.expression(),
            exact,
            result: to_plain_string(result),
            rule,
        };
        self.0.get_or_insert_default().push(step);
    }
}

impl Of {
    /// `/lines/3/taxes/0/amount`
    fn pointer(self) -> String {
        let (list, index, member) = match self {
            Self::At(pointer) => return pointer.to_owned(),
            Self::Line(index, member) => ("/lines/", index, member),
            Self::LineTax(index, _) => ("/lines/", index, "taxes/"),
            Self::DiscountEntry(index) => ("/discount/entries/", index, "amount"),
            Self::TaxEntry(index) => ("/tax/entries/", index, "amount"),
        };
        let mut pointer = list.to_owned();
        push_number(&mut pointer, index);
        pointer.push('/');
        pointer.push_str(member);
        if let Self::LineTax(_, position) = self {
            push_number(&mut pointer, position);
            pointer.push_str("/amount");
        }
        pointer
    }
}

impl How<'_> {
    fn expression(self) -> String {
        let mut out = String::new();
        let mut terms = |parts: &[(&str, Decimal)], end: &str| {
            for (sign, term) in parts {
                out.push_str(sign);
                push_plain(&mut out, term);
            }
            out.push_str(end);
        };
        match self {
            Self::Product(left, right) => terms(&[("", left), (" × ", right)], ""),
            Self::Percent(left, right) => terms(&[("", left), (" × ", right)], " ÷ 100"),
            Self::Rest(rest) => terms(&[("all that is left, ", rest)], ""),
            Self::Net(price, discount, tax) => terms(&[("", price), (" − ", discount), (" + ", tax)], ""),
            Self::Sum(summands) => {
                let mut sign = "";
                for term in summands {
                    terms(&[(sign, term)], "");
                    sign = " + ";
                }
                if sign.is_empty() {
                    out.push('0');
                }
            }
            Self::As(expression) => out.push_str(expression),
            Self::Share(total, part, whole) => {
                [total, " × ", part, " ÷ ", whole].iter().for_each(|part| out.push_str(part));
            }
        }
        out
    }
}

/// The exact value in figures, without the zeros that only its scale brings.
pub(super) fn figures(exact: &Exact) -> String {
    let mut figures = exact.clone().into_plain();
    if figures.contains('.') {
        figures.truncate(figures.trim_end_matches('0').trim_end_matches('.').len());
    }
    figures
}
