use serde_json::value::RawValue;

use super::*;

/// Texts that are JSON, nearly JSON or not at all.
fn texts() -> impl Iterator<Item = String> {
    const PIECES: [&str; 40] = [
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"a\"",
        "\"\"",
        "\"\\n\"",
        "\"\\u00e9\"",
        "\"\\ud83d\\ude00\"",
        "\"\\ud83d\"",
        "\"\\x\"",
        "\"\\u12\"",
        "\"abcdefghijklmnop\"",
        "\"abcdefg\\\"hij\"",
        "\"abcdefgh\u{1}\"",
        "\"é€😀\"",
        "\"",
        "\\",
        "0",
        "-0",
        "01",
        "1.5",
        "1.",
        ".5",
        "1e5",
        "1E-5",
        "1e",
        "-",
        "true",
        "false",
        "null",
        "nul",
        " ",
        "\n\t",
        "\r",
        "\u{FEFF}",
        "x",
        "\u{0}",
    ];
    let mut seed = 20_261_120_u64;
    let mut next = move |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(seed >> 33).unwrap() % below
    };
    (0..200_000).map(move |_| (0..next(9)).map(|_| PIECES[next(40)]).collect())
}

#[test]
fn a_text_is_json_where_serde_json_says_so_and_has_the_same_parts() {
    let mut read = 0;
    for text in texts() {
        let expected = serde_json::from_str::<&RawValue>(&text).map(RawValue::get).ok();
        assert_eq!(document(&text).ok(), expected, "{text:?}");
        let Some(raw) = expected else { continue };
        read += 1;
        if let Ok(expected) = serde_json::from_str::<Vec<&RawValue>>(raw) {
            let mut parts = Vec::new();
            assert!(elements(raw, &mut |raw| parts.push(raw)));
            assert_eq!(parts, expected.iter().map(|raw| raw.get()).collect::<Vec<_>>());
        }
        if is_text(raw) {
            let text = serde_json::from_str::<String>(raw).ok();
            assert_eq!(super::text(raw).map(Cow::into_owned), text);
            let mut writer = Writer::default();
            writer.text(text.as_deref().unwrap_or_default());
            assert_eq!(writer.into_text(), serde_json::to_string(&text.unwrap_or_default()).unwrap());
        }
        let mut members = Vec::new();
        if self::members(raw, &mut |name, raw| members.push((name.into_owned(), raw.len()))) {
            let value: serde_json::Value = serde_json::from_str(raw).unwrap();
            assert!(members.iter().all(|(name, _)| !value[name].is_null() || raw.contains("null")), "{raw}");
        }
    }
    assert!(read > 10_000, "only {read} were JSON");
}

#[test]
fn what_stops_a_text_from_being_json_is_told_with_its_place() {
    for (text, at, wanted) in [
        ("{\"a\":}", 5, "a value"),
        ("{\"a\" 1}", 5, "a colon"),
        ("{a:1}", 1, "a name in quotes"),
        ("[1 2]", 3, "a comma or ]"),
        ("{\"a\":1]", 6, "a comma or }"),
        ("\"a", 2, "a closing quote"),
        ("1.x", 2, "a digit after the point"),
        ("1 1", 2, "the end of the text"),
    ] {
        assert_eq!(document(text), Err(NotJson { at, wanted }), "{text}");
    }
}

#[test]
fn values_are_passed_on_down_to_64_levels() {
    let nested = |levels: usize| ["[".repeat(levels), "]".repeat(levels)].concat();
    assert_eq!(inspect(&nested(64)), None);
    assert_eq!(inspect(&nested(65)), Some(Fault::TooDeep));
    // Levels that were closed don't count.
    assert_eq!(inspect(&["[", &vec!["[{}]"; 100].join(","), "]"].concat()), None);
    // Brackets in a text are no levels.
    assert_eq!(inspect(&["[\"", &"[".repeat(100), "\"]"].concat()), None);
}

#[test]
fn surrogates_must_come_in_pairs_wherever_they_stand() {
    let whole = [
        r#""""#,
        r#""\ud83d\ude00""#,
        r#"{"\uD83D\uDE00":["\n\u0041\ud83d\ude00x"]}"#,
        r#""\\ud800""#,
        r#""\\\"""#,
    ];
    for text in whole {
        assert_eq!(inspect(text), None, "{text}");
    }
    let halves = [
        r#""\ud83d""#,
        r#""\ude00""#,
        r#""\ud83dx\ude00""#,
        r#""\ud83d\ud83d\ude00""#,
        r#""\ud83d\n\ude00""#,
        r#""\ud83d\u0041""#,
        r#""\ud83d\ude00\ude00""#,
        r#"{"\ud800":1}"#,
        r#"[["x",{"a":"\udfff"}]]"#,
    ];
    for text in halves {
        assert_eq!(inspect(text), Some(Fault::NotUnicode), "{text}");
    }
}

#[test]
fn a_fault_is_found_where_it_is_nested_and_says_what_it_was() {
    for (kind, fault) in [
        ("not_finite", Fault::NotFinite),
        ("not_json", Fault::NotJson),
        ("too_deep", Fault::TooDeep),
        ("too_large", Fault::TooLarge),
        ("anything else", Fault::NotJson),
    ] {
        let placeholder = [r#"{"\u0000":""#, kind, r#""}"#].concat();
        assert_eq!(self::fault(&placeholder), Some(fault));
        assert_eq!(inspect(&["[1,{\"a\":", &placeholder, "},2]"].concat()), Some(fault));
    }
}
