//! JSON text taken apart by `serde_json`, one level at a time, every value left as the text it is.
//!
//! A value stays a slice of the input until its member is known, so no digit of a decimal goes through a float, what
//! is already canonical can be copied, and the place of an issue is where the slice stands.

use std::borrow::Cow;

use serde::de::{Deserializer as _, MapAccess, SeqAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Deserializer, Error};

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

/// The text of a whole JSON document without the white space around it.
pub(crate) fn document(text: &str) -> Result<&str, Error> {
    serde_json::from_str::<&RawValue>(text).map(RawValue::get)
}

/// Calls `each` with the members of an object, in order.
pub(crate) fn members<'a>(raw: &'a str, each: &mut dyn FnMut(Cow<'a, str>, &'a str)) -> Result<(), Error> {
    let mut deserializer = Deserializer::from_str(raw);
    deserializer.deserialize_map(Members(each))?;
    deserializer.end()
}

/// Calls `each` with the elements of an array, in order.
pub(crate) fn elements<'a>(raw: &'a str, each: &mut dyn FnMut(&'a str)) -> Result<(), Error> {
    let mut deserializer = Deserializer::from_str(raw);
    deserializer.deserialize_seq(Elements(each))?;
    deserializer.end()
}

/// The text of a JSON string; nothing where it holds half of a surrogate pair.
pub(crate) fn text(raw: &str) -> Option<Cow<'_, str>> {
    if raw.contains('\\') {
        serde_json::from_str(raw).ok().map(Cow::Owned)
    } else {
        raw.get(1..raw.len().checked_sub(1)?).map(Cow::Borrowed)
    }
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
    Some(match kind.strip_suffix("\"}").unwrap_or(kind) {
        "not_finite" => Fault::NotFinite,
        "too_deep" => Fault::TooDeep,
        "too_large" => Fault::TooLarge,
        _ => Fault::NotJson,
    })
}

/// Looks through a value that is passed on unread for what must not be sent: it has no other reader.
pub(crate) fn inspect(raw: &str) -> Option<Fault> {
    let mut depth = 0_usize;
    let mut rest = raw;
    while let Some(at) = rest.find(['{', '[', '}', ']', '"']) {
        let (_, here) = rest.split_at_checked(at)?;
        rest = here.get(1..)?;
        if is_text(here) {
            rest = match after_string(rest) {
                Ok(rest) => rest,
                Err(fault) => return Some(fault),
            };
        } else if is_object(here) || is_array(here) {
            if let Some(fault) = here.starts_with(FAULT).then(|| first_value_fault(here)) {
                return Some(fault);
            }
            depth += 1;
            if depth > DEEPEST {
                return Some(Fault::TooDeep);
            }
        } else {
            depth = depth.saturating_sub(1);
        }
    }
    None
}

/// The fault that a nested placeholder names: it ends at its first closing brace.
fn first_value_fault(here: &str) -> Fault {
    let end = here.find('}').map_or(here.len(), |at| at + 1);
    here.get(..end).and_then(fault).unwrap_or(Fault::NotJson)
}

/// What follows a string whose opening quote is behind us; its escapes must form whole characters.
fn after_string(mut rest: &str) -> Result<&str, Fault> {
    let mut high = false;
    while let Some(at) = rest.find(['"', '\\']) {
        if at > 0 && high {
            return Err(Fault::NotUnicode);
        }
        let (here, after) = rest.split_at_checked(at + 1).unwrap_or((rest, ""));
        if here.ends_with('"') {
            return if high { Err(Fault::NotUnicode) } else { Ok(after) };
        }
        let unit = after.strip_prefix('u').and_then(|code| code.get(..4));
        let unit = unit.and_then(|code| u16::from_str_radix(code, 16).ok());
        high = match unit {
            Some(0xD800..=0xDBFF) if !high => true,
            Some(0xDC00..=0xDFFF) if high => false,
            Some(0xD800..=0xDFFF) => return Err(Fault::NotUnicode),
            _ if high => return Err(Fault::NotUnicode),
            _ => false,
        };
        let escape = if unit.is_some() { 5 } else { 1 };
        rest = after.get(escape..).unwrap_or("");
    }
    Ok("")
}

struct Members<'f, 'a>(&'f mut dyn FnMut(Cow<'a, str>, &'a str));

impl<'a> Visitor<'a> for Members<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'a>>(self, mut map: A) -> Result<(), A::Error> {
        while let Some(Name(name)) = map.next_key()? {
            (self.0)(name, map.next_value::<&RawValue>()?.get());
        }
        Ok(())
    }
}

struct Elements<'f, 'a>(&'f mut dyn FnMut(&'a str));

impl<'a> Visitor<'a> for Elements<'_, 'a> {
    type Value = ();

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("an array")
    }

    fn visit_seq<A: SeqAccess<'a>>(self, mut array: A) -> Result<(), A::Error> {
        while let Some(element) = array.next_element::<&RawValue>()? {
            (self.0)(element.get());
        }
        Ok(())
    }
}

/// The name of a member, borrowed where it has no escapes.
#[derive(serde::Deserialize)]
struct Name<'a>(#[serde(borrow)] Cow<'a, str>);

#[cfg(test)]
mod tests {
    use super::*;

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
