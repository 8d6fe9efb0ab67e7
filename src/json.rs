//! JSON text read by a cursor, once, every value left as the text it is.
//!
//! A value stays a slice of the input until its member is known, so no digit of a decimal goes through a float, what
//! is already canonical can be copied, and the place of an issue is where the slice stands.

mod writer;

use std::borrow::Cow;

pub(crate) use writer::Writer;

/// How deep a value may be nested that the order itself does not have.
pub(crate) const DEEPEST: usize = 64;

/// How a text starts that stands for a value which JSON has no form for; what it was follows.
const FAULT: &str = r#"{"\u0000":""#;

/// Why a value can't be passed on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fault {
    NotFinite,
    NotJson,
    TooDeep,
    TooLarge,
    NotUnicode,
}

/// Where a text stops being JSON, in bytes, and what should stand there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NotJson {
    pub(crate) at: usize,
    pub(crate) wanted: &'static str,
}

pub(crate) type Read<T> = Result<T, NotJson>;

/// Stands in a text and reads on from there.
pub(crate) struct Reader<'a> {
    text: &'a str,
    at: usize,
    /// Whether the string that was read last has escapes.
    has_escapes: bool,
}

impl<'a> Reader<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self { text, at: 0, has_escapes: false }
    }

    /// The byte that the next token starts with; 0, which starts none, at the end.
    pub(crate) fn peek(&mut self) -> u8 {
        while matches!(self.byte(), b' ' | b'\n' | b'\r' | b'\t') {
            self.at += 1;
        }
        self.byte()
    }

    /// Where the next token starts.
    pub(crate) fn next(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// Whether a value starts here that stands for one which JSON has no form for.
    pub(crate) fn at_fault(&self) -> bool {
        self.text.get(self.at..).is_some_and(|rest| rest.starts_with(FAULT))
    }

    /// The text of the string that was just read; nothing where it holds half of a surrogate pair.
    pub(crate) fn text(&self, raw: &'a str) -> Option<Cow<'a, str>> {
        if self.has_escapes { text(raw) } else { raw.get(1..raw.len() - 1).map(Cow::Borrowed) }
    }

    /// Whether the string that was just read is text: no half of a surrogate pair in it.
    pub(crate) fn is_unicode(&self, raw: &str) -> bool {
        !self.has_escapes || is_unicode(raw)
    }

    /// What was read from a place on.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        self.text.get(start..self.at).unwrap_or_default()
    }

    /// Takes the bracket that an object or a list starts with.
    pub(crate) fn open(&mut self) {
        self.at += 1;
    }

    /// The text of the next member's name, up to its value; nothing once the object has ended.
    pub(crate) fn member(&mut self, is_first: bool) -> Read<Option<&'a str>> {
        if !self.goes_on(is_first, b'}', "a comma or }")? {
            return Ok(None);
        }
        self.name().map(Some)
    }

    /// Whether there is another element; the list has ended otherwise.
    pub(crate) fn element(&mut self, is_first: bool) -> Read<bool> {
        self.goes_on(is_first, b']', "a comma or ]")
    }

    /// The text of a value, whatever it is: checked, but not looked into.
    pub(crate) fn value(&mut self) -> Read<&'a str> {
        let start = self.next();
        // Brackets that must still be closed, the innermost last.
        let mut open = Vec::new();
        loop {
            match self.peek() {
                b'"' => _ = self.string()?,
                b'{' => {
                    self.open();
                    if self.peek() != b'}' {
                        self.name()?;
                        open.push(b'}');
                        continue;
                    }
                    self.at += 1;
                }
                b'[' => {
                    self.open();
                    if self.peek() != b']' {
                        open.push(b']');
                        continue;
                    }
                    self.at += 1;
                }
                b't' => self.word("true")?,
                b'f' => self.word("false")?,
                b'n' => self.word("null")?,
                _ => self.number()?,
            }
            loop {
                let Some(&close) = open.last() else { return Ok(self.since(start)) };
                let goes_on = match close {
                    b'}' => self.goes_on(false, close, "a comma or }")?,
                    _ => self.goes_on(false, close, "a comma or ]")?,
                };
                if goes_on {
                    if close == b'}' {
                        self.name()?;
                    }
                    break;
                }
                open.pop();
            }
        }
    }

    /// Whether nothing but white space follows.
    pub(crate) fn end(&mut self) -> Read<()> {
        self.peek();
        if self.at == self.text.len() { Ok(()) } else { self.wanted("the end of the text") }
    }

    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    fn wanted<T>(&self, wanted: &'static str) -> Read<T> {
        Err(NotJson { at: self.at, wanted })
    }

    /// Takes the comma before another entry, or the bracket that closes the value.
    fn goes_on(&mut self, is_first: bool, close: u8, wanted: &'static str) -> Read<bool> {
        let next = self.peek();
        if next == close {
            self.at += 1;
            return Ok(false);
        }
        if !is_first {
            if next != b',' {
                return self.wanted(wanted);
            }
            self.at += 1;
        }
        Ok(true)
    }

    /// A name with its quotes, and the colon after it.
    fn name(&mut self) -> Read<&'a str> {
        if self.peek() != b'"' {
            return self.wanted("a name in quotes");
        }
        let name = self.string()?;
        if self.peek() != b':' {
            return self.wanted("a colon");
        }
        self.at += 1;
        Ok(name)
    }

    /// A string with its quotes, from its opening quote on.
    fn string(&mut self) -> Read<&'a str> {
        let start = self.at;
        self.at += 1;
        self.has_escapes = false;
        loop {
            self.skip_ordinary();
            match self.byte() {
                b'"' => {
                    self.at += 1;
                    return Ok(self.since(start));
                }
                b'\\' => {
                    self.at += 1;
                    self.has_escapes = true;
                    match self.byte() {
                        b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => self.at += 1,
                        b'u' if self.unit().is_some() => self.at += 5,
                        _ => return self.wanted("an escape sequence"),
                    }
                }
                0x20.. => self.at += 1,
                _ if self.at == self.text.len() => return self.wanted("a closing quote"),
                _ => return self.wanted("no bare control character"),
            }
        }
    }

    /// Skips bytes of a string that mean themselves, eight at a time.
    fn skip_ordinary(&mut self) {
        const ONES: u64 = u64::MAX / 255;
        const HIGHS: u64 = ONES << 7;
        // A byte that is zero leaves its highest bit; the lowest one found is always right.
        let zeros = |bytes: u64| bytes.wrapping_sub(ONES) & !bytes & HIGHS;
        let rest = self.text.as_bytes().get(self.at..).unwrap_or_default();
        for chunk in rest.as_chunks::<8>().0 {
            let bytes = u64::from_le_bytes(*chunk);
            let controls = bytes.wrapping_sub(ONES * 0x20) & !bytes & HIGHS;
            let found =
                zeros(bytes ^ (ONES * u64::from(b'"'))) | zeros(bytes ^ (ONES * u64::from(b'\\'))) | controls;
            if found != 0 {
                self.at += found.trailing_zeros() as usize / 8;
                return;
            }
            self.at += 8;
        }
    }

    /// The UTF-16 unit of `uXXXX` here.
    fn unit(&self) -> Option<u16> {
        let digits = self.text.as_bytes().get(self.at + 1..self.at + 5)?;
        digits.iter().try_fold(0, |unit, digit| Some(unit << 4 | hex(*digit)?))
    }

    fn word(&mut self, word: &'static str) -> Read<()> {
        let end = self.at + word.len();
        if self.text.get(self.at..end) != Some(word) {
            return self.wanted("a value");
        }
        self.at = end;
        Ok(())
    }

    fn number(&mut self) -> Read<()> {
        if self.byte() == b'-' {
            self.at += 1;
        }
        match self.byte() {
            b'0' => self.at += 1,
            b'1'..=b'9' => self.digits("a digit")?,
            _ => return self.wanted("a value"),
        }
        if self.byte() == b'.' {
            self.at += 1;
            self.digits("a digit after the point")?;
        }
        if matches!(self.byte(), b'e' | b'E') {
            self.at += 1;
            if matches!(self.byte(), b'+' | b'-') {
                self.at += 1;
            }
            self.digits("a digit in the exponent")?;
        }
        Ok(())
    }

    /// One digit or more.
    fn digits(&mut self, wanted: &'static str) -> Read<()> {
        if !self.byte().is_ascii_digit() {
            return self.wanted(wanted);
        }
        while self.byte().is_ascii_digit() {
            self.at += 1;
        }
        Ok(())
    }
}

