//! Sharing an amount out over the lines so that the shares sum to it exactly (D17).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::decimal::Exact;
use crate::wide::Wide;

/// Shares of a total in proportion to weights, in units of the last digit: what is left after rounding down goes,
/// unit by unit, to the largest remainders, ties to the earlier line.
///
/// Nothing where a product does not fit. Without any weight there is nothing to share.
pub(super) fn shares(total: &Wide, weights: &[Wide]) -> Option<Vec<Wide>> {
    let sum = weights.iter().try_fold(Wide::ZERO, |sum, weight| sum.add(weight))?;
    if sum.is_zero() {
        return Some(vec![Wide::ZERO; weights.len()]);
    }
    let mut left = total.clone();
    let mut shares = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        let (share, remainder) = total.multiply(weight)?.divide(&sum)?;
        left = left.subtract(&share)?;
        shares.push(share);
        remainders.push((remainder, Reverse(index)));
    }
    // Fewer units are left than there are lines.
    let mut largest = BinaryHeap::from(remainders);
    while !left.is_zero() {
        let (_, Reverse(index)) = largest.pop()?;
        let share = shares.get_mut(index)?;
        *share = share.add(&Wide::Small(1))?;
        left = left.subtract(&Wide::Small(1))?;
    }
    Some(shares)
}

/// `total × weight ÷ sum` in figures, in units of a scale; cut after 28 fraction digits where it does not end.
pub(super) fn quotient(total: &Wide, weight: &Wide, sum: &Wide, scale: u32) -> Option<String> {
    let (mut quotient, mut rest) = total.multiply(weight)?.divide(sum)?;
    let mut scale = scale;
    let ten = Wide::Small(10);
    while !rest.is_zero() && scale < 28 {
        let (digit, next) = rest.multiply(&ten)?.divide(sum)?;
        quotient = quotient.multiply(&ten)?.add(&digit)?;
        rest = next;
        scale += 1;
    }
    Some(Exact::from_units(quotient, scale).into_plain())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(values: &[u64]) -> Vec<Wide> {
        values.iter().map(|value| Wide::Small(*value)).collect()
    }

    #[test]
    fn a_unit_that_is_left_goes_to_the_largest_remainder() {
        // 100 over 1:1:4 is 16.67, 16.67, 66.67: two units are left and the remainders are equal.
        assert_eq!(shares(&Wide::Small(100), &units(&[1, 1, 4])), Some(units(&[17, 17, 66])));
    }

    #[test]
    fn without_weights_every_share_is_zero() {
        assert_eq!(shares(&Wide::ZERO, &units(&[0, 0])), Some(units(&[0, 0])));
    }

    #[test]
    fn a_quotient_that_does_not_end_is_cut() {
        let third = quotient(&Wide::Small(1), &Wide::Small(1), &Wide::Small(3), 0);
        assert_eq!(third.as_deref(), Some("0.3333333333333333333333333333"));
    }
}
