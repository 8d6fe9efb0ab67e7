//! Compared with the parser and printer of `rust_decimal`, and with `num-bigint`, which loses no digit.

use std::cmp::Ordering;

use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Generates decimals of all sizes and scales, often small or at the edge of 32, 64 and 96 bits.
fn decimals() -> impl Strategy<Value = Decimal> {
    let part = prop_oneof![select(vec![0, 1, 5, 10, 50, u32::MAX]), any::<u32>()];
    let high = prop_oneof![Just(0), part.clone()];
    (part.clone(), prop_oneof![Just(0), part], high, 0..=28_u32)
        .prop_map(|(low, middle, high, scale)| Decimal::from_parts(low, middle, high, false, scale))
}

fn ten_to_the(power: u32) -> BigUint {
    BigUint::from(10_u32).pow(power)
}

/// Returns the mantissa at a scale that is not smaller than that of the decimal.
fn units(value: Decimal, scale: u32) -> BigUint {
    BigUint::from(value.mantissa().unsigned_abs()) * ten_to_the(scale - value.scale())
}

/// Returns the decimal if 96 bits hold it.
fn decimal(units: &BigUint, scale: u32) -> Option<Decimal> {
    let units = i128::try_from(u128::try_from(units).ok()?).ok()?;
    Decimal::try_from_i128_with_scale(units, scale).ok()
}

/// Compares mantissas and scales: 1.0 and 1.00 differ.
fn same(left: Option<Decimal>, right: Option<Decimal>) -> bool {
    left.map(|value| value.unpack()) == right.map(|value| value.unpack())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn plain_numbers_are_parsed_as_by_rust_decimal(string in "-?(0|[1-9][0-9]{0,30})(\\.[0-9]{1,30})?") {
        let expected = Decimal::from_str_exact(&string);
        let parsed = parse_decimal(&string);
        prop_assert_eq!(parsed.is_err(), expected.is_err(), "{}", string);
        prop_assert!(parsed.is_err() || same(parsed.ok(), expected.ok()), "{}", string);
    }

    #[test]
    fn an_exponent_moves_the_decimal_point(
        value in decimals(), exponent in -30..=30_i32, upper in any::<bool>(),
    ) {
        let string = format!("{value}{}{exponent}", if upper { "E" } else { "e" });
        let scale = i64::from(value.scale()) - i64::from(exponent);
        let expected = match u32::try_from(scale) {
            Ok(scale) => decimal(&units(value, value.scale()), scale),
            Err(_) if value.is_zero() => Some(Decimal::ZERO),
            Err(_) => decimal(&(units(value, value.scale()) * ten_to_the(scale.unsigned_abs().try_into().unwrap())), 0),
        };
        prop_assert!(same(parse_decimal(&string).ok(), expected), "{} {:?}", string, expected);
    }

    #[test]
    fn any_string_but_a_json_number_is_a_syntax_error(string in "[-+0-9.eE_ ]{0,8}") {
        let is_number = serde_json::from_str::<&serde_json::value::RawValue>(&string).is_ok_and(|raw| raw.get() == string);
        prop_assert_eq!(parse_decimal(&string) == Err(ParseDecimalError::Syntax), !is_number, "{:?}", string);
    }

    #[test]
    fn decimals_are_printed_as_by_rust_decimal_and_parsed_again(value in decimals(), negative in any::<bool>()) {
        let mut value = value;
        value.set_sign_negative(negative && !value.is_zero());
        let string = to_plain_string(&value);
        prop_assert_eq!(&string, &value.to_string());
        prop_assert!(same(parse_decimal(&string).ok(), Some(value)));
    }

    #[test]
    fn sums_and_differences_are_exact(left in decimals(), right in decimals()) {
        let scale = left.scale().max(right.scale());
        let (a, b) = (units(left, scale), units(right, scale));
        prop_assert!(same(add(left, right), decimal(&(&a + &b), scale)));
        let difference = (a >= b).then(|| a - b).and_then(|difference| decimal(&difference, scale));
        prop_assert!(same(subtract(left, right), difference));
    }

    #[test]
    fn products_are_exact_and_rounded_once(left in decimals(), right in decimals(), scale in 0..=28_u32) {
        let exact = Exact::product(left, right).unwrap();
        let product = units(left, left.scale()) * units(right, right.scale());
        let dropped = (left.scale() + right.scale()).saturating_sub(scale);
        let padded = &product * ten_to_the(scale.saturating_sub(left.scale() + right.scale()));
        let unit = ten_to_the(dropped);
        let (quotient, remainder) = (&padded / &unit, &padded % &unit);
        let to_half = (remainder * 2_u32).cmp(&unit);
        for mode in Rounding::ALL.iter().copied() {
            let is_up = match to_half {
                Ordering::Equal => mode == Rounding::HalfUp || mode == Rounding::HalfEven && quotient.bit(0),
                order => order.is_gt(),
            };
            let expected = decimal(&(&quotient + u32::from(is_up)), scale);
            let rounded = exact.round(scale, mode);
            prop_assert!(same(rounded.map(|(value, _)| value), expected), "{:?} {:?}", rounded, expected);
            prop_assert!(rounded.is_none_or(|(_, is_tie)| is_tie == to_half.is_eq()));
        }
    }

    #[test]
    fn padding_changes_no_value(value in decimals(), scale in 0..=28_u32) {
        let padded = pad(value, scale);
        prop_assert_eq!(padded, value);
        prop_assert!(padded.scale() >= scale || decimal(&units(value, scale.max(value.scale())), scale).is_none());
    }
}

#[test]
fn digits_that_would_be_lost_are_out_of_range() {
    for string in [
        "79228162514264337593543950336",
        "1e29",
        "1e-29",
        "0.00000000000000000000000000001",
        "1e999999999999999999999",
    ] {
        assert_eq!(parse_decimal(string), Err(ParseDecimalError::OutOfRange), "{string}");
    }
    for (string, plain) in [
        ("79228162514264337593543950335", "79228162514264337593543950335"),
        ("0e99999999999999999999", "0"),
        ("-0.00", "0.00"),
        ("0.0e1", "0"),
        ("1.50E+1", "15.0"),
    ] {
        assert_eq!(
            parse_decimal(string).map(|value| to_plain_string(&value)).as_deref(),
            Ok(plain),
            "{string}"
        );
    }
}

#[test]
fn zeros_at_either_end_are_not_significant() {
    for (string, digits) in
        [("0", 0), ("0.00", 0), ("100", 1), ("0.0120", 2), ("-1.05", 3), ("123456789012345678", 18)]
    {
        assert_eq!(significant_digits(&parse_decimal(string).unwrap()), digits, "{string}");
    }
}
