//! Exact decimals: text ↔ [`Decimal`], exact products, rounding once (D8, D18).

use std::cmp::Ordering;

use rust_decimal::Decimal;
use serde::Serializer;

use crate::u512::U512;

/// How half a unit of the last digit is rounded (D18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Rounding {
    /// Away from zero: 0.005 → 0.01.
    #[default]
    HalfUp,
    /// To the even neighbour: 0.005 → 0.00, 0.015 → 0.02.
    HalfEven,
    /// Toward zero: 0.005 → 0.00.
    HalfDown,
}

impl Rounding {
    /// All modes, the default first.
    pub const ALL: [Self; 3] = [Self::HalfUp, Self::HalfEven, Self::HalfDown];

    /// The name used in options and results: `half-up`, `half-even` or `half-down`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::HalfUp => "half-up",
            Self::HalfEven => "half-even",
            Self::HalfDown => "half-down",
        }
    }
}

/// Why a text is no decimal (D8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DecimalError {
    /// Not written like a JSON number.
    Form,
    /// A number, but not one of 96 bits with 0 to 28 fraction digits.
    Range,
}

impl DecimalError {
    pub(crate) fn says(self) -> &'static str {
        match self {
            Self::Form => "not a decimal number in digits",
            Self::Range => "does not fit a 96-bit decimal with 0 to 28 fraction digits",
        }
    }
}

impl std::fmt::Display for DecimalError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.says())
    }
}

impl std::error::Error for DecimalError {}

/// Reads a decimal written like a JSON number, every digit kept: `5.0` has one fraction digit, `1e-7` has seven.
///
/// # Errors
/// [`DecimalError::Form`] for any other text, [`DecimalError::Range`] for what would lose a digit.
///
/// ```
/// use sales_order_intake::{parse_decimal, to_plain_string};
///
/// assert_eq!(to_plain_string(&parse_decimal("1e-7")?), "0.0000001");
/// assert_eq!(to_plain_string(&parse_decimal("5.0")?), "5.0");
/// assert!(parse_decimal("1,50").is_err());
/// # Ok::<(), sales_order_intake::DecimalError>(())
/// ```
pub fn parse_decimal(text: &str) -> Result<Decimal, DecimalError> {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let negative = unsigned.len() < text.len();
    let mut small = 0_u64;
    let mut digits = 0_usize;
    let mut point = None;
    let mut exponent = 0;
    for (at, byte) in unsigned.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                small = small.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            }
            b'.' if point.is_none() => point = Some(digits),
            b'e' | b'E' => {
                exponent = parse_exponent(unsigned.get(at + 1..).unwrap_or_default())?;
                break;
            }
            _ => return Err(DecimalError::Form),
        }
    }
    let whole = point.unwrap_or(digits);
    // Digits stand before a point and behind it, and no 0 before another.
    if whole == 0 || point == Some(digits) || whole > 1 && unsigned.starts_with('0') {
        return Err(DecimalError::Form);
    }
    let mut mantissa = if digits <= DIGITS_OF_64_BITS {
        U512::Small(small)
    } else {
        let mut digits =
            unsigned.bytes().take_while(|byte| !matches!(byte, b'e' | b'E')).filter(u8::is_ascii_digit);
        let mantissa = digits.try_fold(U512::ZERO, |mantissa, digit| mantissa.push_digit(digit - b'0'));
        mantissa.ok_or(DecimalError::Range)?
    };
    let mut scale = i64::try_from(digits - whole).map_err(|_| DecimalError::Range)? - exponent;
    if mantissa.is_zero() {
        scale = scale.max(0);
    }
    while scale < 0 {
        mantissa = mantissa.push_digit(0).ok_or(DecimalError::Range)?;
        scale += 1;
    }
    let scale = u32::try_from(scale).map_err(|_| DecimalError::Range)?;
    decimal_of(negative, &mantissa, scale).ok_or(DecimalError::Range)
}

/// So many digits fit 64 bits, whatever they are.
const DIGITS_OF_64_BITS: usize = 19;

/// The exponent of scientific notation, cut where it is out of range in any case.
fn parse_exponent(text: &str) -> Result<i64, DecimalError> {
    let (negative, digits) = match text.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(DecimalError::Form);
    }
    let size =
        digits.iter().fold(0, |sum: i64, digit| (sum * 10 + i64::from(digit - b'0')).min(1_000_000_000));
    Ok(if negative { -size } else { size })
}

/// Nothing where the mantissa has more than 96 bits or the scale is above 28.
fn decimal_of(negative: bool, mantissa: &U512, scale: u32) -> Option<Decimal> {
    let [low, middle, high] = mantissa.parts()?;
    (scale <= Decimal::MAX_SCALE).then(|| Decimal::from_parts(low, middle, high, negative, scale))
}

