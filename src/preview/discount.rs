//! The invoice-level discount: its entries, applied in order (D13–D15).

use rust_decimal::Decimal;

use crate::check::DiscountKind;
use crate::code::IssueCode;
use crate::decimal::{Exact, subtract};
use crate::order::{discount_entry, order};

use super::input::{DiscountInput, DiscountTerm, DiscountType};
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
    (log.sum("D15", target, rounder.zero(), location, &mut amounts.iter().copied()), amounts)
}

/// Calculates the amount of one entry, at most the remaining subtotal (D15).
fn entry(
    index: usize,
    term: &DiscountTerm,
    remaining: Option<Decimal>,
    rounder: &mut Rounder,
    log: &mut Log,
) -> Option<Decimal> {
    let kind = match term.value_type {
        DiscountType::Known(kind) => kind,
        DiscountType::Unknown => {
            let location = Location::DiscountEntry(index, &discount_entry::VALUE_TYPE);
            log.report(location, IssueCode::DiscountMeaningUnknown);
            return None;
        }
        DiscountType::Invalid => return None,
    };
    let value = term.value?;
    if kind == DiscountKind::Percent && value > Decimal::ONE_HUNDRED {
        // The rules report it (D15).
        return None;
    }
    let remaining = remaining?;
    let exact = match kind {
        DiscountKind::Amount => Exact::new(value)?,
        DiscountKind::Percent => Exact::product(remaining, value)?.percent(),
    };
    let wanted = rounder.round(&exact);
    let target = StepTarget::DiscountEntry(index);
    match wanted {
        Some(amount) if amount <= remaining => {
            let formula = match kind {
                DiscountKind::Amount => Formula::Sum(&mut std::iter::once(value)),
                DiscountKind::Percent => Formula::Percent(remaining, value),
            };
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
