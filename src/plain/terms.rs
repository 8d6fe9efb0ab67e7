//! The prices of items that were judged before, as terms before a body in which one item represents all (see
//! [`crate::incremental`]).

use super::amounts::{Digits, Subtotal};
use super::body::Body;

/// Reads terms up to the body and sums them; returns `None` if an item has no price.
///
/// A term is a line: `+` or `-`, and six numbers with spaces between them: the sums rounded half up, half even and half
/// down, the number of ties, and how many prices are missing or out of range.
pub(super) fn sum_terms(body: &mut Body<'_>) -> Option<Subtotal> {
    let mut sum = Subtotal::zero();
    while !body.starts_with(b'{') {
        let is_added = match body.byte()? {
            b'+' => true,
            b'-' => false,
            _ => return None,
        };
        let mut numbers = [0; 6];
        for (index, number) in numbers.iter_mut().enumerate() {
            if index > 0 && body.byte()? != b' ' {
                return None;
            }
            let Digits { units, scale: 0 } = body.decimal()? else { return None };
            *number = units;
        }
        let [half_up, half_even, half_down, _, 0, 0] = numbers else { return None };
        sum.apply(is_added, Subtotal::from_rounded([half_up, half_even, half_down])?)?;
        if body.byte()? != b'\n' {
            return None;
        }
    }
    Some(sum)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sum(terms: &str) -> Option<Subtotal> {
        sum_terms(&mut Body::new(terms.as_bytes(), 0))
    }

    #[test]
    fn terms_are_summed_up_to_the_body() {
        let terms = "+10 10 9 1 0 0\n+5 4 4 1 0 0\n-10 10 9 1 0 0\n{";
        assert_eq!(sum(terms), Subtotal::from_rounded([5, 4, 4]));
        assert_eq!(sum("{"), Some(Subtotal::zero()));
    }

    #[test]
    fn malformed_terms_and_prices_that_are_missing_are_refused() {
        for refused in [
            "",
            "+1 1 1 0 0 0",
            "+1 1 1 0 0 0\n",
            "1 1 1 0 0 0\n{",
            "+1 1 1 0 0\n{",
            "+1 1 1 0 0 0 0\n{",
            "+1 1 1 0 1 0\n{",
            "+1 1 1 0 0 1\n{",
            "+1.0 1 1 0 0 0\n{",
            "-1 1 1 0 0 0\n{",
            "+1  1 1 0 0 0\n{",
            "+1234567890123456 1 1 0 0 0\n{",
            "x{",
        ] {
            assert_eq!(sum(refused), None, "{refused}");
        }
    }
}
