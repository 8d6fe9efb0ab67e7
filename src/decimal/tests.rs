//! Compared with the parser and printer of `rust_decimal`, and with `num-bigint`, which loses no digit.

use std::cmp::Ordering;

use num_bigint::BigUint;
use proptest::prelude::*;
use proptest::sample::select;
use rust_decimal::Decimal;

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

/// Returns the units if they have at most 38 digits.
fn within_38_digits(units: BigUint) -> Option<BigUint> {
    (units < ten_to_the(38)).then_some(units)
}

/// Returns units and scale without trailing zeros, but with at least some fraction digits.
fn trimmed(mut units: BigUint, mut scale: u32, at_least: u32) -> (BigUint, u32) {
    while scale > at_least && &units % 10_u32 == BigUint::ZERO {
        units /= 10_u32;
        scale -= 1;
    }
    (units, scale)
}

/// Generates products of two or three decimals, as long as they have at most 38 digits.
fn exact_values() -> impl Strategy<Value = Amount> {
    (decimals(), decimals(), decimals()).prop_map(|(first, second, third)| {
        let exact = Amount::of(first).unwrap();
        let times = |value: Amount, factor| value.times(Amount::of(factor).unwrap()).unwrap_or(value);
        times(times(exact, second), third)
    })
}

fn exact_units(value: &Amount) -> BigUint {
    BigUint::from(value.units_at(value.scale()).unwrap())
}

