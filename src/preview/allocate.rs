//! Allocation of an amount to lines, so that the shares sum to it exactly (D17).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rust_decimal::Decimal;

use crate::decimal::{Exact, divide, multiply, push_digits, to_plain_string};

use super::log::Log;
use super::rounder::Rounder;
use super::trace::{Formula, StepTarget};

/// A share of an amount, and its weight.
pub(super) struct Part {
    pub(super) target: StepTarget,
    pub(super) weight: Exact,
}

/// Returns each line's share of the discount, in proportion to its extended price; `None` if a price is unknown or a product
/// has more than 38 digits, which [`discount`](super::discount::discount) reports.
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
    allocate(discount, &parts, rounder.scale, |weight| weight.into_plain_string(), log)
}

/// Allocates an amount in proportion to weights; returns `None` if its product with their sum has more than 38 digits (D18).
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
    for share in largest_remainder(whole, &weights, all)? {
        shares.push(Exact::from_units(share, scale).at_scale(scale)?);
    }
    if log.trace.is_recorded() {
        for ((part, weight), share) in parts.iter().zip(&weights).zip(&shares) {
            let exact = quotient(whole, *weight, all, scale).unwrap_or_else(|| to_plain_string(share));
            let formula = Formula::Share(&to_plain_string(&amount), &show(&part.weight), &show(&sum));
            log.trace.push("D17", part.target, formula, exact, share);
        }
    }
    Some(shares)
}

/// Divides units among weights that sum to `all`: each share is rounded down, then the remaining units go one by one to
/// the largest remainders; ties go to the earlier line.
///
/// Returns `None` if the product with all weights does not fit. If all weights are zero, so are all shares.
fn largest_remainder(total: u128, weights: &[u128], all: u128) -> Option<Vec<u128>> {
    if all == 0 {
        return Some(vec![0; weights.len()]);
    }
    // As large as any product with a weight.
    multiply(total, all)?;
    let mut left = total;
    let mut shares = Vec::with_capacity(weights.len());
    let mut largest = BinaryHeap::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        let (share, remainder) = divide(multiply(total, *weight)?, all)?;
        left = left.checked_sub(share)?;
        shares.push(share);
        largest.push((remainder, Reverse(index)));
    }
    // Fewer units are left than there are lines.
    while left != 0 {
        let (_, Reverse(index)) = largest.pop()?;
        *shares.get_mut(index)? += 1;
        left -= 1;
    }
    Some(shares)
}

/// Prints `total × weight ÷ all`, in units of a scale; cut after 28 fraction digits if it does not end, or before a digit that
/// does not fit.
fn quotient(total: u128, weight: u128, all: u128, scale: u32) -> Option<String> {
    let product = multiply(total, weight)?;
    let (whole, mut rest) = divide(product, all)?;
    let mut quotient = Exact::from_units(whole, scale).into_plain_string();
    for digits in scale..28 {
        let Some(tenfold) = rest.checked_mul(10).filter(|_| rest != 0) else { break };
        quotient.push_str(if digits == 0 { "." } else { "" });
        let (digit, next) = divide(tenfold, all)?;
        push_digits(&mut quotient, digit, 0);
        rest = next;
    }
    Some(quotient)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remaining_units_go_to_the_largest_remainders() {
        // 100 over 1:1:4 is 16.67, 16.67, 66.67: two units are left and the remainders are equal.
        assert_eq!(largest_remainder(100, &[1, 1, 4], 6), Some(vec![17, 17, 66]));
    }

    #[test]
    fn every_share_is_zero_without_weights() {
        assert_eq!(largest_remainder(0, &[0, 0], 0), Some(vec![0, 0]));
    }

    #[test]
    fn a_quotient_that_does_not_end_is_cut() {
        let third = quotient(1, 1, 3, 0);
        assert_eq!(third.as_deref(), Some("0.3333333333333333333333333333"));
    }

    #[test]
    fn a_product_of_39_digits_is_not_allocated() {
        let scale = 0;
        let allocated = |amount: u64, price: u128| {
            let part =
                Part { target: StepTarget::Line(0, "discount"), weight: Exact::from_units(price, scale) };
            allocate(amount.into(), &[part], scale, |weight| weight.into_plain_string(), &mut Log::new(false))
        };
        assert_eq!(allocated(9, 10_u128.pow(37)), Some(vec![9.into()]));
        assert_eq!(allocated(10, 10_u128.pow(37)), None);
    }

    #[cfg(not(target_arch = "wasm32"))]
    proptest::proptest! {
        #[test]
        fn shares_sum_to_the_whole_and_differ_from_the_exact_ones_by_less_than_a_unit(
            whole in 0..u128::from(u64::MAX),
            weights in proptest::collection::vec(0..u128::from(u32::MAX), 1..20),
        ) {
            use num_bigint::BigUint;

            let all: u128 = weights.iter().sum();
            let shares = largest_remainder(whole, &weights, all).unwrap();
            proptest::prop_assert_eq!(shares.iter().sum::<u128>(), if all == 0 { 0 } else { whole });
            for (share, weight) in shares.into_iter().zip(weights) {
                let exact = BigUint::from(whole) * weight;
                proptest::prop_assert!(BigUint::from(share + 1) * all >= exact);
                proptest::prop_assert!(share == 0 || BigUint::from(share - 1) * all <= exact);
            }
        }
    }
}
