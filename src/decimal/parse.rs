//! Strings → decimals, with every digit (D8).

use std::fmt;

use rust_decimal::Decimal;

use crate::unexpected::Unexpected;

use super::amount::from_mantissa;

/// The reason why a string is not a decimal (D8).
///
/// ```
/// let error = sales_order_intake::parse_decimal("1,50").unwrap_err();
/// assert_eq!(error.to_string(), "not a decimal number in digits: unexpected character ',' at byte 1");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ParseDecimalError {
    /// The string is not a JSON number.
    Syntax(Unexpected),
    /// The number does not fit 96 bits with 0 to 28 fraction digits.
    OutOfRange,
}

/// What is wrong with a string, without the position, so that the WebAssembly module has no code that searches for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NotADecimal {
    Syntax,
    OutOfRange,
}

impl NotADecimal {
    pub(crate) fn message(self) -> &'static str {
        match self {
            Self::Syntax => "not a decimal number in digits",
            Self::OutOfRange => "does not fit a 96-bit decimal with 0 to 28 fraction digits",
        }
    }
}

impl fmt::Display for ParseDecimalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Syntax(unexpected) => write!(f, "{}: {unexpected}", NotADecimal::Syntax.message()),
            Self::OutOfRange => f.write_str(NotADecimal::OutOfRange.message()),
        }
    }
}

impl std::error::Error for ParseDecimalError {}

/// Parses a JSON number and preserves every digit: `5.0` has one fraction digit, `1e-7` has seven.
///
/// Unlike [`Decimal::from_str_exact`], rejects `+1`, `.5`, `5.`, `01` and `1_000`, as JSON does, and takes an exponent.
///
/// # Errors
/// Returns [`ParseDecimalError::Syntax`] for any other string, [`ParseDecimalError::OutOfRange`] if a digit would be
/// lost.
///
/// ```
/// use sales_order_intake::{ParseDecimalError, parse_decimal};
///
/// assert_eq!(parse_decimal("1e-7")?.to_string(), "0.0000001");
/// assert_eq!(parse_decimal("5.0")?.to_string(), "5.0");
/// assert!(matches!(parse_decimal("1,50"), Err(ParseDecimalError::Syntax(_))));
/// assert_eq!(parse_decimal("1e-29"), Err(ParseDecimalError::OutOfRange));
/// # Ok::<(), ParseDecimalError>(())
/// ```
pub fn parse_decimal(string: &str) -> Result<Decimal, ParseDecimalError> {
    read_decimal(string).map_err(|reason| match reason {
        NotADecimal::Syntax => ParseDecimalError::Syntax(unexpected_in(string)),
        NotADecimal::OutOfRange => ParseDecimalError::OutOfRange,
    })
}

/// Returns where a string that is not a JSON number stops being the beginning of one.
fn unexpected_in(string: &str) -> Unexpected {
    let (Ok(rest) | Err(rest)) = after_number(string);
    Unexpected::at(string, string.len() - rest.len())
}

/// Returns the rest of a string after the number at its beginning. The error is the rest at a missing digit.
fn after_number(string: &str) -> Result<&str, &str> {
    let unsigned = string.strip_prefix('-').unwrap_or(string);
    let mut rest = unsigned.strip_prefix('0').map_or_else(|| after_digits(unsigned), Ok)?;
    if let Some(fraction) = rest.strip_prefix('.') {
        rest = after_digits(fraction)?;
    }
    if let Some(exponent) = rest.strip_prefix(['e', 'E']) {
        rest = after_digits(exponent.strip_prefix(['+', '-']).unwrap_or(exponent))?;
    }
    Ok(rest)
}

fn after_digits(string: &str) -> Result<&str, &str> {
    let rest = string.trim_start_matches(|character: char| character.is_ascii_digit());
    if rest.len() == string.len() { Err(rest) } else { Ok(rest) }
}

/// Parses a decimal, without searching for what is wrong.
pub(crate) fn read_decimal(string: &str) -> Result<Decimal, NotADecimal> {
    let unsigned = string.strip_prefix('-').unwrap_or(string);
    let negative = unsigned.len() < string.len();
    // The mantissa, if it has few enough digits not to overflow.
    let mut small = 0_u64;
    let mut digits = 0_usize;
    let mut point = None;
    let mut exponent = 0;
    for (index, byte) in unsigned.bytes().enumerate() {
        match byte {
            b'0'..=b'9' => {
                digits += 1;
                small = small.wrapping_mul(10).wrapping_add(u64::from(byte - b'0'));
            }
            b'.' if point.is_none() => point = Some(digits),
            b'e' | b'E' => {
                exponent = parse_exponent(unsigned.get(index + 1..).unwrap_or_default())?;
                break;
            }
            _ => return Err(NotADecimal::Syntax),
        }
    }
    let whole = point.unwrap_or(digits);
    let has_leading_zero = whole > 1 && unsigned.starts_with('0');
    if whole == 0 || point == Some(digits) || has_leading_zero {
        return Err(NotADecimal::Syntax);
    }
    let mut mantissa = if digits <= MAX_DIGITS_IN_64_BITS {
        u128::from(small)
    } else {
        let digits = unsigned.bytes().take_while(|byte| !matches!(byte, b'e' | b'E'));
        let mut digits = digits.filter(u8::is_ascii_digit);
        let mantissa = digits.try_fold(0, |mantissa, digit| push_digit(mantissa, digit - b'0'));
        mantissa.ok_or(NotADecimal::OutOfRange)?
    };
    let mut scale = i64::try_from(digits - whole).map_err(|_| NotADecimal::OutOfRange)? - exponent;
    if mantissa == 0 {
        scale = scale.max(0);
    }
    while scale < 0 {
        mantissa = push_digit(mantissa, 0).ok_or(NotADecimal::OutOfRange)?;
        scale += 1;
    }
    let scale = u32::try_from(scale).map_err(|_| NotADecimal::OutOfRange)?;
    from_mantissa(negative, mantissa, scale).ok_or(NotADecimal::OutOfRange)
}

/// Every number with this many digits fits 64 bits.
const MAX_DIGITS_IN_64_BITS: usize = 19;

/// Larger than any exponent of a valid decimal; small enough not to overflow when a string's length is added.
const MAX_EXPONENT: i64 = 1_000_000_000_000;

/// Returns the integer with one more digit at the end, `None` if it doesn't fit.
fn push_digit(integer: u128, digit: u8) -> Option<u128> {
    integer.checked_mul(10)?.checked_add(digit.into())
}

/// Parses the exponent after `e`; returns at most [`MAX_EXPONENT`] of either sign.
fn parse_exponent(string: &str) -> Result<i64, NotADecimal> {
    let (negative, digits) = match string.as_bytes() {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        all => (false, all),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return Err(NotADecimal::Syntax);
    }
    let exponent = digits
        .iter()
        .fold(0, |exponent: i64, digit| (exponent * 10 + i64::from(digit - b'0')).min(MAX_EXPONENT));
    Ok(if negative { -exponent } else { exponent })
}
