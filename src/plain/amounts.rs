//! Amounts as whole numbers of the smallest currency unit.

use crate::decimal::Rounding;

/// A decimal of few digits: `units` of the last digit, `scale` digits after the point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Digits {
    pub(crate) units: u64,
    pub(crate) scale: u32,
}

impl Digits {
    pub(super) const ZERO: Self = Self { units: 0, scale: 0 };
}

/// All sums stay below this, so that they are exact as `f64`.
const LIMIT: u64 = 1 << 52;

/// The sum of extended prices, in a form that holds for every rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Subtotal {
    /// The sum of all prices, each tie rounded down.
    down: u64,
    /// The number of prices exactly halfway between two units.
    ties: u64,
    /// The number of these whose lower neighbour is odd.
    odd_ties: u64,
}

impl Subtotal {
    pub(super) const fn zero() -> Self {
        Self { down: 0, ties: 0, odd_ties: 0 }
    }

    /// Adds quantity × price, rounded once to `scale` digits; returns the rounded price (D18).
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        quantity: Digits,
        price: Digits,
        scale: u32,
        rounding: Rounding,
    ) -> Option<u64> {
        // The product of an n-bit and an m-bit number has at most n + m bits.
        if quantity.units.leading_zeros() + price.units.leading_zeros() < u64::BITS {
            return None;
        }
        let product = quantity.units * price.units;
        let digits = quantity.scale + price.scale;
        let (down, is_tie) = match digits.checked_sub(scale) {
            Some(0) => (product, false),
            Some(dropped) => halved(product, 10_u64.checked_pow(dropped)?),
            None => (product.checked_mul(10_u64.checked_pow(scale - digits)?)?, false),
        };
        self.down = self.down.checked_add(down)?;
        if !is_tie {
            return Some(down);
        }
        let is_odd = down & 1;
        self.ties += 1;
        self.odd_ties += is_odd;
        Some(down + rounded_ties(1, is_odd, rounding))
    }

    /// Adds or subtracts the sums of other prices.
    pub(super) fn apply(&mut self, is_added: bool, other: Self) -> Option<()> {
        let apply = if is_added { u64::checked_add } else { u64::checked_sub };
        self.down = apply(self.down, other.down)?;
        self.ties = apply(self.ties, other.ties)?;
        self.odd_ties = apply(self.odd_ties, other.odd_ties)?;
        Some(())
    }

    /// Returns the sums that were rounded half up, half even and half down; `None` if they contradict each other.
    pub(super) fn from_rounded([half_up, half_even, half_down]: [u64; 3]) -> Option<Self> {
        let (ties, odd_ties) = (half_up.checked_sub(half_down)?, half_even.checked_sub(half_down)?);
        Some(Self { down: half_down, ties, odd_ties })
    }

    /// Returns the sum with ties rounded in one mode.
    pub(super) fn rounded(&self, rounding: Rounding) -> u64 {
        self.down + rounded_ties(self.ties, self.odd_ties, rounding)
    }

    /// Returns the sums rounded half up, half even and half down, and the number of ties.
    pub(super) fn sums(&self) -> [u64; 4] {
        let Self { down, ties, odd_ties } = *self;
        [down + ties, down + odd_ties, down, ties]
    }

    /// Returns true if the sum is below the limit in every mode; [`Self::rounded`] and [`Self::sums`] need this.
    pub(super) fn fits(&self) -> bool {
        let highest = self.down.checked_add(self.ties);
        highest.is_some_and(|highest| highest < LIMIT) && self.odd_ties <= self.ties
    }
}

/// Divides and rounds half down; returns true if the remainder is exactly half.
#[inline(always)]
fn halved(product: u64, divisor: u64) -> (u64, bool) {
    let whole = product / divisor;
    // All divisors are even.
    let (rest, half) = (product - whole * divisor, divisor / 2);
    (whole + u64::from(rest > half), rest == half)
}

/// Returns by how many units ties are rounded up.
#[inline(always)]
fn rounded_ties(ties: u64, odd_ties: u64, rounding: Rounding) -> u64 {
    match rounding {
        Rounding::HalfUp => ties,
        Rounding::HalfEven => odd_ties,
        Rounding::HalfDown => 0,
    }
}

/// Returns a supplied tax in units of `scale` digits, `None` if it has more digits or is too large.
pub(super) fn tax_units(amount: Digits, scale: u32) -> Option<u64> {
    let missing = scale.checked_sub(amount.scale)?;
    amount.units.checked_mul(10_u64.checked_pow(missing)?).filter(|units| *units < LIMIT)
}

