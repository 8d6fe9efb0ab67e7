//! Whole numbers that hold every exact result: 64 bits nearly always, 512 bits where decimals have many digits.
//!
//! Three decimals of 96 bits multiplied (a tax compounded on a tax) and shared out over lines need less than 400 bits.

use std::cmp::Ordering;

const LIMBS: usize = 16;

/// A whole number that is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum U512 {
    /// What nearly every amount is: computed many times faster.
    Small(u64),
    /// What 64 bits don't hold, the lowest limb first.
    Large(Limbs),
}

type Limbs = [u32; LIMBS];

impl U512 {
    pub(crate) const ZERO: Self = Self::Small(0);

    /// Of the three parts of a decimal's mantissa, the lowest first.
    pub(crate) fn of_parts([low, middle, high]: [u32; 3]) -> Self {
        let small = u64::from(middle) << 32 | u64::from(low);
        if high == 0 {
            return Self::Small(small);
        }
        let mut limbs = Self::Small(small).limbs();
        limbs.iter_mut().skip(2).take(1).for_each(|limb| *limb = high);
        Self::Large(limbs)
    }

    /// The three parts of a decimal's mantissa; nothing where they don't hold it.
    pub(crate) fn parts(&self) -> Option<[u32; 3]> {
        match self {
            Self::Small(small) => Some([low(*small), low(*small >> 32), 0]),
            Self::Large(limbs) => {
                let [low, middle, high, rest @ ..] = *limbs;
                rest.iter().all(|limb| *limb == 0).then_some([low, middle, high])
            }
        }
    }

    pub(crate) fn power_of_ten(power: u32) -> Option<Self> {
        if let Some(small) = 10_u64.checked_pow(power) {
            return Some(Self::Small(small));
        }
        Self::Small(10_u64.pow(19)).multiply(&Self::power_of_ten(power - 19)?)
    }

    pub(crate) fn add(&self, other: &Self) -> Option<Self> {
        if let (Self::Small(this), Self::Small(other)) = (self, other)
            && let Some(sum) = this.checked_add(*other)
        {
            return Some(Self::Small(sum));
        }
        let mut sum = self.limbs();
        let mut carry = 0;
        for (limb, other) in sum.iter_mut().zip(other.limbs()) {
            carry += u64::from(*limb) + u64::from(other);
            *limb = low(carry);
            carry >>= 32;
        }
        (carry == 0).then(|| Self::of_limbs(sum))
    }

    /// Nothing where the difference would be negative.
    pub(crate) fn subtract(&self, other: &Self) -> Option<Self> {
        if let (Self::Small(this), Self::Small(other)) = (self, other) {
            return this.checked_sub(*other).map(Self::Small);
        }
        let mut difference = self.limbs();
        let borrowed = subtract_from(&mut difference, &other.limbs());
        (!borrowed).then(|| Self::of_limbs(difference))
    }

    pub(crate) fn multiply(&self, other: &Self) -> Option<Self> {
        if let (Self::Small(this), Self::Small(other)) = (self, other)
            && this.leading_zeros() + other.leading_zeros() >= u64::BITS
        {
            return Some(Self::Small(this * other));
        }
        let (this, other) = (self.limbs(), other.limbs());
        let mut product = [0; LIMBS];
        for (shift, factor) in other.iter().enumerate().filter(|(_, factor)| **factor != 0) {
            let mut carry = 0;
            let mut places = product.iter_mut().skip(shift);
            for limb in this {
                let Some(place) = places.next() else {
                    // Beyond 512 bits nothing may be left.
                    if limb != 0 || carry != 0 {
                        return None;
                    }
                    continue;
                };
                carry += u64::from(limb) * u64::from(*factor) + u64::from(*place);
                *place = low(carry);
                carry >>= 32;
            }
            if carry != 0 {
                return None;
            }
        }
        Some(Self::of_limbs(product))
    }

