//! Unsigned integers of up to 512 bits, which hold every exact result. Nearly all results fit 64 bits.
//!
//! The product of three 96-bit decimals (a tax compounded on a tax), allocated to lines, needs less than 400 bits.
//! Beyond 512 bits every operation returns `None`.
//!
//! Our own code, because other crates are larger and slower at this. Measured behind the same interface, by `make build`
//! (core.wasm) and by calling `previewOrder` with an order of 10 lines in Node:
//!
//! | | core.wasm | with brotli | preview |
//! |---|---|---|---|
//! | this module | 143,607 bytes | 52,488 | 41.8 µs |
//! | ruint 1 | +22,578 bytes | +6,567 | 45.4 µs |
//! | num-bigint 0.5 | +47,568 bytes | +13,250 | 46.3 µs |
//!
//! The tests compare it with num-bigint.

mod limbs;

use std::cmp::Ordering;

use self::Repr::{Large, Small};
use self::limbs::{DIGITS_IN_LIMB, Limbs, low};

/// An unsigned integer of up to 512 bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct U512(Repr);

/// `Small` if the integer fits 64 bits, otherwise `Large`, so equal integers have equal representations.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Repr {
    /// Holds nearly every amount, and is many times faster.
    Small(u64),
    Large(Limbs),
}

impl U512 {
    pub(crate) const ZERO: Self = Self(Small(0));
    pub(crate) const ONE: Self = Self(Small(1));

    /// Returns the integer of a decimal's mantissa, its lowest part first.
    pub(super) fn from_parts([low, middle, high]: [u32; 3]) -> Self {
        let small = u64::from(middle) << 32 | u64::from(low);
        if high == 0 {
            return Self(Small(small));
        }
        let mut limbs = Self(Small(small)).limbs();
        limbs.iter_mut().skip(2).take(1).for_each(|limb| *limb = high);
        Self(Large(limbs))
    }

    /// Returns the parts of a decimal's mantissa, the lowest first; `None` beyond 96 bits.
    pub(super) fn to_parts(&self) -> Option<[u32; 3]> {
        match self.0 {
            Small(small) => Some([low(small), low(small >> 32), 0]),
            Large([low, middle, high, ref rest @ ..]) => {
                rest.iter().all(|limb| *limb == 0).then_some([low, middle, high])
            }
        }
    }

    /// Returns the integer if 64 bits hold it, `None` otherwise.
    pub(crate) fn to_u64(&self) -> Option<u64> {
        if let Small(small) = self.0 { Some(small) } else { None }
    }

    /// Parses decimal digits; returns `None` for any other string and beyond 512 bits.
    pub(crate) fn from_digits(digits: &str) -> Option<Self> {
        if digits.is_empty() {
            return None;
        }
        let mut digits = digits.bytes().map(|byte| byte.is_ascii_digit().then(|| byte - b'0'));
        digits.try_fold(Self::ZERO, |integer, digit| integer.push_digit(digit?))
    }

    pub(crate) fn power_of_ten(power: u32) -> Option<Self> {
        if let Some(small) = 10_u64.checked_pow(power) {
            return Some(Self(Small(small)));
        }
        Self(Small(10_u64.pow(19))).checked_mul(&Self::power_of_ten(power - 19)?)
    }

    pub(crate) fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    pub(crate) fn is_odd(&self) -> bool {
        match &self.0 {
            Small(small) => small % 2 == 1,
            Large(limbs) => limbs.first().is_some_and(|limb| limb % 2 == 1),
        }
    }

    pub(crate) fn checked_add(&self, other: &Self) -> Option<Self> {
        if let (Small(this), Small(other)) = (&self.0, &other.0)
            && let Some(sum) = this.checked_add(*other)
        {
            return Some(Self(Small(sum)));
        }
        limbs::add(self.limbs(), &other.limbs()).map(Self::from_limbs)
    }

    /// Returns `None` if the difference is negative.
    pub(crate) fn checked_sub(&self, other: &Self) -> Option<Self> {
        if let (Small(this), Small(other)) = (&self.0, &other.0) {
            return this.checked_sub(*other).map(Self::from);
        }
        limbs::subtract(self.limbs(), &other.limbs()).map(Self::from_limbs)
    }

