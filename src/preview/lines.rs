//! The amounts of lines, and their prices (D18).

use rust_decimal::Decimal;

use crate::decimal::{Amount, Rounding};
use crate::order::order;

use super::input::LineInput;
use super::log::{Location, Log};
use super::trace::{Formula, StepTarget};

/// The amounts of one line.
#[derive(Default)]
pub(super) struct LineAmounts {
    pub(super) extended: Option<Amount>,
    pub(super) discount: Option<Amount>,
    pub(super) tax: Option<Amount>,
    /// The index of each tax among the supplied taxes or the rates, and its amount on this line.
    pub(super) taxes: Vec<(usize, Amount)>,
    pub(super) total: Option<Amount>,
}

impl LineAmounts {
    /// Returns the price after the discount (D16).
    pub(super) fn taxable(&self) -> Option<Amount> {
        self.extended?.minus(self.discount?)
    }
}

/// All lines together.
pub(super) const ITEMS: Location = Location::Member(&order::ITEMS);

/// Calculates quantity × unit price of every line, each rounded once.
pub(super) fn extended_prices(
    inputs: &[LineInput],
    mode: Rounding,
    scale: u32,
    log: &mut Log,
) -> Vec<LineAmounts> {
    let mut lines = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        let extended = input.extended(mode, scale);
        // A rule of the order reports a price that does not fit.
        if let Some(((quantity, price), extended)) = input.priced.zip(extended.as_ref()) {
            record(index, quantity, price, extended, log);
        }
        lines.push(LineAmounts { extended, ..LineAmounts::default() });
    }
    lines
}

fn record(line: usize, quantity: Decimal, price: Decimal, extended: &Amount, log: &mut Log) {
    if log.trace.is_recorded()
        && let (Some(left), Some(right)) = (Amount::of(quantity), Amount::of(price))
        && let Some(exact) = Amount::product(quantity, price)
    {
        let target = StepTarget::Line(line, "extended");
        log.trace.record_rounded("D18", target, Formula::Product(left, right), &exact, extended);
    }
}
