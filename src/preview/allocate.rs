//! Allocation of an amount to lines, so that the shares sum to it exactly (D17).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Exact, U512, to_plain_string};
use crate::order::order;

use super::log::{Location, Log};
use super::rounder::Rounder;
use super::trace::{Formula, StepTarget};

/// A share of an amount, and its weight.
pub(super) struct Part {
    pub(super) target: StepTarget,
    pub(super) weight: Exact,
}

/// Returns each line's share of the discount, in proportion to its extended price; `None` if a price is unknown or a number
/// does not fit.
pub(super) fn discount_shares(
    discount: Decimal,
    prices: &[Option<Decimal>],
    rounder: &Rounder,
    log: &mut Log,
) -> Option<Vec<Decimal>> {
    if discount.is_zero() {
        // Every share is zero, even if a price is unknown.
        return Some(vec![discount; prices.len()]);
    }
    let mut parts = Vec::with_capacity(prices.len());
    for (index, price) in prices.iter().enumerate() {
        parts.push(Part { target: StepTarget::Line(index, "discount"), weight: Exact::new((*price)?)? });
    }
    let show = |weight: &Exact| weight.clone().into_plain_string();
    let shares = allocate(discount, &parts, rounder.scale, show, log);
    if shares.is_none() {
        log.report(Location::Member(&order::DISCOUNT), IssueCode::AmountOutOfRange);
    }
    shares
}

/// Allocates an amount in proportion to weights; returns `None` if a number does not fit.
///
/// `show` prints a weight for the trace.
pub(super) fn allocate(
    amount: Decimal,
    parts: &[Part],
    scale: u32,
    show: fn(&Exact) -> String,
    log: &mut Log,
) -> Option<Vec<Decimal>> {
    let mut sum = Exact::ZERO;
    for part in parts {
        sum = sum.plus(&part.weight)?;
    }
    let mut weights = Vec::with_capacity(parts.len());
    for part in parts {
        weights.push(part.weight.units_at(sum.scale())?);
    }
    let (whole, all) = (Exact::new(amount)?.units_at(scale)?, sum.units_at(sum.scale())?);
    let mut shares = Vec::with_capacity(parts.len());
    for share in largest_remainder(&whole, &weights, &all)? {
        shares.push(Exact::from_units(share, scale).at_scale(scale)?);
    }
    if log.trace.is_recorded() {
        for ((part, weight), share) in parts.iter().zip(&weights).zip(&shares) {
            let exact = quotient(&whole, weight, &all, scale).unwrap_or_else(|| to_plain_string(share));
            let formula = Formula::Share(&to_plain_string(&amount), &show(&part.weight), &show(&sum));
            log.trace.push("D17", part.target, formula, exact, share);
        }
    }
    Some(shares)
}

/// Divides units among weights that sum to `all`: each share is rounded down, then the remaining units go one by one to
/// the largest remainders; ties go to the earlier line.
///
/// Returns `None` if a product does not fit. If all weights are zero, so are all shares.
fn largest_remainder(total: &U512, weights: &[U512], all: &U512) -> Option<Vec<U512>> {
    if all.is_zero() {
        return Some(vec![U512::ZERO; weights.len()]);
    }
    let mut left = total.clone();
    let mut shares = Vec::with_capacity(weights.len());
    let mut largest = BinaryHeap::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        let (share, remainder) = total.checked_mul(weight)?.checked_div_rem(all)?;
        left = left.checked_sub(&share)?;
        shares.push(share);
        largest.push((remainder, Reverse(index)));
    }
    // Fewer units are left than there are lines.
    while !left.is_zero() {
        let (_, Reverse(index)) = largest.pop()?;
        let share = shares.get_mut(index)?;
        *share = share.checked_add(&U512::ONE)?;
        left = left.checked_sub(&U512::ONE)?;
    }
    Some(shares)
}

/// Prints `total × weight ÷ sum`, in units of a scale; cut after 28 fraction digits if it does not end.
fn quotient(total: &U512, weight: &U512, sum: &U512, scale: u32) -> Option<String> {
    let (mut quotient, mut rest) = total.checked_mul(weight)?.checked_div_rem(sum)?;
    let mut scale = scale;
    let ten = U512::from(10);
    while !rest.is_zero() && scale < 28 {
        let (digit, next) = rest.checked_mul(&ten)?.checked_div_rem(sum)?;
        quotient = quotient.checked_mul(&ten)?.checked_add(&digit)?;
        rest = next;
        scale += 1;
    }
    Some(Exact::from_units(quotient, scale).into_plain_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(values: &[u64]) -> Vec<U512> {
        values.iter().map(|value| U512::from(*value)).collect()
    }

    #[test]
    fn remaining_units_go_to_the_largest_remainders() {
        // 100 over 1:1:4 is 16.67, 16.67, 66.67: two units are left and the remainders are equal.
        assert_eq!(
            largest_remainder(&U512::from(100), &units(&[1, 1, 4]), &U512::from(6)),
            Some(units(&[17, 17, 66]))
        );
    }

    #[test]
    fn every_share_is_zero_without_weights() {
        assert_eq!(largest_remainder(&U512::ZERO, &units(&[0, 0]), &U512::ZERO), Some(units(&[0, 0])));
    }

    #[test]
    fn a_quotient_that_does_not_end_is_cut() {
        let third = quotient(&U512::ONE, &U512::ONE, &U512::from(3), 0);
        assert_eq!(third.as_deref(), Some("0.3333333333333333333333333333"));
    }
}