/// Adds two amounts; returns `None` if the sum is too large.
pub(super) fn plus(left: u64, right: u64) -> Option<u64> {
    left.checked_add(right).filter(|sum| *sum < LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digits(units: u64, scale: u32) -> Digits {
        Digits { units, scale }
    }

    fn subtotal(prices: &[(Digits, Digits)], scale: u32) -> Option<[u64; 3]> {
        let mut subtotal = Subtotal::zero();
        for (quantity, price) in prices {
            subtotal.add(*quantity, *price, scale, Rounding::HalfUp)?;
        }
        Some([Rounding::HalfUp, Rounding::HalfEven, Rounding::HalfDown].map(|mode| subtotal.rounded(mode)))
    }

    #[test]
    fn each_price_is_rounded_once_in_every_mode() {
        // 2.345 × 12.50 = 29.3125; 0.5 × 0.01 = 0.005; 1.5 × 0.01 = 0.015
        assert_eq!(subtotal(&[(digits(2345, 3), digits(1250, 2))], 2), Some([2931; 3]));
        assert_eq!(subtotal(&[(digits(5, 1), digits(1, 2))], 2), Some([1, 0, 0]));
        assert_eq!(subtotal(&[(digits(15, 1), digits(1, 2))], 2), Some([2, 2, 1]));
        assert_eq!(
            subtotal(&[(digits(5, 1), digits(1, 2)), (digits(15, 1), digits(1, 2))], 2),
            Some([3, 2, 1])
        );
        assert_eq!(subtotal(&[(digits(3, 0), digits(7, 0))], 2), Some([2100; 3]));
        assert_eq!(subtotal(&[(digits(3, 0), digits(75, 1))], 0), Some([23, 22, 22]));
    }

    #[test]
    fn a_rounded_line_follows_the_mode() {
        let line = |rounding| Subtotal::zero().add(digits(15, 1), digits(1, 2), 2, rounding);
        assert_eq!(line(Rounding::HalfUp), Some(2));
        assert_eq!(line(Rounding::HalfEven), Some(2));
        assert_eq!(line(Rounding::HalfDown), Some(1));
    }

    #[test]
    fn products_and_sums_that_may_not_fit_are_refused() {
        let large = digits(999_999_999_999_999, 0);
        assert_eq!(subtotal(&[(large, large)], 2), None);
        assert_eq!(subtotal(&[(large, digits(8_000, 0))], 2), None);
        let mut almost = Subtotal { down: LIMIT - 1, ..Subtotal::zero() };
        assert!(almost.fits());
        almost.ties = 1;
        assert!(!almost.fits());
        for ties in [LIMIT, LIMIT + 1, u64::MAX] {
            assert!(!Subtotal { down: 1, ties, odd_ties: 0 }.fits(), "{ties}");
        }
        assert!(!Subtotal { down: 1, ties: 1, odd_ties: 2 }.fits());
        assert_eq!(plus(LIMIT - 2, 1), Some(LIMIT - 1));
        assert_eq!(plus(LIMIT - 1, 1), None);
        assert_eq!(tax_units(digits(LIMIT, 0), 0), None);
    }

    #[test]
    fn sums_of_other_prices_are_added_and_subtracted_exactly() {
        let mut sums = Subtotal::from_rounded([15, 14, 13]).unwrap();
        sums.apply(true, Subtotal::from_rounded([5, 4, 4]).unwrap()).unwrap();
        assert_eq!(Rounding::ALL.iter().map(|mode| sums.rounded(*mode)).collect::<Vec<_>>(), [20, 18, 17]);
        sums.apply(false, Subtotal::from_rounded([15, 14, 13]).unwrap()).unwrap();
        assert_eq!(sums, Subtotal::from_rounded([5, 4, 4]).unwrap());
        assert_eq!(sums.apply(false, Subtotal::from_rounded([6, 6, 6]).unwrap()), None);
        assert_eq!(Subtotal::from_rounded([5, 4, 6]), None);
    }

    #[test]
    fn a_tax_with_more_digits_than_the_currency_is_refused() {
        assert_eq!(tax_units(digits(350, 2), 2), Some(350));
        assert_eq!(tax_units(digits(35, 1), 2), Some(350));
        assert_eq!(tax_units(digits(350, 2), 1), None);
    }
}