/// The text of a whole JSON document without the white space around it.
pub(crate) fn document(text: &str) -> Read<&str> {
    let mut reader = Reader::new(text);
    let raw = reader.value()?;
    reader.end()?;
    Ok(raw)
}

/// Calls `each` with the members of an object, in order; false where the value is none or has a name that is no
/// Unicode.
pub(crate) fn members<'a>(raw: &'a str, each: &mut dyn FnMut(Cow<'a, str>, &'a str)) -> bool {
    let mut reader = Reader::new(raw);
    if reader.peek() != b'{' {
        return false;
    }
    reader.open();
    let mut is_first = true;
    while let Ok(Some(name)) = reader.member(is_first) {
        let (Some(name), Ok(value)) = (text(name), reader.value()) else { return false };
        each(name, value);
        is_first = false;
    }
    reader.end().is_ok()
}

/// Calls `each` with the elements of an array, in order; false where the value is none.
pub(crate) fn elements<'a>(raw: &'a str, each: &mut dyn FnMut(&'a str)) -> bool {
    let mut reader = Reader::new(raw);
    if reader.peek() != b'[' {
        return false;
    }
    reader.open();
    let mut is_first = true;
    while let Ok(true) = reader.element(is_first) {
        let Ok(value) = reader.value() else { return false };
        each(value);
        is_first = false;
    }
    reader.end().is_ok()
}

