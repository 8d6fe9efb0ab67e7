//! Each piece of a body, accepted and refused.

use super::*;
use crate::order::order;

fn string(body: &str, max_bytes: usize) -> Option<&str> {
    let mut at = Body::new(body.as_bytes(), 0);
    at.string(max_bytes)?;
    assert_eq!(at.pairs, 1);
    body.get(body.len() - at.rest.len()..)
}

#[test]
fn a_string_ends_at_its_quote() {
    assert_eq!(string("Green tea\",\"x\"", 100), Some(",\"x\""));
    assert_eq!(string("x\"", 100), Some(""));
    assert_eq!(string("Crème\"}", 100), Some("}"));
    assert_eq!(string("12345678\"\"345678", 100), Some("\"345678"));
    assert_eq!(string("Tee — grün, 茶\",1", 100), Some(",1"));
}

#[test]
fn a_string_that_is_too_long_for_its_member_is_refused() {
    for length in 1..40 {
        let body = format!("{}\"12345678", "x".repeat(length));
        assert_eq!(string(&body, length), Some("12345678"));
        assert_eq!(string(&body, length - 1), None);
    }
}

#[test]
fn strings_that_may_be_blank_or_need_a_rule_are_refused() {
    for refused in [
        "",
        " ",
        "        ",
        "         ",
        "\u{a0}",
        "\u{3000}\u{3000}",
        "a\tb",
        "a\u{7f}",
        "long enough\u{7f}",
        "a\\u0041",
        "\u{80}x",
        "long enough \u{9f}",
        "\u{fffd}",
        "long enough \u{fffd} too",
    ] {
        assert_eq!(string(&format!("{refused}\",\"more\":1"), 100), None, "{refused:?}");
    }
    assert_eq!(string("no end", 100), None);
    assert_eq!(string("no end at all here", 100), None);
}

#[test]
fn characters_beside_the_refused_ones_are_accepted() {
    for accepted in
        ["x\u{a0}", "é\u{a0}x", "x\u{fffc}", "x\u{ffee}", "x~", "½x", "x\u{2028}", "          x", "😀!"]
    {
        assert_eq!(string(&format!("{accepted}\",\"more\":1"), 100), Some(",\"more\":1"), "{accepted:?}");
    }
}

#[test]
fn a_decimal_is_a_json_number_of_at_most_fifteen_digits_without_sign_and_exponent() {
    let decimal =
        |body: &str| Body::new(body.as_bytes(), 0).decimal().map(|Digits { units, scale }| (units, scale));
    assert_eq!(decimal("12.50,"), Some((1250, 2)));
    assert_eq!(decimal("0.05}"), Some((5, 2)));
    assert_eq!(decimal("0"), Some((0, 0)));
    assert_eq!(decimal("999999999999999"), Some((999_999_999_999_999, 0)));
    assert_eq!(decimal("1e3"), Some((1, 0))); // the exponent is refused as the next token
    for refused in ["", ".5", "5.", "01", "00", "-1", "+1", "1234567890123456", "0.123456789012345"] {
        assert_eq!(decimal(refused), None, "{refused}");
    }
}

#[test]
fn an_integer_is_in_the_range_of_company_and_location_or_known_not_to_be() {
    let integer = |body: &str| Body::new(body.as_bytes(), 0).is_integer_in_range(&order::COMPANY_ID);
    for (body, expected) in [
        ("1,", Some(true)),
        ("2147483647,", Some(true)),
        ("0,", Some(false)),
        ("-1,", Some(false)),
        ("2147483648,", Some(false)),
        ("1.0,", None),
        ("1234567890123456,", None),
        ("-,", None),
        ("x", None),
    ] {
        assert_eq!(integer(body), expected, "{body}");
    }
}

#[test]
fn a_string_too_short_for_a_guid_is_none_and_a_longer_one_is_refused() {
    let guid = |body: &str| Body::new(body.as_bytes(), 0).is_guid();
    assert_eq!(guid("2a8f5d33-eec9-4864-8b49-5636577b40d5\","), Some(true));
    assert_eq!(guid("the integrator\","), Some(false));
    assert_eq!(guid("2a8f5d33eec948648b495636577b40d\","), Some(false));
    for refused in
        ["2a8f5d33eec948648b495636577b40d5", "2A8F5D33-EEC9-4864-8B49-5636577B40D5", "", " ", "a\\u0041"]
    {
        assert_eq!(guid(&format!("{refused}\",")), None, "{refused}");
    }
}

#[test]
fn a_number_may_be_below_0_or_a_word() {
    let number = |body: &str| match Body::new(body.as_bytes(), 0).number()? {
        Number::Unsigned(Digits { units, .. }) => Some(("", units)),
        Number::Negative(Digits { units, .. }) => Some(("-", units)),
        Number::Word => Some(("word", 0)),
    };
    assert_eq!(number("12.5,"), Some(("", 125)));
    assert_eq!(number("0,"), Some(("", 0)));
    assert_eq!(number("-12.5,"), Some(("-", 125)));
    assert_eq!(number("\"free\","), Some(("word", 0)));
    assert_eq!(number("\"NaN\","), Some(("word", 0)));
    for refused in ["-0,", "-,", "--1,", "\"1\",", "\"\",", "\" free\",", "\"a\tb\",", "free,", "null,"] {
        assert_eq!(number(refused), None, "{refused}");
    }
}
