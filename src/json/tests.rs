//! Compared with `serde_json` on random documents, on documents with a few changed characters, and on random tokens.

use std::fmt;

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::{Index, select};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::*;

/// Pieces of JSON, valid and invalid.
#[rustfmt::skip]
const PIECES: [&str; 45] = [
    "{", "}", "[", "]", ",", ":", "\"a\"", "\"\"", "\"\\n\"", "\"\\u00e9\"", "\"\\ud83d\\ude00\"",
    "\"\\ud83d\"", "\"\\ude00\"", "\"\\ud83d\\u0041\"", "\"\\x\"", "\"\\u12\"", "\"\\u+123\"",
    "\"abcdefghijklmnop\"", "\"abcdefg\\\"hij\"", "\"abcdefgh\u{1}\"", "\"\u{7f}é€😀\"", "\"", "\\",
    "\\u", "0", "-0", "01", "1.5", "1.", ".5", "1e5", "1E-5", "1e", "-", "+1", "true", "false", "null",
    "nul", " ", "\n\t", "\r", "\u{FEFF}", "x", "\u{0}",
];

fn documents() -> impl Strategy<Value = String> {
    let number = "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,20})?([eE][+-]?[0-9]{1,2})?";
    let leaf =
        prop_oneof![select(vec!["true", "false", "null"]).prop_map(str::to_owned), number, json_strings()];
    let with_space = |document: BoxedStrategy<String>| {
        ("[ \n\r\t]{0,2}", document, "[ \n\r\t]{0,2}")
            .prop_map(|(before, json, after)| [before, json, after].concat())
    };
    let document = leaf.boxed().prop_recursive(5, 60, 6, move |inner| {
        let value = with_space(inner);
        let member = (with_space(json_strings().boxed()), value.clone())
            .prop_map(|(name, json)| format!("{name}:{json}"));
        prop_oneof![
            vec(value, 0..6).prop_map(|values| format!("[{}]", values.join(","))),
            vec(member, 0..6).prop_map(|members| format!("{{{}}}", members.join(","))),
        ]
    });
    with_space(document.boxed())
}

fn json_strings() -> impl Strategy<Value = String> {
    let escape = select(vec![
        "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t", "\\u00e9", "\\uD83D", "\\uDe00", "\\ud800",
        "\\udbff", "\\uDC00", "\\uDFFF",
    ]);
    let escaped = escape.prop_map(str::to_owned);
    let part = prop_oneof![8 => "[ -!#-\\[\\]-~é€😀]{0,12}", 1 => "\\\\\\\\ud800", 2 => escaped];
    vec(part, 0..4).prop_map(|parts| format!("\"{}\"", parts.concat()))
}

/// Documents in which some characters were replaced by a piece.
fn damaged() -> impl Strategy<Value = String> {
    (documents(), vec((any::<Index>(), 0..3_usize, select(&PIECES[..])), 1..3)).prop_map(
        |(document, changes)| {
            changes.into_iter().fold(document, |document, (index, removed, piece)| {
                let characters: Vec<char> = document.chars().collect();
                let index = index.index(characters.len() + 1);
                let (before, after) = characters.split_at(index);
                let after = after.iter().skip(removed);
                before.iter().copied().chain(piece.chars()).chain(after.copied()).collect()
            })
        },
    )
}

fn inputs() -> impl Strategy<Value = String> {
    prop_oneof![vec(select(&PIECES[..]), 0..9).prop_map(|pieces| pieces.concat()), documents(), damaged()]
}