/// The characters of a JSON string; one that is `None` is half of a surrogate pair.
pub(crate) fn characters(raw: &str) -> impl Iterator<Item = Option<char>> {
    let mut reader = Reader::new(raw.get(1..raw.len().saturating_sub(1)).unwrap_or_default());
    std::iter::from_fn(move || reader.character())
}

impl Reader<'_> {
    /// The next character of the inside of a string, its escape resolved.
    fn character(&mut self) -> Option<Option<char>> {
        let next = self.text.get(self.at..)?.chars().next()?;
        self.at += next.len_utf8();
        if next != '\\' {
            return Some(Some(next));
        }
        let escaped = self.byte();
        if escaped == b'u' {
            return Some(self.escaped_unit());
        }
        self.at += 1;
        Some(Some(match escaped {
            b'b' => '\u{8}',
            b'f' => '\u{C}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            other => char::from(other),
        }))
    }

    /// The character of `uXXXX`, or of two of them where it takes two.
    fn escaped_unit(&mut self) -> Option<char> {
        let unit = self.unit()?;
        self.at += 5;
        let mut units = [unit, 0];
        let mut used = 1;
        if matches!(unit, 0xD800..=0xDBFF)
            && self.byte() == b'\\'
            && self.text.as_bytes().get(self.at + 1) == Some(&b'u')
        {
            let mut second = Self { text: self.text, at: self.at + 1, has_escapes: true };
            if let Some(low @ 0xDC00..=0xDFFF) = second.unit() {
                second.at += 5;
                self.at = second.at;
                units = [unit, low];
                used = 2;
            }
        }
        char::decode_utf16(units.into_iter().take(used)).next()?.ok()
    }
}

fn hex(digit: u8) -> Option<u16> {
    char::from(digit).to_digit(16).and_then(|value| u16::try_from(value).ok())
}

/// The text of a JSON string; nothing where the value is none, or holds half of a surrogate pair.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains('\\') && is_text(raw) {
        return characters(raw).collect::<Option<String>>().map(Cow::Owned);
    }
    raw.strip_prefix('"')?.strip_suffix('"').map(Cow::Borrowed)
}

/// Whether a JSON string is text: no half of a surrogate pair in it.
fn is_unicode(raw: &str) -> bool {
    characters(raw).all(|character| character.is_some())
}

pub(crate) fn is_text(raw: &str) -> bool {
    raw.starts_with('"')
}

pub(crate) fn is_number(raw: &str) -> bool {
    raw.starts_with(|first: char| first == '-' || first.is_ascii_digit())
}

pub(crate) fn is_object(raw: &str) -> bool {
    raw.starts_with('{')
}

pub(crate) fn is_array(raw: &str) -> bool {
    raw.starts_with('[')
}

/// What a value stands for that JSON has no form for, where it does.
pub(crate) fn fault(raw: &str) -> Option<Fault> {
    let kind = raw.strip_prefix(FAULT)?;
    Some(match kind.split('"').next() {
        Some("not_finite") => Fault::NotFinite,
        Some("too_deep") => Fault::TooDeep,
        Some("too_large") => Fault::TooLarge,
        _ => Fault::NotJson,
    })
}

/// Looks through a value that is passed on unread for what must not be sent: it has no other reader.
pub(crate) fn inspect(raw: &str) -> Option<Fault> {
    let mut depth = 0_usize;
    let mut reader = Reader::new(raw);
    loop {
        match reader.byte() {
            b'"' => {
                let string = reader.string().unwrap_or_default();
                if string.is_empty() || !reader.is_unicode(string) {
                    return Some(Fault::NotUnicode);
                }
                continue;
            }
            b'{' | b'[' => {
                if reader.at_fault() {
                    return raw.get(reader.at..).and_then(fault);
                }
                depth += 1;
                if depth > DEEPEST {
                    return Some(Fault::TooDeep);
                }
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            0 => return None,
            _ => {}
        }
        reader.at += 1;
    }
}
#[cfg(test)]
mod tests {
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
                assert!(
                    members.iter().all(|(name, _)| !value[name].is_null() || raw.contains("null")),
                    "{raw}"
                );
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
}