    /// Quotient and remainder; nothing where the divisor is zero.
    pub(crate) fn divide(&self, divisor: &Self) -> Option<(Self, Self)> {
        match (self, divisor) {
            (_, Self::Small(0)) => return None,
            (Self::Small(this), Self::Small(divisor)) => {
                return Some((Self::Small(this / divisor), Self::Small(this % divisor)));
            }
            _ => {}
        }
        // Bit by bit: slow, but this is what hardly any order needs.
        let divisor = divisor.limbs();
        let (mut quotient, mut rest) = (self.limbs(), [0; LIMBS]);
        for _ in 0..LIMBS * 32 {
            let bit = shift_left(&mut quotient, 0);
            shift_left(&mut rest, bit);
            let mut less = rest;
            if !subtract_from(&mut less, &divisor) {
                rest = less;
                quotient.iter_mut().take(1).for_each(|limb| *limb |= 1);
            }
        }
        Some((Self::of_limbs(quotient), Self::of_limbs(rest)))
    }

    /// Cuts digits off at the right, and tells whether one of them was not 0.
    pub(crate) fn cut_digits(&mut self, mut count: u32) -> bool {
        let mut cut = false;
        while count > 0 && *self != Self::ZERO {
            let step = count.min(CHUNK);
            count -= step;
            cut |= self.divide_small(10_u32.pow(step)) != 0;
        }
        cut
    }

    /// Cuts off the last digit.
    pub(crate) fn last_digit(&mut self) -> u32 {
        self.divide_small(10)
    }

    /// The decimal digits, the last one first; none for zero.
    pub(crate) fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::with_capacity(32);
        let mut push = |rest: &mut u64| {
            digits.push(u8::try_from(*rest % 10).unwrap_or_default());
            *rest /= 10;
        };
        while let Self::Large(_) = self {
            let mut chunk = u64::from(self.divide_small(10_u32.pow(CHUNK)));
            (0..CHUNK).for_each(|_| push(&mut chunk));
        }
        if let Self::Small(mut small) = self {
            while small != 0 {
                push(&mut small);
            }
        }
        digits
    }

    /// Of digits; nothing where there is something else among them.
    pub(crate) fn of_digits(digits: &str) -> Option<Self> {
        let mut digits = digits.bytes().map(|byte| byte.is_ascii_digit().then(|| byte - b'0'));
        digits.try_fold(Self::ZERO, |number, digit| number.push_digit(digit?))
    }

    /// The number with one more digit behind it.
    pub(crate) fn push_digit(self, digit: u8) -> Option<Self> {
        match self {
            Self::Small(small) if small < u64::MAX / 10 => Some(Self::Small(small * 10 + u64::from(digit))),
            _ => self.multiply(&Self::Small(10))?.add(&Self::Small(digit.into())),
        }
    }

    pub(crate) fn is_odd(&self) -> bool {
        match self {
            Self::Small(small) => small % 2 == 1,
            Self::Large(limbs) => limbs.first().is_some_and(|limb| limb % 2 == 1),
        }
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// Divides by a number that is not 0, and gives the remainder.
    fn divide_small(&mut self, divisor: u32) -> u32 {
        let u512 = u64::from(divisor);
        match self {
            Self::Small(this) => {
                let rest = *this % u512;
                *this /= u512;
                low(rest)
            }
            Self::Large(limbs) => {
                let mut rest = 0;
                for limb in limbs.iter_mut().rev() {
                    rest = rest << 32 | u64::from(*limb);
                    *limb = low(rest / u512);
                    rest %= u512;
                }
                *self = Self::of_limbs(*limbs);
                low(rest)
            }
        }
    }

    fn limbs(&self) -> Limbs {
        match self {
            Self::Small(small) => {
                let mut limbs = [0; LIMBS];
                limbs.iter_mut().zip([low(*small), low(*small >> 32)]).for_each(|(limb, half)| *limb = half);
                limbs
            }
            Self::Large(limbs) => *limbs,
        }
    }

    fn of_limbs(limbs: Limbs) -> Self {
        match limbs {
            [low, high, rest @ ..] if rest.iter().all(|limb| *limb == 0) => {
                Self::Small(u64::from(high) << 32 | u64::from(low))
            }
            limbs => Self::Large(limbs),
        }
    }
}

/// As many digits as a limb is sure to hold.
const CHUNK: u32 = 9;

/// The lower half.
#[expect(clippy::cast_possible_truncation, reason = "the upper half goes elsewhere")]
fn low(bits: u64) -> u32 {
    bits as u32
}

