//! Allocation of an amount to lines, so that the shares sum to it exactly (D17).

use crate::decimal::{Amount, divide, multiply, push_digits};
use crate::sort::sorted_positions;

use super::log::Log;
use super::trace::{Formula, StepTarget};

/// A share of an amount, and its weight.
pub(super) struct Part {
    pub(super) target: StepTarget,
    pub(super) weight: Amount,
}

/// Returns each line's share of the discount, in proportion to its extended price; `None` if a price is unknown or a product
/// has more than 38 digits, which [`Discount`](super::discount::Discount) reports.
pub(super) fn discount_shares(
    discount: Amount,
    prices: &[Option<Amount>],
    scale: u32,
    log: &mut Log,
) -> Option<Vec<Amount>> {
    if discount.is_zero() {
        // Every share is zero, even if a price is unknown.
        return Some(vec![discount; prices.len()]);
    }
    let mut parts = Vec::with_capacity(prices.len());
    for (index, price) in prices.iter().enumerate() {
        parts.push(Part { target: StepTarget::Line(index, "discount"), weight: (*price)? });
    }
    allocate(discount, &parts, scale, |weight| weight.to_plain_string(), log)
}

/// Allocates an amount of a currency in proportion to weights; returns `None` if its product with their sum has more than 38
/// digits (D18).
///
/// `show` prints a weight for the trace.
pub(super) fn allocate(
    amount: Amount,
    parts: &[Part],
    scale: u32,
    show: fn(&Amount) -> String,
    log: &mut Log,
) -> Option<Vec<Amount>> {
    let mut sum = Amount::zero(0);
    for part in parts {
        sum = sum.plus(part.weight)?;
    }
    let mut weights = Vec::with_capacity(parts.len());
    for part in parts {
        weights.push(part.weight.units_at(sum.scale())?);
    }
    let (whole, all) = (amount.units(), sum.units());
    let mut shares = Vec::with_capacity(parts.len());
    for share in largest_remainder(whole, &weights, all)? {
        shares.push(Amount::new(share, scale));
    }
    if log.trace.is_recorded() {
        for ((part, weight), share) in parts.iter().zip(&weights).zip(&shares) {
            let exact = quotient(whole, *weight, all, scale).unwrap_or_else(|| share.to_plain_string());
            let formula = Formula::Share(amount, &show(&part.weight), &show(&sum));
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
    // No product with a weight is larger, so all of them fit if this one does.
    multiply(total, all)?;
    let mut left = total;
    let mut shares = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    for weight in weights {
        let (share, remainder) = divide(multiply(total, *weight)?, all)?;
        left = left.checked_sub(share)?;
        shares.push(share);
        remainders.push(remainder);
    }
    if left != 0 {
        let largest_first = |left, right| remainders.get::<usize>(right).cmp(&remainders.get::<usize>(left));
        // Fewer units are left than there are lines.
        let largest = sorted_positions(weights.len(), &largest_first);
        for index in largest.into_iter().take(usize::try_from(left).ok()?) {
            *shares.get_mut(index)? += 1;
        }
    }
    Some(shares)
}

/// Prints `total × weight ÷ all`, in units of a scale; cut after 28 fraction digits if it does not end, or before a digit that
/// does not fit.
fn quotient(total: u128, weight: u128, all: u128, scale: u32) -> Option<String> {
    let product = multiply(total, weight)?;
    let (whole, mut rest) = divide(product, all)?;
    let mut quotient = Amount::new(whole, scale).to_plain_string();
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
        let allocated = |amount: Amount, price: u128| {
            let part = Part { target: StepTarget::Line(0, "discount"), weight: Amount::new(price, 0) };
            allocate(amount, &[part], 0, |weight| weight.to_plain_string(), &mut Log::default())
        };
        let (nine, ten) = (Amount::new(9, 0), Amount::new(10, 0));
        assert_eq!(allocated(nine, 10_u128.pow(37)), Some(vec![nine]));
        assert_eq!(allocated(ten, 10_u128.pow(37)), None);
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