/// Returns the amount as a decimal, which holds it.
fn held(amount: Option<Amount>) -> Option<Decimal> {
    amount.map(|amount| amount.into_decimal().unwrap())
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
        prop_assert_eq!(matches!(parse_decimal(&string), Err(ParseDecimalError::Syntax(_))), !is_number, "{:?}", string);
    }

    #[test]
    fn a_syntax_error_is_reported_where_no_number_can_follow(string in "-?[0-2]{0,2}[.]?[0-2]{0,2}[eE+,é -]?[-0-9.eE+é]{0,3}") {
        let Err(ParseDecimalError::Syntax(unexpected)) = parse_decimal(&string) else { return Ok(()) };
        let begins_a_number = |start: &str| {
            ["", "0", "00"].iter().any(|end| read_decimal(&[start, end].concat()) != Err(NotADecimal::Syntax))
        };
        let (before, rest) = string.split_at(unexpected.position());
        prop_assert!(begins_a_number(before), "{:?}", before);
        prop_assert_eq!(unexpected.character(), rest.chars().next());
        let upto = before.to_owned() + &rest.chars().take(1).collect::<String>();
        prop_assert_eq!(begins_a_number(&upto), rest.is_empty(), "{:?}", upto);
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
    fn sums_and_differences_are_exact(left in decimals(), right in decimals(), at_least in 0..=28_u32) {
        let scale = left.scale().max(right.scale());
        let (a, b) = (units(left, scale), units(right, scale));
        let sum = decimal(&(&a + &b), scale).or_else(|| {
            let (left, left_scale) = trimmed(units(left, left.scale()), left.scale(), at_least);
            let (right, right_scale) = trimmed(units(right, right.scale()), right.scale(), at_least);
            let scale = left_scale.max(right_scale);
            decimal(&(left * ten_to_the(scale - left_scale) + right * ten_to_the(scale - right_scale)), scale)
        });
        let (own, other) = (Amount::of(left).unwrap(), Amount::of(right).unwrap());
        prop_assert!(same(held(own.plus_in_currency(other, at_least)), sum));
        prop_assert_eq!(own.compare(other), a.cmp(&b));
        let difference = (a >= b).then(|| a - b).and_then(|difference| decimal(&difference, scale));
        prop_assert!(same(held(own.minus(other)), difference));
    }

    #[test]
    fn products_and_sums_are_exact_up_to_38_digits(left in exact_values(), right in exact_values(), factor in decimals()) {
        let product = exact_units(&left) * units(factor, factor.scale());
        let expected = if product <= BigUint::from(u64::MAX) {
            Some((product, left.scale() + factor.scale()))
        } else {
            let (left, left_scale) = trimmed(exact_units(&left), left.scale(), 0);
            let (factor, factor_scale) = trimmed(units(factor, factor.scale()), factor.scale(), 0);
            within_38_digits(left * factor).map(|product| trimmed(product, left_scale + factor_scale, 0))
        };
        prop_assert_eq!(left.times(Amount::of(factor).unwrap()).map(|exact| (exact_units(&exact), exact.scale())), expected);

        let scale = left.scale().max(right.scale());
        let at_scale = |value: &Amount| exact_units(value) * ten_to_the(scale - value.scale());
        let sum = within_38_digits(at_scale(&left) + at_scale(&right)).map(|sum| (sum, scale));
        prop_assert_eq!(left.plus(right).map(|exact| (exact_units(&exact), exact.scale())), sum);
    }

    #[test]
    fn exact_values_are_rounded_once(exact in exact_values(), scale in 0..=28_u32) {
        let dropped = exact.scale().saturating_sub(scale);
        let padded = exact_units(&exact) * ten_to_the(scale.saturating_sub(exact.scale()));
        let unit = ten_to_the(dropped);
        let (quotient, remainder) = (&padded / &unit, &padded % &unit);
        let to_half = (remainder * 2_u32).cmp(&unit);
        for mode in Rounding::ALL.iter().copied() {
            let is_up = match to_half {
                Ordering::Equal => mode == Rounding::HalfUp || mode == Rounding::HalfEven && quotient.bit(0),
                order => order.is_gt(),
            };
            let expected = decimal(&(&quotient + u32::from(is_up)), scale);
            let rounded = held(exact.rounded(mode, scale));
            prop_assert!(same(rounded, expected), "{:?} {:?}", rounded, expected);
        }
    }

    #[test]
    fn integers_are_printed_with_all_their_digits(integer in prop_oneof![any::<u128>(), any::<u64>().prop_map(u128::from)]) {
        let mut printed = String::new();
        push_digits(&mut printed, integer, 0);
        prop_assert_eq!(printed, integer.to_string());
    }

    #[test]
    fn padding_changes_no_value(value in decimals(), scale in 0..=28_u32) {
        let padded = Amount::of(value).unwrap().padded(scale).into_decimal().unwrap();
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
fn a_product_of_39_digits_does_not_fit() {
    let factor = Decimal::from(10_u64.pow(19));
    let largest = Amount::new(10_u128.pow(19) - 1, 0).times(Amount::of(factor).unwrap()).unwrap();
    assert_eq!(largest.to_plain_string(), format!("{}{}", "9".repeat(19), "0".repeat(19)));
    assert_eq!(Amount::product(factor, factor), None);
    assert_eq!(multiply(10_u128.pow(38) - 1, 1), Some(10_u128.pow(38) - 1));
    assert_eq!(multiply(u128::MAX, 2), None);
}

#[test]
fn half_a_unit_is_halfway_at_every_scale() {
    for scale in 1..=38 {
        let half = Amount::new(5 * 10_u128.pow(scale - 1), scale);
        for (mode, rounded) in [(Rounding::HalfUp, 1), (Rounding::HalfEven, 0), (Rounding::HalfDown, 0)] {
            assert_eq!(half.rounded(mode, 0), Some(Amount::new(rounded, 0)), "{scale} {mode:?}");
        }
    }
    // Less than half a unit, however many digits it has.
    let tiny = Amount::new(10_u128.pow(38) - 1, 60);
    assert_eq!(tiny.rounded(Rounding::HalfUp, 0), Some(Amount::new(0, 0)));
}

#[test]
fn a_value_that_fits_only_rounded_down_has_an_amount_only_under_half_down() {
    // 2^96 − 0.5
    let value = Amount::new(10 * ((1 << 96) - 1) + 5, 1);
    assert_eq!(
        Rounding::ALL.iter().map(|mode| value.rounded(*mode, 0)).collect::<Vec<_>>(),
        [None, None, Some(Amount::new((1 << 96) - 1, 0))]
    );
}

#[test]
fn zeros_at_either_end_are_not_significant() {
    for (string, digits) in
        [("0", 0), ("0.00", 0), ("100", 1), ("0.0120", 2), ("-1.05", 3), ("123456789012345678", 18)]
    {
        assert_eq!(significant_digits(&parse_decimal(string).unwrap()), digits, "{string}");
    }
}
