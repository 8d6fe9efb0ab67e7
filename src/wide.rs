//! Whole numbers that hold every exact result: 64 bits nearly always, 512 bits where decimals have many digits.
//!
//! Three decimals of 96 bits multiplied (a tax compounded on a tax) and shared out over lines need less than 400 bits.

use std::cmp::Ordering;

const LIMBS: usize = 16;

/// A whole number that is not negative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Wide {
    /// What nearly every amount is: computed many times faster.
    Small(u64),
    /// What 64 bits don't hold, the lowest limb first.
    Large(Box<Limbs>),
}

type Limbs = [u32; LIMBS];

impl Wide {
    pub(crate) const ZERO: Self = Self::Small(0);

    /// Of the three parts of a decimal's mantissa, the lowest first.
    pub(crate) fn of_parts([low, middle, high]: [u32; 3]) -> Self {
        let small = u64::from(middle) << 32 | u64::from(low);
        if high == 0 {
            return Self::Small(small);
        }
        let mut limbs = Self::Small(small).limbs();
        limbs.iter_mut().skip(2).take(1).for_each(|limb| *limb = high);
        Self::Large(Box::new(limbs))
    }

    /// The three parts of a decimal's mantissa; nothing where they don't hold it.
    pub(crate) fn parts(&self) -> Option<[u32; 3]> {
        match self {
            Self::Small(small) => Some([low(*small), low(*small >> 32), 0]),
            Self::Large(limbs) => {
                let [low, middle, high, rest @ ..] = **limbs;
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
        let wide = u64::from(divisor);
        match self {
            Self::Small(this) => {
                let rest = *this % wide;
                *this /= wide;
                low(rest)
            }
            Self::Large(limbs) => {
                let mut rest = 0;
                for limb in limbs.iter_mut().rev() {
                    rest = rest << 32 | u64::from(*limb);
                    *limb = low(rest / wide);
                    rest %= wide;
                }
                *self = Self::of_limbs(**limbs);
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
            Self::Large(limbs) => **limbs,
        }
    }

    fn of_limbs(limbs: Limbs) -> Self {
        match limbs {
            [low, high, rest @ ..] if rest.iter().all(|limb| *limb == 0) => {
                Self::Small(u64::from(high) << 32 | u64::from(low))
            }
            limbs => Self::Large(Box::new(limbs)),
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

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(this), Self::Small(other)) => this.cmp(other),
            _ => self.limbs().iter().rev().cmp(other.limbs().iter().rev()),
        }
    }
}
