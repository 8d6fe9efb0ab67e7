//! Exact arithmetic: sums and products have all their digits until the one rounding (D18).

use rust_decimal::Decimal;

use super::format::push_digits;
use super::parts::{from_mantissa, is_negative, mantissa};
use super::rounding::Rounding;
use super::u512::U512;

/// Returns the exact sum of two amounts at the larger of their scales; `None` if it doesn't fit or an amount is
/// negative.
///
/// `Decimal`'s own operators would drop digits instead.
pub(crate) fn add(left: Decimal, right: Decimal) -> Option<Decimal> {
    if let Some((left_units, right_units)) = small_units(&left, &right)
        && let Some(sum) = left_units.checked_add(right_units)
    {
        return from_mantissa(false, &sum.into(), left.scale());
    }
    Exact::new(left)?.plus(&Exact::new(right)?)?.into_decimal()
}

/// Returns the exact difference of two amounts at the larger of their scales; `None` if it doesn't fit, or if an amount
/// or the difference is negative.
pub(crate) fn subtract(left: Decimal, right: Decimal) -> Option<Decimal> {
    if let Some((left_units, right_units)) = small_units(&left, &right) {
        return from_mantissa(false, &left_units.checked_sub(right_units)?.into(), left.scale());
    }
    let (left, right) = (Exact::new(left)?, Exact::new(right)?);
    let scale = left.scale.max(right.scale);
    let mantissa = left.units_at(scale)?.checked_sub(&right.units_at(scale)?)?;
    from_mantissa(false, &mantissa, scale)
}

/// Returns the mantissas of two amounts if their scales are equal and they fit 64 bits. Nearly all do, and 64-bit
/// arithmetic is many times faster.
fn small_units(left: &Decimal, right: &Decimal) -> Option<(u64, u64)> {
    let units = |value: &Decimal| {
        let parts = value.unpack();
        let units = u64::from(parts.mid) << 32 | u64::from(parts.lo);
        (parts.hi == 0 && !(parts.negative && units != 0)).then_some(units)
    };
    (left.scale() == right.scale()).then_some((units(left)?, units(right)?))
}

/// A value that is not negative, before its one rounding.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    mantissa: U512,
    scale: u32,
}

impl Exact {
    pub(crate) const ZERO: Self = Self { mantissa: U512::ZERO, scale: 0 };

    /// Returns `None` if the value is negative: such a value breaks a rule, so no amount is computed from it.
    pub(crate) fn new(value: Decimal) -> Option<Self> {
        (!is_negative(value)).then(|| Self { mantissa: mantissa(&value), scale: value.scale() })
    }

    /// Returns `units` × 10^-`scale`.
    pub(crate) fn from_units(units: U512, scale: u32) -> Self {
        Self { mantissa: units, scale }
    }

    /// Returns the product of two values, `None` if one is negative.
    pub(crate) fn product(left: Decimal, right: Decimal) -> Option<Self> {
        if is_negative(left) || is_negative(right) {
            return None;
        }
        let mantissa = mantissa(&left).checked_mul(&mantissa(&right))?;
        Some(Self { mantissa, scale: left.scale() + right.scale() })
    }

    /// Returns the product with a factor, `None` if the factor is negative or the product doesn't fit.
    pub(crate) fn times(&self, factor: Decimal) -> Option<Self> {
        let factor = Self::new(factor)?;
        let mantissa = self.mantissa.checked_mul(&factor.mantissa)?;
        Some(Self { mantissa, scale: self.scale + factor.scale })
    }

    /// Returns the sum at the larger of the two scales, `None` if it doesn't fit.
    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let mantissa = self.units_at(scale)?.checked_add(&other.units_at(scale)?)?;
        Some(Self { mantissa, scale })
    }

    /// Returns a hundredth of the value: a percentage as a fraction.
    pub(crate) fn percent(self) -> Self {
        Self { scale: self.scale + 2, ..self }
    }

    /// Returns the value in units of the last digit at a scale; `None` if the scale is smaller than its own.
    pub(crate) fn units_at(&self, scale: u32) -> Option<U512> {
        match scale.checked_sub(self.scale)? {
            0 => Some(self.mantissa.clone()),
            more => self.mantissa.checked_mul(&U512::power_of_ten(more)?),
        }
    }

    /// Returns the number of fraction digits.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// Rounds the value once (D18). The flag is true if it was exactly halfway between two units, where the modes
    /// differ.
    ///
    /// Returns `None` if the result doesn't fit a decimal.
    pub(crate) fn round(&self, scale: u32, mode: Rounding) -> Option<(Decimal, bool)> {
        let Some(dropped @ 1..) = self.scale.checked_sub(scale) else {
            return Some((self.at_scale(scale)?, false));
        };
        if let (Some(mantissa), Some(unit)) = (self.mantissa.to_u64(), 10_u64.checked_pow(dropped)) {
            let (units, remainder) = (mantissa / unit, mantissa % unit);
            let to_half = remainder.cmp(&(unit - remainder));
            let units = units + u64::from(mode.rounds_up(to_half, units % 2 == 1));
            return Some((from_mantissa(false, &units.into(), scale)?, to_half.is_eq()));
        }
        let mut units = self.mantissa.clone();
        // The first dropped digit decides, and those after it only if it is 5.
        let has_more = units.cut_digits(dropped - 1);
        let digit = units.cut_digit();
        let to_half = digit.cmp(&5).then(has_more.cmp(&false));
        if mode.rounds_up(to_half, units.is_odd()) {
            units = units.checked_add(&U512::ONE)?;
        }
        Some((from_mantissa(false, &units, scale)?, to_half.is_eq()))
    }

    /// Returns the value as a decimal of a scale; `None` if that would take rounding, or if it doesn't fit.
    pub(crate) fn at_scale(&self, scale: u32) -> Option<Decimal> {
        from_mantissa(false, &self.units_at(scale)?, scale)
    }

    fn into_decimal(self) -> Option<Decimal> {
        from_mantissa(false, &self.mantissa, self.scale)
    }

    /// Returns the value in plain notation, with all its fraction digits.
    pub(crate) fn into_plain_string(self) -> String {
        let mut out = String::new();
        push_digits(&mut out, self.mantissa, self.scale);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_in_64_bits_and_beyond_gives_the_same_result() {
        let large = U512::power_of_ten(25).unwrap();
        for mantissa in (0..4_000_u64).chain(u64::MAX - 40..=u64::MAX) {
            for dropped in 1..=19 {
                let scale = 20 - dropped;
                let small = Exact::from_units(U512::from(mantissa), 20);
                // The same value with 25 more zeros.
                let same = Exact::from_units(U512::from(mantissa).checked_mul(&large).unwrap(), 45);
                for mode in Rounding::ALL.iter().copied() {
                    assert_eq!(
                        small.round(scale, mode),
                        same.round(scale, mode),
                        "{mantissa} {dropped} {mode:?}"
                    );
                }
            }
        }
    }
}