fn mantissa_of(value: &Decimal) -> U512 {
    let parts = value.unpack();
    U512::of_parts([parts.lo, parts.mid, parts.hi])
}

/// Below zero, which −0 is not.
pub(crate) fn is_negative(value: Decimal) -> bool {
    value.is_sign_negative() && !value.is_zero()
}

/// How many digits matter: without leading zeros and without the zeros at the end.
pub(crate) fn significant_digits(value: &Decimal) -> usize {
    let digits = mantissa_of(value).into_digits();
    digits.len() - digits.iter().take_while(|digit| **digit == 0).count()
}

/// The decimal in plain notation, every digit as it was given (D8).
#[must_use]
pub fn to_plain_string(value: &Decimal) -> String {
    let mut out = String::new();
    push_plain(&mut out, value);
    out
}

pub(crate) fn push_plain(out: &mut String, value: &Decimal) {
    if is_negative(*value) {
        out.push('-');
    }
    push_digits(out, mantissa_of(value), value.scale());
}

/// Writes the digits with a point before the last `scale` of them.
pub(crate) fn push_digits(out: &mut String, mantissa: U512, scale: u32) {
    let mut digits = mantissa.into_digits();
    // One digit at least before the point.
    digits.resize(digits.len().max(scale as usize + 1), 0);
    for (left, digit) in digits.into_iter().enumerate().rev() {
        out.push(char::from(b'0' + digit));
        if left == scale as usize && scale != 0 {
            out.push('.');
        }
    }
}

/// The exact sum of amounts at the larger scale of the two, or nothing where it does not fit: `Decimal`'s own operators
/// would drop digits instead. No amount is negative.
pub(crate) fn add(left: Decimal, right: Decimal) -> Option<Decimal> {
    if let Some((left_units, right_units)) = small(&left, &right)
        && let Some(sum) = left_units.checked_add(right_units)
    {
        return decimal_of(false, &U512::Small(sum), left.scale());
    }
    Exact::new(left)?.plus(&Exact::new(right)?)?.into_decimal()
}

/// The exact difference of amounts, or nothing where it does not fit or would be negative.
pub(crate) fn subtract(left: Decimal, right: Decimal) -> Option<Decimal> {
    if let Some((left_units, right_units)) = small(&left, &right) {
        return decimal_of(false, &U512::Small(left_units.checked_sub(right_units)?), left.scale());
    }
    let (left, right) = (Exact::new(left)?, Exact::new(right)?);
    let scale = left.scale.max(right.scale);
    let mantissa = left.units_at(scale)?.subtract(&right.units_at(scale)?)?;
    decimal_of(false, &mantissa, scale)
}

/// The units of two amounts of the same scale where 64 bits hold them, as nearly always: computed many times faster.
fn small(left: &Decimal, right: &Decimal) -> Option<(u64, u64)> {
    let units = |value: &Decimal| {
        let parts = value.unpack();
        let units = u64::from(parts.mid) << 32 | u64::from(parts.lo);
        (parts.hi == 0 && !(parts.negative && units != 0)).then_some(units)
    };
    (left.scale() == right.scale()).then_some((units(left)?, units(right)?))
}

/// Zero with this many fraction digits.
pub(crate) fn zero(scale: u32) -> Decimal {
    Decimal::from_parts(0, 0, 0, false, scale)
}

/// The same amount with at least this many fraction digits, where they fit.
pub(crate) fn pad(value: Decimal, scale: u32) -> Decimal {
    if value.scale() >= scale {
        return value;
    }
    let padded = Exact::new(value).and_then(|exact| exact.at_scale(scale));
    padded.unwrap_or(value)
}

/// A value that is not negative, before its one rounding: every digit of sums and products is kept.
#[derive(Clone, Debug)]
pub(crate) struct Exact {
    mantissa: U512,
    scale: u32,
}

impl Exact {
    pub(crate) const ZERO: Self = Self { mantissa: U512::ZERO, scale: 0 };

    /// Nothing where the value is negative: what breaks a rule is not computed with.
    pub(crate) fn new(value: Decimal) -> Option<Self> {
        (!is_negative(value)).then(|| Self { mantissa: mantissa_of(&value), scale: value.scale() })
    }

    /// This many units of the last digit at a scale.
    pub(crate) fn from_units(units: U512, scale: u32) -> Self {
        Self { mantissa: units, scale }
    }

