//! Exact arithmetic: sums and products have all their digits until the one rounding (D18).

use std::cmp::Ordering;

use rust_decimal::Decimal;

use crate::closed_set::closed_set;

closed_set! {
    /// How half a unit of the last digit is rounded (D18).
    ///
    /// ```
    /// use sales_order_intake::Rounding;
    ///
    /// assert_eq!("half-even".parse(), Ok(Rounding::HalfEven));
    /// assert_eq!(Rounding::default().to_string(), "half-up");
    /// assert!("half_even".parse::<Rounding>().is_err());
    /// ```
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Rounding {
        /// Away from zero: 0.005 → 0.01.
        #[default]
        HalfUp = "half-up",
        /// To the even neighbour: 0.005 → 0.00, 0.015 → 0.02.
        HalfEven = "half-even",
        /// Toward zero: 0.005 → 0.00.
        HalfDown = "half-down",
    }
}

/// A value that is not negative: `units` × 10^-`scale`.
///
/// Has at most 38 digits: enough for a price with a tax compounded on a tax. What has more is an issue of the order,
/// `amount_out_of_range`, and so is an amount in the currency that a [`Decimal`] can't hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Amount {
    units: u128,
    scale: u32,
}

impl Amount {
    /// Returns `units` × 10^-`scale`.
    pub(crate) const fn new(units: u128, scale: u32) -> Self {
        Self { units, scale }
    }

    /// Returns zero with the fraction digits of a currency.
    pub(crate) const fn zero(scale: u32) -> Self {
        Self::new(0, scale)
    }

    /// Returns `None` if the value is negative: such a value breaks a rule, so no amount is computed from it.
    pub(crate) fn of(value: Decimal) -> Option<Self> {
        (!is_negative(value)).then(|| Self::new(mantissa(&value), value.scale()))
    }

    /// Returns the amount as a decimal; `None` if that can't hold it.
    pub(crate) fn into_decimal(self) -> Option<Decimal> {
        from_mantissa(false, self.units, self.scale)
    }

    /// Returns the value in units of its last digit.
    pub(crate) fn units(self) -> u128 {
        self.units
    }

    /// Returns the number of fraction digits.
    pub(crate) fn scale(self) -> u32 {
        self.scale
    }

    pub(crate) fn is_zero(self) -> bool {
        self.units == 0
    }

    /// Returns the sum at the larger of the two scales, `None` if it has more than 38 digits.
    pub(crate) fn plus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let units = self.units_at(scale)?.checked_add(other.units_at(scale)?)?;
        (units <= MAX).then_some(Self { units, scale })
    }

    /// Returns the sum of two amounts in a currency of this scale, at the larger of their scales. If a decimal can't hold it, adds
    /// both without their trailing zeros beyond the currency's scale; returns `None` if it can't hold that sum either.
    pub(crate) fn plus_in_currency(self, other: Self, scale: u32) -> Option<Self> {
        let sum = self.plus(other).and_then(Self::held);
        sum.or_else(|| self.trimmed(scale).plus(other.trimmed(scale))?.held())
    }

    /// Returns the difference at the larger of the two scales; `None` if it is negative, or a decimal can't hold it.
    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let units = self.units_at(scale)?.checked_sub(other.units_at(scale)?)?;
        Self { units, scale }.held()
    }

    /// Returns the product of two values, `None` if one is negative or the product has more than 38 digits.
    pub(crate) fn product(left: Decimal, right: Decimal) -> Option<Self> {
        Self::of(left)?.times(Self::of(right)?)
    }

    /// Returns the product with a factor, `None` if it has more than 38 digits. Trailing zeros do not count: they are removed
    /// from a product that does not fit 64 bits.
    pub(crate) fn times(self, factor: Self) -> Option<Self> {
        let product = |left: Self, right: Self| {
            Some(Self::new(multiply(left.units, right.units)?, left.scale + right.scale))
        };
        match product(self, factor) {
            Some(small) if small.units <= u64::MAX.into() => Some(small),
            _ => Some(product(self.trimmed(0), factor.trimmed(0))?.trimmed(0)),
        }
    }

    /// Returns a hundredth of the value: a percentage as a fraction.
    pub(crate) fn percent(self) -> Self {
        Self { scale: self.scale + 2, ..self }
    }

    /// Rounds the value once, to the nearest unit of a scale (D18); returns `None` if a decimal can't hold it.
    pub(crate) fn rounded(self, mode: Rounding, scale: u32) -> Option<Self> {
        let Some(dropped @ 1..) = self.scale.checked_sub(scale) else {
            return Self::new(self.units_at(scale)?, scale).held();
        };
        // 38 digits are less than half of 10^39.
        let Some(unit) = ten_to_the(dropped) else { return Some(Self::zero(scale)) };
        let (units, remainder) = divide(self.units, unit)?;
        let rest = unit - remainder;
        let is_up = match mode {
            _ if remainder != rest => remainder > rest,
            Rounding::HalfUp => true,
            Rounding::HalfEven => units % 2 == 1,
            Rounding::HalfDown => false,
        };
        Self::new(units + u128::from(is_up), scale).held()
    }

    /// Compares by value, whatever the scales.
    pub(crate) fn compare(self, other: Self) -> Ordering {
        let scale = self.scale.max(other.scale);
        match (self.units_at(scale), other.units_at(scale)) {
            (Some(own), Some(others)) => own.cmp(&others),
            // A value that does not fit at the larger scale is larger than the one that has this scale.
            (None, _) => Ordering::Greater,
            (_, None) => Ordering::Less,
        }
    }

    /// Returns the same amount with at least `scale` fraction digits, or unchanged if a decimal can't hold them.
    pub(crate) fn padded(self, scale: u32) -> Self {
        self.units_at(scale).and_then(|units| Self::new(units, scale).held()).unwrap_or(self)
    }

    /// Returns the value in units of the last digit at a scale; `None` if the scale is smaller than its own, or if the
    /// units have more than 38 digits.
    pub(crate) fn units_at(self, scale: u32) -> Option<u128> {
        match scale.checked_sub(self.scale)? {
            0 => Some(self.units),
            _ if self.units == 0 => Some(0),
            more => multiply(self.units, ten_to_the(more)?),
        }
    }

    /// Returns true if the value has more fraction digits than the limit, without zeros at its end.
    pub(crate) fn has_more_fraction_digits(self, limit: u32) -> bool {
        self.scale > limit && self.trimmed(limit).scale > limit
    }

    /// Returns the amount if a decimal can hold it.
    fn held(self) -> Option<Self> {
        is_held(self.units, self.scale).then_some(self)
    }

    /// Returns the value without the trailing zeros that it has beyond a scale.
    fn trimmed(mut self, scale: u32) -> Self {
        while self.scale > scale
            && let Some((units, 0)) = divide(self.units, 10)
        {
            self = Self { units, scale: self.scale - 1 };
        }
        self
    }
}

