//! Whole numbers that hold every exact result: 128 bits nearly always, 512 bits where decimals have many digits.
//!
//! Three decimals of 96 bits multiplied (a tax compounded on a tax) and shared out over lines need less than 400 bits.

use std::cmp::Ordering;

use ruint::aliases::U512;

/// A whole number that is not negative.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Wide {
    /// What nearly every amount is: computed many times faster.
    Small(u128),
    Large(U512),
}

impl Wide {
    pub(crate) const ZERO: Self = Self::Small(0);

    pub(crate) fn power_of_ten(power: u32) -> Option<Self> {
        match 10_u128.checked_pow(power) {
            Some(small) => Some(Self::Small(small)),
            None => U512::from(10).checked_pow(U512::from(power)).map(Self::Large),
        }
    }

    pub(crate) fn add(self, other: Self) -> Option<Self> {
        if let (Self::Small(this), Self::Small(other)) = (self, other)
            && let Some(sum) = this.checked_add(other)
        {
            return Some(Self::Small(sum));
        }
        self.large().checked_add(other.large()).map(Self::Large)
    }

    pub(crate) fn subtract(self, other: Self) -> Option<Self> {
        match (self, other) {
            (Self::Small(this), Self::Small(other)) => this.checked_sub(other).map(Self::Small),
            _ => self.large().checked_sub(other.large()).map(Self::Large),
        }
    }

    pub(crate) fn multiply(self, other: Self) -> Option<Self> {
        if let (Self::Small(this), Self::Small(other)) = (self, other)
            && let Some(product) = this.checked_mul(other)
        {
            return Some(Self::Small(product));
        }
        self.large().checked_mul(other.large()).map(Self::Large)
    }

    /// Quotient and remainder; nothing where the divisor is zero.
    pub(crate) fn divide(self, divisor: Self) -> Option<(Self, Self)> {
        if divisor.is_zero() {
            return None;
        }
        if let (Some(this), Some(divisor)) = (self.small(), divisor.small()) {
            return Some((Self::Small(this / divisor), Self::Small(this % divisor)));
        }
        let (quotient, remainder) = self.large().div_rem(divisor.large());
        Some((Self::Large(quotient), Self::Large(remainder)))
    }

    pub(crate) fn is_zero(self) -> bool {
        self == Self::ZERO
    }

    /// The value where 128 bits hold it.
    pub(crate) fn small(self) -> Option<u128> {
        match self {
            Self::Small(small) => Some(small),
            Self::Large(large) => large.try_into().ok(),
        }
    }

    fn large(self) -> U512 {
        match self {
            Self::Small(small) => U512::from(small),
            Self::Large(large) => large,
        }
    }

    /// The decimal digits, the last one first; none for zero.
    pub(crate) fn digits_from_the_right(self) -> Vec<u8> {
        /// As many digits as 64 bits are sure to hold.
        const CHUNK: u32 = 19;
        let mut digits = Vec::with_capacity(32);
        let mut rest = self;
        loop {
            if let Some(mut small) = rest.small().and_then(|small| u64::try_from(small).ok()) {
                while small != 0 {
                    digits.push(last_digit(&mut small));
                }
                return digits;
            }
            let (quotient, chunk) = rest.divide(Self::Small(10_u128.pow(CHUNK))).unwrap_or_default();
            let mut chunk = chunk.small().and_then(|chunk| u64::try_from(chunk).ok()).unwrap_or_default();
            digits.extend((0..CHUNK).map(|_| last_digit(&mut chunk)));
            rest = quotient;
        }
    }
}

fn last_digit(rest: &mut u64) -> u8 {
    let digit = *rest % 10;
    *rest /= 10;
    u8::try_from(digit).unwrap_or_default()
}

impl Default for Wide {
    fn default() -> Self {
        Self::ZERO
    }
}

impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Wide {}

impl PartialOrd for Wide {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Wide {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Self::Small(this), Self::Small(other)) => this.cmp(other),
            _ => self.large().cmp(&other.large()),
        }
    }
}