/// Subtracts in place; true where the other was larger.
fn subtract_from(limbs: &mut Limbs, other: &Limbs) -> bool {
    let mut borrowed = false;
    for (limb, other) in limbs.iter_mut().zip(other) {
        let (less, first) = limb.overflowing_sub(*other);
        let (less, second) = less.overflowing_sub(borrowed.into());
        *limb = less;
        borrowed = first || second;
    }
    borrowed
}

/// Shifts one bit in at the right, and gives the one that fell out.
fn shift_left(limbs: &mut Limbs, mut bit: u32) -> u32 {
    for limb in limbs {
        let out = *limb >> 31;
        *limb = *limb << 1 | bit;
        bit = out;
    }
    bit
}

impl Default for U512 {
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialOrd for U512 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for U512 {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(this), Self::Small(other)) => this.cmp(other),
            _ => self.limbs().iter().rev().cmp(other.limbs().iter().rev()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn u512(value: u128) -> U512 {
        U512::of_digits(&value.to_string()).unwrap()
    }

    fn value(u512: &U512) -> u128 {
        u512.clone().into_digits().iter().rev().fold(0, |value, digit| value * 10 + u128::from(*digit))
    }

    /// Numbers of every length, with the edges of limbs among them.
    fn numbers() -> Vec<u128> {
        let edges = [
            0,
            1,
            2,
            9,
            10,
            1 << 31,
            (1 << 32) - 1,
            1 << 32,
            u64::MAX.into(),
            1 << 64,
            1 << 96,
            u128::MAX / 4,
        ];
        let mut seed = 20_261_120_u128;
        let random = (0..120).map(|length| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005_129).wrapping_add(1_442_695_040_888_963_407);
            seed >> (length % 126 + 2)
        });
        edges.into_iter().chain(random.collect::<Vec<_>>()).collect()
    }

    #[test]
    fn what_128_bits_hold_is_computed_as_128_bits_compute_it() {
        for a in numbers() {
            assert_eq!(value(&u512(a)), a);
            for b in numbers() {
                let (left, right) = (u512(a), u512(b));
                assert_eq!(left.cmp(&right), a.cmp(&b));
                assert_eq!(value(&left.add(&right).unwrap()), a + b);
                assert_eq!(left.subtract(&right).map(|u512| value(&u512)), a.checked_sub(b), "{a} - {b}");
                if let Some(product) = a.checked_mul(b) {
                    assert_eq!(value(&left.multiply(&right).unwrap()), product, "{a} × {b}");
                }
                let quotient = left.divide(&right).map(|(quotient, rest)| (value(&quotient), value(&rest)));
                assert_eq!(quotient, a.checked_div(b).zip(a.checked_rem(b)), "{a} ÷ {b}");
            }
        }
    }

    #[test]
    fn what_only_512_bits_hold_is_a_product_that_can_be_divided_again() {
        for (a, b) in
            numbers().into_iter().zip(numbers().into_iter().rev()).filter(|(a, b)| *a != 0 && *b != 0)
        {
            let (a, b) = (u512(a), u512(b));
            let product = a.multiply(&b).and_then(|once| once.multiply(&a)).unwrap();
            let rest = b.subtract(&U512::Small(1)).unwrap();
            let (quotient, left) = product.add(&rest).unwrap().divide(&b).unwrap();
            assert_eq!((quotient, left), (a.multiply(&a).unwrap(), rest));
            let mut cut = product.clone();
            let (by_power, dropped) = product.divide(&U512::power_of_ten(23).unwrap()).unwrap();
            assert_eq!(cut.cut_digits(23), !dropped.is_zero());
            assert_eq!(cut, by_power);
        }
    }

    #[test]
    fn what_512_bits_do_not_hold_is_nothing() {
        let half = (0..8).try_fold(U512::Small(1), |power, _| power.multiply(&U512::Small(1 << 32))).unwrap();
        let most = half.multiply(&half.subtract(&U512::Small(1)).unwrap()).unwrap();
        assert!(half.multiply(&half).is_none());
        assert!(most.add(&most).is_none());
        assert!(U512::power_of_ten(154).is_some() && U512::power_of_ten(155).is_none());
    }
}