/// The members of an object in order, repeated names included.
struct Members(Vec<(String, String)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some((name, value)) = map.next_entry::<String, &RawValue>()? {
                    members.push((name, value.get().to_owned()));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

fn write(out: &mut Writer, value: &Value) {
    match value {
        Value::Null => out.raw("null"),
        Value::Bool(value) => out.raw(if *value { "true" } else { "false" }),
        Value::Number(number) => out.integer(usize::try_from(number.as_u64().unwrap()).unwrap()),
        Value::String(string) => out.string(string),
        Value::Array(values) => {
            out.begin_array();
            values.iter().for_each(|value| write(out, value));
            out.end_array();
        }
        Value::Object(members) => {
            out.begin_object();
            members.iter().for_each(|(name, value)| write(out.key_of(name), value));
            out.end_object();
        }
    }
}

fn values() -> impl Strategy<Value = Value> {
    let string = prop_oneof![any::<String>(), "[\u{0}-\u{1f}\"\\\\/a\u{7f}é]{0,9}"];
    let leaf = prop_oneof![
        select(vec![Value::Null, Value::Bool(true), Value::Bool(false)]),
        any::<u32>().prop_map(Value::from),
        string.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 40, 6, move |inner| {
        prop_oneof![
            vec(inner.clone(), 0..6).prop_map(Value::from),
            vec((string.clone(), inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn accepts_exactly_what_serde_json_accepts(json in inputs()) {
        let expected = serde_json::from_str::<&RawValue>(&json).map(RawValue::get);
        prop_assert_eq!(document(&json).ok(), expected.ok());
    }

    // The JSON before the position can begin a document, so no error is earlier.
    #[test]
    fn an_error_is_at_the_first_token_that_is_wrong(json in damaged()) {
        let Err(SyntaxError { position, .. }) = document(&json) else { return Ok(()) };
        let begins_a_document = |json: &str| {
            let read = serde_json::from_str::<&RawValue>(json);
            read.is_ok() || read.is_err_and(|error| error.is_eof())
        };
        let before = json.get(..position).unwrap();
        // serde_json reports the end after `1.` and `1e` as a syntax error.
        prop_assert!(begins_a_document(before) || begins_a_document(&format!("{before}0")), "{} {:?}", position, before);
        // serde_json reports the first wrong byte of a literal or an escape, not the first byte of it.
        let expected = serde_json::from_str::<&RawValue>(&json).unwrap_err();
        let line_start = json.split_inclusive('\n').take(expected.line() - 1).map(str::len).sum::<usize>();
        let distance = (line_start + expected.column()).abs_diff(position);
        prop_assert!(distance <= 6, "{} {}", position, expected);
    }

    #[test]
    fn members_and_elements_are_those_of_serde_json(json in documents()) {
        let raw = document(&json).unwrap();
        let mut parts = Vec::new();
        let expected = serde_json::from_str::<Vec<&RawValue>>(raw).ok();
        let is_array = elements(raw, &mut |raw| parts.push(raw));
        prop_assert_eq!(is_array.then_some(parts), expected.map(|parts| parts.into_iter().map(RawValue::get).collect()));

        let mut parts = Vec::new();
        let is_object = members(raw, &mut |name, raw| parts.push((name.into_owned(), raw.to_owned())));
        prop_assert_eq!(is_object.then_some(parts), serde_json::from_str::<Members>(raw).ok().map(|Members(parts)| parts));
    }

    #[test]
    fn strings_are_decoded_as_by_serde_json(raw in json_strings()) {
        let expected = serde_json::from_str::<String>(&raw).ok();
        let read = Reader::new(&raw).string().unwrap();
        prop_assert_eq!(Some(read.raw()), JsonString::from_raw(&raw).map(JsonString::raw));
        let is_printable = raw.bytes().all(|byte| matches!(byte, b' '..0x7F) && byte != b'\\');
        prop_assert!(is_printable || !read.is_printable());
        prop_assert_eq!(read.is_unicode(), expected.is_some());
        prop_assert_eq!(read.decode().map(Cow::into_owned), expected.clone());
        prop_assert_eq!(string(&raw).map(Cow::into_owned), expected);
    }

    #[test]
    fn lone_surrogates_are_the_only_unrepresentable_strings(json in documents()) {
        let raw = document(&json).unwrap();
        let is_readable = serde_json::from_str::<Value>(raw).is_ok();
        prop_assert_eq!(find_unrepresentable(raw), (!is_readable).then_some(Unrepresentable::NotUnicode));
    }

    #[test]
    fn values_are_written_as_by_serde_json(value in values()) {
        let mut out = Writer::default();
        write(&mut out, &value);
        prop_assert_eq!(out.into_string(), serde_json::to_string(&value).unwrap());
    }
}

#[test]
fn a_syntax_error_has_a_position_and_what_is_expected_there() {
    for (json, position, expected) in [
        ("", 0, "a value"),
        ("{\"a\":}", 5, "a value"),
        ("{\"a\" 1}", 5, "a colon"),
        ("{a:1}", 1, "a name in quotes"),
        ("[1 2]", 3, "a comma or ]"),
        ("{\"a\":1]", 6, "a comma or }"),
        ("[1}", 2, "a comma or ]"),
        ("[1,]", 3, "a value"),
        ("\"a", 2, "a closing quote"),
        ("\"a\u{0}\"", 2, "control characters to be escaped"),
        ("\"\\x\"", 2, "an escape sequence"),
        ("-", 1, "a value"),
        ("1.x", 2, "a digit after the point"),
        ("1e+", 3, "a digit in the exponent"),
        ("1 1", 2, "the end of the JSON"),
        ("1\u{0}", 1, "the end of the JSON"),
        ("[\u{0}", 1, "a value"),
    ] {
        assert_eq!(document(json), Err(SyntaxError { position, expected }), "{json:?}");
    }
}

#[test]
fn a_value_may_have_64_levels() {
    let nested = |levels: usize| ["[".repeat(levels), "]".repeat(levels)].concat();
    assert_eq!(find_unrepresentable(&nested(64)), None);
    assert_eq!(find_unrepresentable(&nested(65)), Some(Unrepresentable::TooDeep));
    // Levels that are closed again don't count.
    assert_eq!(find_unrepresentable(&["[", &vec!["[{}]"; 100].join(","), "]"].concat()), None);
    // Brackets in a string don't count.
    assert_eq!(find_unrepresentable(&["[\"", &"[".repeat(100), "\"]"].concat()), None);
}

#[test]
fn deep_nesting_does_not_overflow_the_stack() {
    let levels = 1_000_000;
    let nested = [r#"{"a":["#.repeat(levels), "]}".repeat(levels)].concat();
    assert_eq!(document(&nested), Ok(nested.as_str()));
}

#[test]
fn a_lone_surrogate_hides_no_character() {
    let string = JsonString::from_raw(r#""a\ud83d\u0041\ude00\ud83d\ude00""#).unwrap();
    assert_eq!(string.characters().collect::<Vec<_>>(), [Some('a'), None, Some('A'), None, Some('😀')]);
}

#[test]
fn a_placeholder_is_found_at_any_depth_with_what_it_represents() {
    for (reason, expected) in [
        ("not_finite", Unrepresentable::NotFinite),
        ("not_json", Unrepresentable::NotJson),
        ("too_deep", Unrepresentable::TooDeep),
        ("too_large", Unrepresentable::TooLarge),
        ("anything else", Unrepresentable::NotJson),
    ] {
        let placeholder = [r#"{"\u0000":""#, reason, r#""}"#].concat();
        assert_eq!(Unrepresentable::from_placeholder(&placeholder), Some(expected));
        assert!(is_at_placeholder(&mut Reader::new(&placeholder)));
        assert_eq!(find_unrepresentable(&["[1,{\"a\":", &placeholder, "},2]"].concat()), Some(expected));
    }
    assert_eq!(Unrepresentable::from_placeholder(r#"{"a":1}"#), None);
}

#[test]
fn a_byte_order_mark_is_not_part_of_the_json() {
    assert_eq!(without_bom("\u{FEFF}{}"), "{}");
    assert_eq!(without_bom("{}"), "{}");
    assert_eq!(without_bom("\u{FEFF}\u{FEFF}1"), "\u{FEFF}1");
    assert!(document("\u{FEFF}{}").is_err());
}

#[test]
fn members_and_elements_of_an_unclosed_value_are_not_taken_as_whole() {
    for (json, is_whole) in [
        (r#"{"a":3}"#, true),
        ("{}", true),
        (r#"{"a":3"#, false),
        (r#"{"a":3,"#, false),
        ("{", false),
        (r#"{"a":3]"#, false),
        (r#"{"a":3} x"#, false),
    ] {
        assert_eq!(members(json, &mut |_, _| {}), is_whole, "{json}");
    }
    for (json, is_whole) in [
        ("[3]", true),
        ("[]", true),
        ("[3", false),
        ("[3,", false),
        ("[", false),
        ("[3}", false),
        ("[3] x", false),
    ] {
        assert_eq!(elements(json, &mut |_| {}), is_whole, "{json}");
    }
}
