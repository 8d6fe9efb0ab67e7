//! Integers of up to 38 digits: nearly all fit 64 bits, and WebAssembly has no instructions for more.

/// The largest integer of 38 digits.
pub(super) const MAX: u128 = 10_u128.pow(38) - 1;

/// The powers of ten that fit 64 bits.
const POWERS: [u64; 20] = {
    let mut powers = [1; 20];
    let mut rest: &mut [u64] = &mut powers;
    let mut power = 1;
    while let [first, tail @ ..] = rest {
        *first = power;
        power = power.wrapping_mul(10);
        rest = tail;
    }
    powers
};

/// Returns 10 to the power of an exponent, `None` if it does not fit 64 bits.
pub(super) fn small_power(exponent: u32) -> Option<u64> {
    POWERS.get(exponent as usize).copied()
}

/// Returns 10 to the power of an exponent, `None` if it does not fit.
pub(super) fn ten_to_the(exponent: u32) -> Option<u128> {
    small_power(exponent).map(u128::from).or_else(|| 10_u128.checked_pow(exponent))
}

/// Returns the product if it certainly fits 64 bits: that of an n-bit and an m-bit number has at most n + m bits.
pub(super) fn multiply_small(left: u64, right: u64) -> Option<u64> {
    // `checked_mul` multiplies 128 bits in WebAssembly.
    (left.leading_zeros() + right.leading_zeros() >= u64::BITS).then(|| left * right)
}

/// Returns the product, `None` if it has more than 38 digits (D18).
pub(crate) fn multiply(left: u128, right: u128) -> Option<u128> {
    if let (Ok(left), Ok(right)) = (u64::try_from(left), u64::try_from(right))
        && let Some(product) = multiply_small(left, right)
    {
        return Some(product.into());
    }
    left.checked_mul(right).filter(|product| *product <= MAX)
}

/// Returns quotient and remainder, `None` if the divisor is 0.
pub(crate) fn divide(dividend: u128, divisor: u128) -> Option<(u128, u128)> {
    if let (Ok(dividend), Ok(divisor)) = (u64::try_from(dividend), u64::try_from(divisor)) {
        let quotient = dividend.checked_div(divisor)?;
        return Some((quotient.into(), (dividend - quotient * divisor).into()));
    }
    let quotient = dividend.checked_div(divisor)?;
    Some((quotient, dividend - quotient * divisor))
}
