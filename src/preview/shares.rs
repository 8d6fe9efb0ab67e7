//! Sharing an amount out over the lines so that the shares sum to it exactly (D17).

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use rust_decimal::Decimal;

use crate::decimal::{Exact, to_plain_string};
use crate::u512::U512;

use super::calculation::Calculation;
use super::steps::{How, Of};

/// What takes part, and how much it weighs.
pub(super) struct Part {
    /// The share in the preview.
    pub(super) of: Of,
    pub(super) exact: Exact,
}

impl Calculation<'_, '_, '_> {
    /// Shares of an amount in proportion to the parts; nothing where one does not fit. `show` writes a weight in figures.
    pub(super) fn shares(
        &mut self,
        total: Decimal,
        parts: &[Part],
        show: fn(&Exact) -> String,
    ) -> Option<Vec<Decimal>> {
        let scale = self.options.scale;
        let mut sum = Exact::ZERO;
        for part in parts {
            sum = sum.plus(&part.exact)?;
        }
        let mut weights = Vec::with_capacity(parts.len());
        for part in parts {
            weights.push(part.exact.units_at(sum.scale())?);
        }
        let (whole, all) = (Exact::new(total)?.units_at(scale)?, sum.units_at(sum.scale())?);
        let mut shares = Vec::with_capacity(parts.len());
        for share in allotted(&whole, &weights, &all)? {
            shares.push(Exact::from_units(share, scale).at_scale(scale)?);
        }
        if self.steps.wanted() {
            for ((part, weight), share) in parts.iter().zip(&weights).zip(&shares) {
                let exact = quotient(&whole, weight, &all, scale).unwrap_or_else(|| to_plain_string(share));
                let how = How::Share(&to_plain_string(&total), &show(&part.exact), &show(&sum));
                self.steps.push("D17", part.of, how, exact, share);
            }
        }
        Some(shares)
    }
}

/// Shares in units of the last digit, for weights that sum to `all`: what is left after rounding down goes, unit by
/// unit, to the largest remainders, ties to the earlier line.
///
/// Nothing where a product does not fit. Without any weight there is nothing to share.
fn allotted(total: &U512, weights: &[U512], all: &U512) -> Option<Vec<U512>> {
    if all.is_zero() {
        return Some(vec![U512::ZERO; weights.len()]);
    }
    let mut left = total.clone();
    let mut shares = Vec::with_capacity(weights.len());
    let mut largest = BinaryHeap::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        let (share, remainder) = total.multiply(weight)?.divide(all)?;
        left = left.subtract(&share)?;
        shares.push(share);
        largest.push((remainder, Reverse(index)));
    }
    // Fewer units are left than there are lines.
    while !left.is_zero() {
        let (_, Reverse(index)) = largest.pop()?;
        let share = shares.get_mut(index)?;
        *share = share.add(&U512::Small(1))?;
        left = left.subtract(&U512::Small(1))?;
    }
    Some(shares)
}

/// `total × weight ÷ sum` in figures, in units of a scale; cut after 28 fraction digits where it does not end.
fn quotient(total: &U512, weight: &U512, sum: &U512, scale: u32) -> Option<String> {
    let (mut quotient, mut rest) = total.multiply(weight)?.divide(sum)?;
    let mut scale = scale;
    let ten = U512::Small(10);
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

    fn units(values: &[u64]) -> Vec<U512> {
        values.iter().map(|value| U512::Small(*value)).collect()
    }

    #[test]
    fn a_unit_that_is_left_goes_to_the_largest_remainder() {
        // 100 over 1:1:4 is 16.67, 16.67, 66.67: two units are left and the remainders are equal.
        assert_eq!(
            allotted(&U512::Small(100), &units(&[1, 1, 4]), &U512::Small(6)),
            Some(units(&[17, 17, 66]))
        );
    }

    #[test]
    fn without_weights_every_share_is_zero() {
        assert_eq!(allotted(&U512::ZERO, &units(&[0, 0]), &U512::ZERO), Some(units(&[0, 0])));
    }

    #[test]
    fn a_quotient_that_does_not_end_is_cut() {
        let third = quotient(&U512::Small(1), &U512::Small(1), &U512::Small(3), 0);
        assert_eq!(third.as_deref(), Some("0.3333333333333333333333333333"));
    }
}