/// Returns true if a value, negative or not, has more fraction digits than the limit, without zeros at its end.
pub(crate) fn has_more_fraction_digits(value: Decimal, limit: u32) -> bool {
    Amount::new(mantissa(&value), value.scale()).has_more_fraction_digits(limit)
}

/// Returns true if the value is less than 0; −0 is not.
pub(crate) fn is_negative(value: Decimal) -> bool {
    value.is_sign_negative() && !value.is_zero()
}

/// Returns the digits of a decimal without its point and sign.
pub(super) fn mantissa(value: &Decimal) -> u128 {
    let parts = value.unpack();
    u128::from(parts.lo) | u128::from(parts.mid) << 32 | u128::from(parts.hi) << 64
}

/// Returns `None` if the mantissa has more than 96 bits or the scale is above 28.
#[expect(clippy::cast_possible_truncation, reason = "each part is 32 of the 96 bits")]
pub(super) fn from_mantissa(negative: bool, mantissa: u128, scale: u32) -> Option<Decimal> {
    let [low, middle, high] = [mantissa, mantissa >> 32, mantissa >> 64].map(|bits| bits as u32);
    is_held(mantissa, scale).then(|| Decimal::from_parts(low, middle, high, negative, scale))
}

/// Returns true if a decimal can hold the digits and the scale.
fn is_held(mantissa: u128, scale: u32) -> bool {
    mantissa >> 96 == 0 && scale <= Decimal::MAX_SCALE
}

/// The largest integer of 38 digits.
const MAX: u128 = 10_u128.pow(38) - 1;

/// The powers of ten that fit 128 bits.
const POWERS: [u128; 39] = {
    let mut powers = [1; 39];
    let mut rest: &mut [u128] = &mut powers;
    while let [first, second, ..] = rest {
        *second = *first * 10;
        rest = rest.split_at_mut(1).1;
    }
    powers
};

/// Returns 10 to the power of an exponent, `None` if it does not fit.
fn ten_to_the(exponent: u32) -> Option<u128> {
    POWERS.get(exponent as usize).copied()
}

/// Returns the product, `None` if it has more than 38 digits (D18).
pub(crate) fn multiply(left: u128, right: u128) -> Option<u128> {
    // WebAssembly has no instructions for more than 64 bits, and the product of an n-bit and an m-bit number has at most n + m.
    if let (Ok(left), Ok(right)) = (u64::try_from(left), u64::try_from(right))
        && left.leading_zeros() + right.leading_zeros() >= u64::BITS
    {
        return Some((left * right).into());
    }
    left.checked_mul(right).filter(|product| *product <= MAX)
}

/// Returns quotient and remainder, `None` if the divisor is 0.
pub(crate) fn divide(dividend: u128, divisor: u128) -> Option<(u128, u128)> {
    // As above.
    if let (Ok(dividend), Ok(divisor)) = (u64::try_from(dividend), u64::try_from(divisor)) {
        let quotient = dividend.checked_div(divisor)?;
        return Some((quotient.into(), (dividend - quotient * divisor).into()));
    }
    let quotient = dividend.checked_div(divisor)?;
    Some((quotient, dividend - quotient * divisor))
}
