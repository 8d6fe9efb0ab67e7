//! The invoice-level discount: its entries, applied in order (D13–D15).

use crate::check::DiscountType;
use crate::code::IssueCode;
use crate::decimal::{Amount, Rounding, multiply};
use crate::order::{discount_entry, order};

use super::input::{DiscountInput, DiscountTerm};
use super::log::{Location, Log};
use super::trace::{Formula, StepTarget};

/// The discount of an order; unknown amounts are `None`.
#[derive(Default)]
pub(super) struct Discount {
    pub(super) total: Option<Amount>,
    pub(super) entries: Vec<Option<Amount>>,
}

const HUNDRED: Amount = Amount::new(100, 0);

impl Discount {
    /// Calculates the whole discount and the amount of each entry.
    pub(super) fn new(
        input: &DiscountInput<'_>,
        subtotal: Option<Amount>,
        scale: u32,
        mode: Rounding,
        log: &mut Log,
    ) -> Self {
        let mut discount = Self::default();
        let DiscountInput::Entries(terms) = input else { return discount };
        if terms.is_empty() {
            discount.total = Some(Amount::zero(scale));
            return discount;
        }
        discount.entries.reserve_exact(terms.len());
        let mut remaining = subtotal;
        for (index, term) in terms.iter().enumerate() {
            let amount = Self::entry(index, term, remaining, scale, mode, log);
            remaining = remaining.zip(amount).and_then(|(remaining, amount)| remaining.minus(amount));
            discount.entries.push(amount);
        }
        let location = Location::Member(&order::DISCOUNT);
        let target = StepTarget::Total("/discount/total");
        discount.total = log.sum("D15", target, scale, Some(location), &discount.entries);
        if let (Some(total), Some(subtotal)) = (&discount.total, &subtotal)
            && multiply(total.units(), subtotal.units()).is_none()
        {
            // Its shares on the lines are unknown, whether or not the lines are requested.
            log.report(location, IssueCode::AmountOutOfRange);
        }
        discount
    }

    /// Calculates the amount of one entry, at most the remaining subtotal (D15).
    fn entry(
        index: usize,
        term: &DiscountTerm<'_>,
        remaining: Option<Amount>,
        scale: u32,
        mode: Rounding,
        log: &mut Log,
    ) -> Option<Amount> {
        let is_percentage = match term.discount_type {
            DiscountType::Amount => false,
            DiscountType::Percent => true,
            DiscountType::Unknown => {
                let location = Location::DiscountEntry(index, &discount_entry::VALUE_TYPE);
                log.report(location, IssueCode::DiscountMeaningUnknown);
                return None;
            }
            DiscountType::Invalid => return None,
        };
        let value = term.value?;
        if is_percentage && value.compare(HUNDRED).is_gt() {
            // `check` reports a percentage above 100 (D15).
            return None;
        }
        let remaining = remaining?;
        let location = Location::DiscountEntry(index, &discount_entry::VALUE);
        let exact = if is_percentage { value.times(remaining).map(Amount::percent) } else { Some(value) };
        let Some(exact) = exact else {
            log.report(location, IssueCode::AmountOutOfRange);
            return None;
        };
        let target = StepTarget::DiscountEntry(index);
        // Half a unit more than the remaining subtotal is too much under every rounding mode, so that the warning is the same.
        let is_within =
            exact.rounded(Rounding::HalfUp, scale).is_some_and(|amount| amount.compare(remaining).is_le());
        match exact.rounded(mode, scale).filter(|_| is_within) {
            Some(amount) => {
                let formula =
                    if is_percentage { Formula::Percent(remaining, value) } else { Formula::Value(value) };
                log.trace.record_rounded("D15", target, formula, &exact, &amount);
                Some(amount)
            }
            None => {
                log.report(location, IssueCode::DiscountClamped);
                log.trace.record("D15", target, Formula::Remainder(remaining), &remaining);
                Some(remaining)
            }
        }
    }
}
