//! How each number of a preview was computed (the option `explain`).

use crate::decimal::{Amount, push_digits, push_integer};
use crate::json::json_struct;

json_struct! {
    /// One number of a preview and how it was computed, such as `2.345 × 12.50`, exactly `29.3125`, rounded `29.31`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Step {
        /// The number: a JSON Pointer into the preview, such as `/lines/0/extended`.
        pub of: String => "of",
        /// The computation in figures.
        pub expression: String => "expression",
        /// The exact result; a quotient that does not end is cut after 28 fraction digits.
        pub exact: String => "exact",
        /// The number in the preview.
        pub result: String => "result",
        /// The decision that it follows.
        pub rule: &'static str => "rule",
    }
}

/// The number that a step computes.
#[derive(Clone, Copy)]
pub(super) enum StepTarget {
    Total(&'static str),
    Line(usize, &'static str),
    LineTax { line: usize, position: usize },
    DiscountEntry(usize),
    TaxEntry(usize),
}

/// A computation in figures; formatted only if the steps are recorded.
pub(super) enum Formula<'f> {
    Text(&'f str),
    Value(Amount),
    Product(Amount, Amount),
    /// A percentage of an amount.
    Percent(Amount, Amount),
    /// All that is left of the subtotal.
    Remainder(Amount),
    /// Price − discount + tax.
    Net(Amount, Amount, Amount),
    /// An amount × a part ÷ the whole.
    Share(Amount, &'f str, &'f str),
    /// Known amounts.
    Sum(&'f [Option<Amount>]),
}

/// The steps, if they are recorded.
#[derive(Default)]
pub(super) struct Trace(Option<Vec<Step>>);

impl Trace {
    pub(super) fn new(is_recorded: bool) -> Self {
        Self(is_recorded.then(Vec::new))
    }

    pub(super) fn is_recorded(&self) -> bool {
        self.0.is_some()
    }

    pub(super) fn into_steps(self) -> Option<Vec<Step>> {
        self.0
    }

    /// Records a number that needs no rounding, such as a sum.
    pub(super) fn record(
        &mut self,
        rule: &'static str,
        target: StepTarget,
        formula: Formula<'_>,
        result: &Amount,
    ) {
        if self.is_recorded() {
            self.push(rule, target, formula, result.to_plain_string(), result);
        }
    }

    /// Records a number that was rounded.
    pub(super) fn record_rounded(
        &mut self,
        rule: &'static str,
        target: StepTarget,
        formula: Formula<'_>,
        exact: &Amount,
        result: &Amount,
    ) {
        if self.is_recorded() {
            self.push(rule, target, formula, figures(exact), result);
        }
    }

    pub(super) fn push(
        &mut self,
        rule: &'static str,
        target: StepTarget,
        formula: Formula<'_>,
        exact: String,
        result: &Amount,
    ) {
        if let Some(steps) = &mut self.0 {
            let (of, expression) = (target.pointer(), formula.into_text());
            steps.push(Step { of, expression, exact, result: result.to_plain_string(), rule });
        }
    }
}

impl StepTarget {
    /// Returns a pointer such as `/lines/3/taxes/0/amount`.
    fn pointer(self) -> String {
        let (list, index, member) = match self {
            Self::Total(pointer) => return pointer.to_owned(),
            Self::Line(index, member) => ("/lines/", index, member),
            Self::LineTax { line, .. } => ("/lines/", line, "taxes/"),
            Self::DiscountEntry(index) => ("/discount/entries/", index, "amount"),
            Self::TaxEntry(index) => ("/tax/entries/", index, "amount"),
        };
        let mut pointer = list.to_owned();
        push_integer(&mut pointer, index);
        pointer.push('/');
        pointer.push_str(member);
        if let Self::LineTax { position, .. } = self {
            push_integer(&mut pointer, position);
            pointer.push_str("/amount");
        }
        pointer
    }
}

impl Formula<'_> {
    fn into_text(self) -> String {
        let mut out = String::new();
        let mut term = |sign: &str, term: Amount| {
            out.push_str(sign);
            push_digits(&mut out, term.units(), term.scale());
        };
        match self {
            Self::Value(value) => term("", value),
            Self::Product(left, right) => {
                term("", left);
                term(" × ", right);
            }
            Self::Percent(left, right) => {
                term("", left);
                term(" × ", right);
                out.push_str(" ÷ 100");
            }
            Self::Remainder(rest) => term("all that is left, ", rest),
            Self::Net(price, discount, tax) => {
                term("", price);
                term(" − ", discount);
                term(" + ", tax);
            }
            Self::Sum([]) => out.push('0'),
            Self::Sum(terms) => {
                for (index, amount) in terms.iter().flatten().enumerate() {
                    term(if index == 0 { "" } else { " + " }, *amount);
                }
            }
            Self::Text(text) => out.push_str(text),
            Self::Share(total, part, whole) => {
                term("", total);
                [" × ", part, " ÷ ", whole].iter().for_each(|part| out.push_str(part));
            }
        }
        out
    }
}

/// Prints an exact value without trailing zeros.
pub(super) fn figures(exact: &Amount) -> String {
    let mut figures = exact.to_plain_string();
    if figures.contains('.') {
        figures.truncate(figures.trim_end_matches('0').trim_end_matches('.').len());
    }
    figures
}
