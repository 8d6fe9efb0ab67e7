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
    (add_to(&mut left, right) == 0).then_some(left)
}

/// Returns `None` if the difference is negative.
pub(super) fn subtract(mut left: Limbs, right: &Limbs) -> Option<Limbs> {
    (subtract_multiple(&mut left, right, 1) == 0).then_some(left)
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
/// Long division, one limb of the quotient after the other (Knuth, The Art of Computer Programming, 4.3.1, algorithm D).
pub(super) fn divide(mut dividend: Limbs, divisor: &Limbs) -> (Limbs, Limbs) {
    let length = LIMBS - divisor.iter().rev().take_while(|limb| **limb == 0).count();
    let Some(highest) = length.checked_sub(1).and_then(|index| divisor.get(index)) else {
        return ([0; LIMBS], dividend);
    };
    if length == 1 {
        let remainder = divide_by(&mut dividend, u64::from(*highest));
        return (dividend, from_u64(remainder));
    }
    // With the highest bit of the divisor set, an estimate from the highest limbs is at most 2 too large.
    let shift = highest.leading_zeros();
    let (divisor, _) = shift_left(divisor, shift);
    let (dividend, overflow) = shift_left(&dividend, shift);
    let limb = |limbs: &Limbs, index: usize| u64::from(limbs.get(index).copied().unwrap_or_default());
    let highest = limb(&divisor, length - 1);
    let mut quotient = [0; LIMBS];
    let mut remainder = from_u64(u64::from(overflow));
    for (digit, next) in quotient.iter_mut().zip(dividend).rev() {
        // A limb beyond the 512 bits.
        let mut beyond = push_limb(&mut remainder, next);
        let high = if length == LIMBS { u64::from(beyond) } else { limb(&remainder, length) };
        let mut estimate =
            low(((high << 32 | limb(&remainder, length - 1)) / highest).min(u64::from(u32::MAX)));
        if estimate > 0 {
            beyond = beyond.wrapping_sub(subtract_multiple(&mut remainder, &divisor, estimate));
        }
        while beyond != 0 {
            // Too much was subtracted.
            estimate -= 1;
            beyond = beyond.wrapping_add(add_to(&mut remainder, &divisor));
        }
        *digit = estimate;
    }
    divide_by(&mut remainder, 1 << shift);
    (quotient, remainder)
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

/// Appends a limb at the lower end, and returns the one that goes beyond the upper end.
fn push_limb(limbs: &mut Limbs, limb: u32) -> u32 {
    limbs.iter_mut().fold(limb, |carry, limb| std::mem::replace(limb, carry))
}

/// Subtracts `factor` times another integer, and returns what was borrowed beyond 512 bits.
fn subtract_multiple(limbs: &mut Limbs, other: &Limbs, factor: u32) -> u32 {
    let mut borrow = 0;
    for (limb, other) in limbs.iter_mut().zip(other) {
        let product = u64::from(*other) * u64::from(factor) + borrow;
        let (less, borrows) = limb.overflowing_sub(low(product));
        *limb = less;
        borrow = (product >> 32) + u64::from(borrows);
    }
    low(borrow)
}

/// Adds in place, and returns the carry beyond 512 bits.
fn add_to(limbs: &mut Limbs, other: &Limbs) -> u32 {
    let mut carry = 0;
    for (limb, other) in limbs.iter_mut().zip(other) {
        carry += u64::from(*limb) + u64::from(*other);
        *limb = low(carry);
        carry >>= 32;
    }
    low(carry)
}

/// Shifts by less than 32 bits, and returns the bits that go beyond the upper end too.
fn shift_left(limbs: &Limbs, bits: u32) -> (Limbs, u32) {
    let mut carry = 0;
    let shifted = limbs.map(|limb| {
        carry |= u64::from(limb) << bits;
        let shifted = low(carry);
        carry >>= 32;
        shifted
    });
    (shifted, low(carry))
}
