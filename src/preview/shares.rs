//! Sharing an amount out over the lines so that the shares sum to it exactly (D17).

use ethnum::U256;

/// Shares of a total in proportion to weights, in units of the last digit: what is left after rounding down goes,
/// unit by unit, to the largest remainders, ties to the earlier line.
///
/// Nothing where a product does not fit 256 bits. Without any weight there is nothing to share.
pub(super) fn shares(total: U256, weights: &[U256]) -> Option<Vec<U256>> {
    let sum = weights.iter().try_fold(U256::ZERO, |sum, weight| sum.checked_add(*weight))?;
    if sum == U256::ZERO {
        return Some(vec![U256::ZERO; weights.len()]);
    }
    let mut left = total;
    let mut shares = Vec::with_capacity(weights.len());
    let mut remainders = Vec::with_capacity(weights.len());
    for (index, weight) in weights.iter().enumerate() {
        let (share, remainder) = divide(total.checked_mul(*weight)?, sum);
        left = left.checked_sub(share)?;
        shares.push(share);
        remainders.push((remainder, index));
    }
    // Fewer units are left than there are lines.
    let left = usize::try_from(left).ok()?;
    remainders.sort_unstable_by(|(remainder, index), (other, other_index)| {
        other.cmp(remainder).then(index.cmp(other_index))
    });
    for (_, index) in remainders.into_iter().take(left) {
        if let Some(share) = shares.get_mut(index) {
            *share = share.checked_add(U256::ONE)?;
        }
    }
    Some(shares)
}

/// Quotient and remainder; 128 bits hold nearly every product, and are divided many times faster.
fn divide(dividend: U256, divisor: U256) -> (U256, U256) {
    match (u128::try_from(dividend), u128::try_from(divisor)) {
        (Ok(dividend), Ok(divisor)) => (U256::from(dividend / divisor), U256::from(dividend % divisor)),
        _ => (dividend / divisor, dividend % divisor),
    }
}

/// `total × weight ÷ sum` in figures, at a scale; cut after 28 more digits where it does not end.
pub(super) fn quotient(total: U256, weight: U256, sum: U256, scale: u32) -> Option<String> {
    let (mut quotient, mut rest) = divide(total.checked_mul(weight)?, sum);
    let mut scale = scale;
    let ten = U256::from(10_u32);
    while rest != U256::ZERO && scale < 28 {
        let (digit, next) = divide(rest.checked_mul(ten)?, sum);
        quotient = quotient.checked_mul(ten)?.checked_add(digit)?;
        rest = next;
        scale += 1;
    }
    Some(crate::decimal::Exact::from_units(quotient, scale).to_plain())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(values: &[u64]) -> Vec<U256> {
        values.iter().map(|value| U256::from(*value)).collect()
    }

    #[test]
    fn a_unit_that_is_left_goes_to_the_largest_remainder() {
        // 100 over 1:1:4 is 16.67, 16.67, 66.67: two units are left and the remainders are equal.
        assert_eq!(shares(U256::from(100_u32), &units(&[1, 1, 4])), Some(units(&[17, 17, 66])));
    }

    #[test]
    fn without_weights_every_share_is_zero() {
        assert_eq!(shares(U256::ZERO, &units(&[0, 0])), Some(units(&[0, 0])));
    }

    #[test]
    fn a_quotient_that_does_not_end_is_cut() {
        let third = quotient(U256::ONE, U256::ONE, U256::from(3_u32), 0);
        assert_eq!(third.as_deref(), Some("0.3333333333333333333333333333"));
    }
}