    /// The product of two values; nothing where one is negative.
    pub(crate) fn product(left: Decimal, right: Decimal) -> Option<Self> {
        if is_negative(left) || is_negative(right) {
            return None;
        }
        let mantissa = mantissa_of(&left).multiply(&mantissa_of(&right))?;
        Some(Self { mantissa, scale: left.scale() + right.scale() })
    }

    pub(crate) fn times(&self, factor: Decimal) -> Option<Self> {
        let factor = Self::new(factor)?;
        let mantissa = self.mantissa.multiply(&factor.mantissa)?;
        Some(Self { mantissa, scale: self.scale + factor.scale })
    }

    pub(crate) fn plus(&self, other: &Self) -> Option<Self> {
        let scale = self.scale.max(other.scale);
        let mantissa = self.units_at(scale)?.add(&other.units_at(scale)?)?;
        Some(Self { mantissa, scale })
    }

    /// A hundredth: a percentage as the fraction it stands for.
    pub(crate) fn percent(self) -> Self {
        Self { scale: self.scale + 2, ..self }
    }

    /// The value in units of the last digit at a scale that is not smaller than its own.
    pub(crate) fn units_at(&self, scale: u32) -> Option<U512> {
        match scale.checked_sub(self.scale)? {
            0 => Some(self.mantissa.clone()),
            more => self.mantissa.multiply(&U512::power_of_ten(more)?),
        }
    }

    /// The scale the value was computed at: its number of fraction digits.
    pub(crate) fn scale(&self) -> u32 {
        self.scale
    }

    /// The one rounding of a value (D18), and whether it met exactly half a unit, where the modes differ.
    ///
    /// Nothing where the result is no decimal of 96 bits.
    pub(crate) fn round(&self, scale: u32, mode: Rounding) -> Option<(Decimal, bool)> {
        let Some(dropped @ 1..) = self.scale.checked_sub(scale) else {
            return Some((self.at_scale(scale)?, false));
        };
        if let (U512::Small(mantissa), Some(unit)) = (&self.mantissa, 10_u64.checked_pow(dropped)) {
            let (units, rest) = (mantissa / unit, mantissa % unit);
            let to_half = rest.cmp(&(unit - rest));
            let units = units + u64::from(rounds_up(to_half, units % 2 == 1, mode));
            return Some((decimal_of(false, &U512::Small(units), scale)?, to_half.is_eq()));
        }
        let mut units = self.mantissa.clone();
        // The last digit that is dropped decides, with what stood behind it.
        let more = units.cut_digits(dropped - 1);
        let digit = units.last_digit();
        let to_half = digit.cmp(&5).then(more.cmp(&false));
        if rounds_up(to_half, units.is_odd(), mode) {
            units = units.add(&U512::Small(1))?;
        }
        Some((decimal_of(false, &units, scale)?, to_half.is_eq()))
    }

    /// A value that has no more digits than the scale, as a decimal of that scale.
    pub(crate) fn at_scale(&self, scale: u32) -> Option<Decimal> {
        decimal_of(false, &self.units_at(scale)?, scale)
    }

    fn into_decimal(self) -> Option<Decimal> {
        decimal_of(false, &self.mantissa, self.scale)
    }

    pub(crate) fn into_plain(self) -> String {
        let mut out = String::new();
        push_digits(&mut out, self.mantissa, self.scale);
        out
    }
}

fn rounds_up(rest_to_half: Ordering, is_odd: bool, mode: Rounding) -> bool {
    match rest_to_half {
        Ordering::Greater => true,
        Ordering::Less => false,
        Ordering::Equal => match mode {
            Rounding::HalfUp => true,
            Rounding::HalfEven => is_odd,
            Rounding::HalfDown => false,
        },
    }
}

/// Writes a decimal as the text it was given by: `serialize_with` for results.
pub(crate) fn as_text<S: Serializer>(value: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&to_plain_string(value))
}

/// The same for a value that may be unknown: null, never zero.
pub(crate) fn as_text_or_null<S: Serializer>(
    value: &Option<Decimal>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    match value {
        Some(value) => as_text(value, serializer),
        None => serializer.serialize_none(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_rounded_in_64_bits_as_beyond_them() {
        let large = U512::power_of_ten(25).unwrap();
        for mantissa in (0..4_000_u64).chain(u64::MAX - 40..=u64::MAX) {
            for dropped in 1..=19 {
                let scale = 20 - dropped;
                let small = Exact::from_units(U512::Small(mantissa), 20);
                // The same value with 25 zeros behind it.
                let same = Exact::from_units(U512::Small(mantissa).multiply(&large).unwrap(), 45);
                for mode in Rounding::ALL {
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
