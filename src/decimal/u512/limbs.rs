//! Schoolbook arithmetic on 512 bits in limbs of 32.

const LIMBS: usize = 16;

/// 512 bits, the lowest limb first.
pub(super) type Limbs = [u32; LIMBS];

/// Every number with this many digits fits a limb.
pub(super) const DIGITS_IN_LIMB: u32 = 9;

/// Returns the lower half.
#[expect(clippy::cast_possible_truncation, reason = "the upper half is used elsewhere")]
pub(super) fn low(bits: u64) -> u32 {
    bits as u32
}

pub(super) fn from_u64(bits: u64) -> Limbs {
    let mut limbs = [0; LIMBS];
    limbs.iter_mut().zip([low(bits), low(bits >> 32)]).for_each(|(limb, half)| *limb = half);
    limbs
}

/// Returns `None` beyond 512 bits.
pub(super) fn add(mut left: Limbs, right: &Limbs) -> Option<Limbs> {
    let mut carry = 0;
    for (limb, other) in left.iter_mut().zip(right) {
        carry += u64::from(*limb) + u64::from(*other);
        *limb = low(carry);
        carry >>= 32;
    }
    (carry == 0).then_some(left)
}

/// Returns `None` if the difference is negative.
pub(super) fn subtract(mut left: Limbs, right: &Limbs) -> Option<Limbs> {
    let mut borrows = false;
    for (limb, other) in left.iter_mut().zip(right) {
        let (less, first) = limb.overflowing_sub(*other);
        let (less, second) = less.overflowing_sub(borrows.into());
        *limb = less;
        borrows = first || second;
    }
    (!borrows).then_some(left)
}

/// Returns `None` beyond 512 bits.
pub(super) fn multiply(left: &Limbs, right: &Limbs) -> Option<Limbs> {
    let mut product = [0; LIMBS];
    for (shift, factor) in right.iter().enumerate().filter(|(_, factor)| **factor != 0) {
        let mut carry = 0;
        let mut sums = product.iter_mut().skip(shift);
        for limb in left {
            let Some(sum) = sums.next() else {
                if *limb != 0 {
                    return None;
                }
                continue;
            };
            carry += u64::from(*limb) * u64::from(*factor) + u64::from(*sum);
            *sum = low(carry);
            carry >>= 32;
        }
        if carry != 0 {
            return None;
        }
    }
    Some(product)
}

/// Returns quotient and remainder. The divisor is not 0.
///
/// Works bit by bit: slow, but hardly any order needs it.
pub(super) fn divide(mut dividend: Limbs, divisor: &Limbs) -> (Limbs, Limbs) {
    let mut remainder = [0; LIMBS];
    for _ in 0..LIMBS * 32 {
        let bit = shift_left(&mut dividend, 0);
        shift_left(&mut remainder, bit);
        if let Some(less) = subtract(remainder, divisor) {
            remainder = less;
            dividend.iter_mut().take(1).for_each(|limb| *limb |= 1);
        }
    }
    (dividend, remainder)
}

/// Divides in place and returns the remainder. The divisor is not 0.
pub(super) fn divide_by(limbs: &mut Limbs, divisor: u64) -> u64 {
    let mut remainder = 0;
    for limb in limbs.iter_mut().rev() {
        remainder = remainder << 32 | u64::from(*limb);
        *limb = low(remainder / divisor);
        remainder %= divisor;
    }
    remainder
}

/// Shifts by one bit, with the given bit as the lowest, and returns the bit that was the highest.
fn shift_left(limbs: &mut Limbs, mut bit: u32) -> u32 {
    for limb in limbs {
        let highest = *limb >> 31;
        *limb = *limb << 1 | bit;
        bit = highest;
    }
    bit
}