    pub(crate) fn checked_mul(&self, other: &Self) -> Option<Self> {
        if let (Small(this), Small(other)) = (&self.0, &other.0)
            && this.leading_zeros() + other.leading_zeros() >= u64::BITS
        {
            return Some(Self(Small(this * other)));
        }
        limbs::multiply(&self.limbs(), &other.limbs()).map(Self::from_limbs)
    }

    /// Returns quotient and remainder, `None` if the divisor is 0.
    pub(crate) fn checked_div_rem(&self, divisor: &Self) -> Option<(Self, Self)> {
        match (&self.0, &divisor.0) {
            (_, Small(0)) => return None,
            (Small(this), Small(divisor)) => {
                return Some((Self(Small(this / divisor)), Self(Small(this % divisor))));
            }
            _ => {}
        }
        let (quotient, remainder) = limbs::divide(self.limbs(), &divisor.limbs());
        Some((Self::from_limbs(quotient), Self::from_limbs(remainder)))
    }

    /// Cuts off the last digits; returns true if one of them was not 0.
    pub(crate) fn cut_digits(&mut self, mut count: u32) -> bool {
        let mut lost = false;
        while count > 0 && !self.is_zero() {
            let step = count.min(DIGITS_IN_LIMB);
            count -= step;
            lost |= self.divide_by(10_u32.pow(step)) != 0;
        }
        lost
    }

    /// Cuts off the last digit and returns it.
    pub(crate) fn cut_digit(&mut self) -> u32 {
        self.divide_by(10)
    }

    /// Returns the integer with one more digit at the end.
    pub(crate) fn push_digit(self, digit: u8) -> Option<Self> {
        match self.0 {
            Small(small) if small < u64::MAX / 10 => Some(Self(Small(small * 10 + u64::from(digit)))),
            _ => self.checked_mul(&Self(Small(10)))?.checked_add(&Self(Small(digit.into()))),
        }
    }

    /// Returns the decimal digits, the last one first; none for 0.
    pub(crate) fn into_digits(mut self) -> Vec<u8> {
        let mut digits = Vec::with_capacity(32);
        let mut push = |rest: &mut u64| {
            digits.push(u8::try_from(*rest % 10).unwrap_or_default());
            *rest /= 10;
        };
        while let Large(_) = self.0 {
            let mut chunk = u64::from(self.divide_by(10_u32.pow(DIGITS_IN_LIMB)));
            (0..DIGITS_IN_LIMB).for_each(|_| push(&mut chunk));
        }
        if let Small(mut small) = self.0 {
            while small != 0 {
                push(&mut small);
            }
        }
        digits
    }

    /// Divides by a number other than 0 and returns the remainder.
    fn divide_by(&mut self, divisor: u32) -> u32 {
        let divisor = u64::from(divisor);
        match &mut self.0 {
            Small(this) => {
                let remainder = *this % divisor;
                *this /= divisor;
                low(remainder)
            }
            Large(limbs) => {
                let remainder = limbs::divide_by(limbs, divisor);
                *self = Self::from_limbs(*limbs);
                low(remainder)
            }
        }
    }

    fn limbs(&self) -> Limbs {
        match self.0 {
            Small(small) => limbs::from_u64(small),
            Large(limbs) => limbs,
        }
    }

    fn from_limbs(limbs: Limbs) -> Self {
        match limbs {
            [low, high, ref rest @ ..] if rest.iter().all(|limb| *limb == 0) => {
                Self(Small(u64::from(high) << 32 | u64::from(low)))
            }
            limbs => Self(Large(limbs)),
        }
    }
}

impl From<u64> for U512 {
    fn from(integer: u64) -> Self {
        Self(Small(integer))
    }
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
        match (&self.0, &other.0) {
            (Small(this), Small(other)) => this.cmp(other),
            _ => self.limbs().iter().rev().cmp(other.limbs().iter().rev()),
        }
    }
}

#[cfg(test)]
mod tests;
