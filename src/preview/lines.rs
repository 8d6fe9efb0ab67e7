//! The amounts of lines, and their prices (D18).

use crate::decimal::Amount;
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
    pub(super) fn of_price(extended: Option<Amount>) -> Self {
        Self { extended, ..Self::default() }
    }

    /// Returns the price after the discount (D16).
    pub(super) fn taxable(&self) -> Option<Amount> {
        self.extended?.minus(self.discount?)
    }
}

/// All lines together.
pub(super) const ITEMS: Location = Location::Member(&order::ITEMS);

/// Records quantity × unit price of every line, each rounded once.
pub(super) fn record_prices(inputs: &[LineInput], prices: &[Option<Amount>], log: &mut Log) {
    if !log.trace.is_recorded() {
        return;
    }
    for (index, (input, price)) in inputs.iter().zip(prices).enumerate() {
        // A rule of the order reports a price that does not fit.
        if let (Some((quantity, unit)), Some(price)) = (input.priced, price)
            && let (Some(left), Some(right)) = (Amount::of(quantity), Amount::of(unit))
            && let Some(exact) = Amount::product(quantity, unit)
        {
            let target = StepTarget::Line(index, "extended");
            log.trace.record_rounded("D18", target, Formula::Product(left, right), &exact, price);
        }
    }
}
