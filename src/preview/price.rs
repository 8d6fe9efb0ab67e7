//! Extended prices and their sum (D18).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::Exact;
use crate::order::order;

use super::input::LineInput;
use super::log::{Location, Log};
use super::rounder::Rounder;
use super::trace::{Formula, StepTarget};

/// Calculates quantity × unit price of every line, each rounded once.
pub(super) fn extended_prices(
    lines: &[LineInput],
    rounder: &mut Rounder,
    log: &mut Log,
) -> Vec<Option<Decimal>> {
    let mut prices = Vec::with_capacity(lines.len());
    for (index, line) in lines.iter().enumerate() {
        prices.push(line.priced.and_then(|priced| extended_price(index, priced, rounder, log)));
    }
    prices
}

fn extended_price(
    index: usize,
    (quantity, unit_price): (Decimal, Decimal),
    rounder: &mut Rounder,
    log: &mut Log,
) -> Option<Decimal> {
    let exact = Exact::product(quantity, unit_price);
    let extended = exact.as_ref().and_then(|exact| rounder.round(exact));
    let (Some(exact), Some(extended)) = (&exact, extended) else {
        log.report(Location::Item(index), IssueCode::AmountOutOfRange);
        return None;
    };
    let target = StepTarget::Line(index, "extended");
    log.trace.record_rounded("D18", target, Formula::Product(quantity, unit_price), exact, &extended);
    Some(extended)
}

/// Sums the rounded extended prices; returns `None` if one is unknown or there are no lines.
pub(super) fn subtotal(prices: &[Option<Decimal>], rounder: &Rounder, log: &mut Log) -> Option<Decimal> {
    if prices.is_empty() {
        return None;
    }
    let location = Location::Member(&order::ITEMS);
    log.sum("D18", StepTarget::Total("/subtotal"), rounder.zero(), location, prices)
}
