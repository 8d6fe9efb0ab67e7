//! Compared with `num-bigint`, which has no limit of bits.

use num_bigint::BigUint;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use super::*;

/// Generates integers of every length, often at the edge of a limb or of all bits.
fn integers() -> impl Strategy<Value = U512> {
    let limb = prop_oneof![select(vec![0, 1, 9, 10, 1 << 31, u32::MAX - 1, u32::MAX]), any::<u32>()];
    prop_oneof![vec(limb.clone(), 0..=2), vec(limb, 0..=16)].prop_map(|some| {
        let mut limbs = [0; 16];
        limbs[..some.len()].copy_from_slice(&some);
        U512::from_limbs(limbs)
    })
}

fn big(integer: &U512) -> BigUint {
    BigUint::from_slice(&integer.limbs())
}

/// Returns the same integer if 512 bits hold it.
fn u512(big: &BigUint) -> Option<U512> {
    let some = big.to_u32_digits();
    let mut limbs = [0; 16];
    limbs.get_mut(..some.len())?.copy_from_slice(&some);
    Some(U512::from_limbs(limbs))
}

fn ten_to_the(power: u32) -> BigUint {
    BigUint::from(10_u32).pow(power)
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sums_differences_products_and_order_are_those_of_num_bigint(a in integers(), b in integers()) {
        let (big_a, big_b) = (big(&a), big(&b));
        prop_assert_eq!(a.checked_add(&b), u512(&(&big_a + &big_b)));
        prop_assert_eq!(a.checked_mul(&b), u512(&(&big_a * &big_b)));
        let difference = (big_a >= big_b).then(|| &big_a - &big_b);
        prop_assert_eq!(a.checked_sub(&b), difference.and_then(|difference| u512(&difference)));
        prop_assert_eq!(a.cmp(&b), big_a.cmp(&big_b));
        prop_assert_eq!(a == b, big_a == big_b);
    }

    #[test]
    fn quotients_and_remainders_are_those_of_num_bigint(a in integers(), b in integers()) {
        let expected = (!b.is_zero()).then(|| (big(&a) / big(&b), big(&a) % big(&b)));
        let expected = expected.map(|(quotient, remainder)| (u512(&quotient).unwrap(), u512(&remainder).unwrap()));
        prop_assert_eq!(a.checked_div_rem(&b), expected);
    }

    #[test]
    fn digits_are_those_of_num_bigint(a in integers(), count in 0..200_u32, digit in 0..10_u8) {
        let expected = big(&a);
        let string = expected.to_string();
        prop_assert_eq!(U512::from_digits(&string), Some(a.clone()));
        let digits: Vec<u8> = string.bytes().rev().map(|byte| byte - b'0').collect();
        prop_assert_eq!(a.clone().into_digits(), if a.is_zero() { Vec::new() } else { digits });
        prop_assert_eq!(a.clone().push_digit(digit), u512(&(&expected * 10_u32 + digit)));

        let mut cut = a.clone();
        prop_assert_eq!(cut.cut_digits(count), &expected % ten_to_the(count) != BigUint::ZERO);
        prop_assert_eq!(Some(cut), u512(&(&expected / ten_to_the(count))));
        let mut cut = a.clone();
        prop_assert_eq!(BigUint::from(cut.cut_digit()), &expected % 10_u32);
        prop_assert_eq!(Some(cut), u512(&(&expected / 10_u32)));
    }

    #[test]
    fn conversions_return_what_fits(a in integers()) {
        let expected = big(&a);
        prop_assert_eq!(a.to_u64(), u64::try_from(&expected).ok());
        prop_assert_eq!(a.to_parts().is_some(), expected.bits() <= 96);
        prop_assert_eq!(a.to_parts().map_or_else(|| a.clone(), U512::from_parts), a.clone());
        prop_assert_eq!(a.is_odd(), expected.bit(0));
        prop_assert_eq!(a.is_zero(), expected == BigUint::ZERO);
    }

    #[test]
    fn only_digits_are_parsed(string in "[0-9 +_a-]{0,6}[0-9]{0,170}") {
        let is_digits = string.bytes().all(|byte| byte.is_ascii_digit());
        let expected = string.parse::<BigUint>().ok();
        prop_assert_eq!(U512::from_digits(&string), expected.filter(|_| is_digits).and_then(|expected| u512(&expected)));
    }
}

#[test]
fn powers_of_ten_are_those_that_fit() {
    for power in 0..160 {
        assert_eq!(U512::power_of_ten(power), u512(&ten_to_the(power)), "{power}");
    }
    assert!(U512::power_of_ten(154).is_some() && U512::power_of_ten(155).is_none());
}
