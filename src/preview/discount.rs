//! The invoice-level discount: its entries, applied in order (D13–D15).

use rust_decimal::Decimal;

use crate::check::DiscountType;
use crate::code::IssueCode;
use crate::decimal::{Exact, multiply, subtract};
use crate::order::{discount_entry, order};

use super::input::{DiscountInput, DiscountTerm};
use super::log::{Location, Log};
use super::rounder::Rounder;
use super::trace::{Formula, StepTarget};

/// Calculates the whole discount and the amount of each entry; returns `None` for what is unknown.
pub(super) fn discount(
    input: &DiscountInput,
    subtotal: Option<Decimal>,
    rounder: &mut Rounder,
    log: &mut Log,
) -> (Option<Decimal>, Vec<Option<Decimal>>) {
    let DiscountInput::Entries(terms) = input else { return (None, Vec::new()) };
    let mut amounts = Vec::with_capacity(terms.len());
    let mut remaining = subtotal;
    for (index, term) in terms.iter().enumerate() {
        let amount = entry(index, term, remaining, rounder, log);
        remaining = remaining.zip(amount).and_then(|(remaining, amount)| subtract(remaining, amount));
        amounts.push(amount);
    }
    if amounts.is_empty() {
        return (Some(rounder.zero()), amounts);
    }
    let location = Location::Member(&order::DISCOUNT);
    let target = StepTarget::Total("/discount/total");
    let total = log.sum("D15", target, rounder.zero(), location, &amounts);
    let units = |amount| Exact::new(amount).and_then(|exact| exact.units_at(rounder.scale));
    if let (Some(total), Some(subtotal)) = (total, subtotal)
        && units(total).zip(units(subtotal)).and_then(|(total, subtotal)| multiply(total, subtotal)).is_none()
    {
        // Its shares on the lines are unknown, whether or not somebody asks for them.
        log.report(location, IssueCode::AmountOutOfRange);
    }
    (total, amounts)
}

/// Calculates the amount of one entry, at most the remaining subtotal (D15).
fn entry(
    index: usize,
    term: &DiscountTerm,
    remaining: Option<Decimal>,
    rounder: &mut Rounder,
    log: &mut Log,
) -> Option<Decimal> {
    match term.discount_type {
        DiscountType::Amount | DiscountType::Percent => {}
        DiscountType::Unknown => {
            let location = Location::DiscountEntry(index, &discount_entry::VALUE_TYPE);
            log.report(location, IssueCode::DiscountMeaningUnknown);
            return None;
        }
        DiscountType::Invalid => return None,
    }
    let value = term.value?;
    let is_percentage = term.discount_type == DiscountType::Percent;
    if is_percentage && value > Decimal::ONE_HUNDRED {
        // `check` reports a percentage above 100 (D15).
        return None;
    }
    let remaining = remaining?;
    // `check` reports a negative value.
    let exact = Exact::new(value)?;
    let exact = if is_percentage { exact.times(remaining).map(Exact::percent) } else { Some(exact) };
    let Some(exact) = exact else {
        log.report(Location::DiscountEntry(index, &discount_entry::VALUE), IssueCode::AmountOutOfRange);
        return None;
    };
    let wanted = rounder.round(&exact);
    let target = StepTarget::DiscountEntry(index);
    match wanted {
        Some(amount) if amount <= remaining => {
            let summand = [Some(value)];
            let formula =
                if is_percentage { Formula::Percent(remaining, value) } else { Formula::Sum(&summand) };
            log.trace.record_rounded("D15", target, formula, &exact, &amount);
            Some(amount)
        }
        // The amount exceeds the remaining subtotal; one that does not fit a decimal does too.
        _ => {
            log.report(Location::DiscountEntry(index, &discount_entry::VALUE), IssueCode::DiscountClamped);
            log.trace.record("D15", target, Formula::Remainder(remaining), &remaining);
            Some(remaining)
        }
    }
}
