//! JSON text → order + issues: reads every member it can and never stops at the first that it can't.
//!
//! Only the types of members are checked here (§2, D1, D4, D8); whether their values make an order is for the rules.

mod records;
mod values;

use crate::code::Code;
use crate::guid::Guid;
use crate::issue::{Issues, Place};
use crate::json::{self, Fault};
use crate::names::Names;
use crate::written::{List, Member, Other, Records, Text, Value, WrittenItem, WrittenOrder};

/// The longest text that is read, in bytes.
const LONGEST: usize = 1 << 25;
/// The most entries of an array that are read.
const MOST_ENTRIES: usize = 100_000;
/// The most members of a record that are read and do not belong to it.
const MOST_OTHERS: usize = 200;

/// What kind of order a text holds, and so what is an issue in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A request that is judged as it stands: read-only members are told of (D22).
    AsItStands,
    /// The input of a request: read-only members are dropped and a null Id is as good as none (D3, D22).
    Input,
    /// What a service answered, read with tolerance (D26).
    Response,
}

/// Reads an order; nothing where the text is none at all.
pub(crate) fn read_order<'a>(
    text: &'a str,
    reading: Reading,
    opaque: bool,
    issues: &mut Issues<'a>,
) -> Option<WrittenOrder<'a>> {
    if text.len() > LONGEST {
        issues.at(text, Code::TooLarge);
        return None;
    }
    match json::document(text) {
        Ok(raw) => Decoder { reading, opaque, issues }.order(raw),
        // A response that is no JSON is told of by its reader, whatever it is instead.
        Err(_) if reading == Reading::Response => None,
        Err(error) => {
            issues.at_with_detail(text, Code::NotJson, &error.to_string());
            None
        }
    }
}

/// Reads one item by itself, at its position in an order.
pub(crate) fn read_item<'a>(
    text: &'a str,
    index: usize,
    issues: &mut Issues<'a>,
) -> Member<'a, WrittenItem<'a>> {
    let mut decoder = Decoder { reading: Reading::Input, opaque: false, issues };
    let raw = json::document(text).unwrap_or_default();
    let item =
        decoder.within("Items", |decoder| decoder.within(Place::Index(index), |decoder| decoder.item(raw)));
    Member { raw, value: item.map_or(Value::Unreadable, Value::Is) }
}

struct Decoder<'i, 'a> {
    reading: Reading,
    opaque: bool,
    issues: &'i mut Issues<'a>,
}

impl<'a> Decoder<'_, 'a> {
    /// Reads the members of a record; false where the value is none.
    fn record(
        &mut self,
        raw: &'a str,
        names: &Names,
        mut each: impl FnMut(&mut Self, Name<'a>, &'a str),
    ) -> bool {
        if !json::is_object(raw) || json::fault(raw).is_some() {
            self.say(raw, if raw == "null" { Code::NullNotAllowed } else { Code::NotAnObject });
            return false;
        }
        let any_case = self.reading == Reading::Response;
        let read = json::members(raw, &mut |name, raw| {
            let name = names.find(&name, any_case).map_or(Unknown(name), Known);
            each(self, name, raw);
        });
        if read.is_err() {
            // All else was checked with the document as a whole: a name is not Unicode.
            self.say(raw, Code::TextNotUnicode);
        }
        read.is_ok()
    }

    fn list<T>(
        &mut self,
        raw: &'a str,
        mut read: impl FnMut(&mut Self, &'a str) -> Option<T>,
    ) -> Option<List<'a, T>> {
        if !json::is_array(raw) {
            self.say(raw, Code::NotAnArray);
            return None;
        }
        let mut list = Vec::new();
        let mut index = 0;
        let result = json::elements(raw, &mut |raw| {
            if index < MOST_ENTRIES {
                let value = self.within(Place::Index(index), |decoder| read(decoder, raw));
                list.push(Member { raw, value: value.map_or(Value::Unreadable, Value::Is) });
            }
            index += 1;
        });
        if index > MOST_ENTRIES {
            // A part of a list has no total.
            return self.wrong(raw, Code::TooManyEntries);
        }
        result.is_ok().then_some(list)
    }

    fn opaque_list<T>(&mut self, raw: &'a str) -> Option<Records<T>> {
        if !json::is_array(raw) {
            self.say(raw, Code::NotAnArray);
            return None;
        }
        let mut count = 0;
        let counted = json::elements(raw, &mut |_| count += 1).is_ok();
        (counted && self.passes(raw)).then_some(Records::Opaque(count))
    }

    fn member<T>(
        &mut self,
        member: &mut Member<'a, T>,
        name: &'static str,
        raw: &'a str,
        read: fn(&mut Self, &'a str) -> Option<T>,
    ) {
        self.read_member(member, name, raw, false, read);
    }

    fn nullable<T>(
        &mut self,
        member: &mut Member<'a, T>,
        name: &'static str,
        raw: &'a str,
        read: fn(&mut Self, &'a str) -> Option<T>,
    ) {
        self.read_member(member, name, raw, true, read);
    }

    /// A null Id of an input is as good as none: one will be minted (D3).
    fn id(&mut self, member: &mut Member<'a, Guid>, raw: &'a str) {
        self.read_member(member, "Id", raw, self.reading == Reading::Input, Self::guid);
    }

    fn read_member<T>(
        &mut self,
        member: &mut Member<'a, T>,
        name: &'static str,
        raw: &'a str,
        nullable: bool,
        read: fn(&mut Self, &'a str) -> Option<T>,
    ) {
        self.within(name, |decoder| {
            let response = decoder.reading == Reading::Response;
            if !member.is_absent() {
                if response {
                    decoder.say(raw, Code::MemberRepeated);
                } else {
                    // Which of the two is meant, nobody knows.
                    decoder.say(raw, Code::DuplicateMember);
                    member.value = Value::Unreadable;
                }
                return;
            }
            member.value = if raw != "null" {
                read(decoder, raw).map_or(Value::Unreadable, Value::Is)
            } else if response {
                // Null is as good as absent (D26).
                return;
            } else {
                if !nullable {
                    decoder.say(raw, Code::NullNotAllowed);
                }
                Value::Null
            };
            member.raw = raw;
        });
    }

    /// A member that the record does not have is kept (D10, D13, D25).
    fn other(&mut self, others: &mut Vec<Other<'a>>, names: &Names, name: Text<'a>, raw: &'a str) {
        if others.len() >= MOST_OTHERS {
            if others.len() == MOST_OTHERS {
                others.push(Other { name, raw });
                self.say(raw, Code::TooManyMembers);
            }
            return;
        }
        let twice = others.iter().any(|other| other.name == name);
        self.within(Place::Member(name.clone()), |decoder| {
            if decoder.reading == Reading::Response {
                if twice {
                    decoder.say(raw, Code::MemberRepeated);
                }
                return;
            }
            if twice {
                decoder.say(raw, Code::DuplicateMember);
            } else if names.is_line_level(&name) {
                decoder.say(raw, Code::LineLevelPricing);
            } else if let Some(hint) = names.unknown_member_hint(&name) {
                decoder.issues.at_with_hint(raw, Code::UnknownMember, hint);
            }
            decoder.passes(raw);
        });
        if !twice {
            others.push(Other { name, raw });
        }
    }

    /// Whether a value that is passed on unread can be; says so where it can't.
    fn passes(&mut self, raw: &'a str) -> bool {
        let fault = json::inspect(raw);
        if let Some(fault) = fault {
            self.issues.at(raw, fault_code(fault));
        }
        fault.is_none()
    }

    /// Says what is wrong with the value here, which reads as nothing.
    fn wrong<T>(&mut self, raw: &'a str, code: Code) -> Option<T> {
        self.say(raw, code);
        None
    }

    fn say(&mut self, raw: &'a str, code: Code) {
        let code = match (self.reading, json::fault(raw)) {
            (Reading::Response, _) if code != Code::MemberRepeated => Code::MemberNotReadable,
            (_, Some(fault)) => fault_code(fault),
            _ => code,
        };
        self.issues.at(raw, code);
    }

    fn within<T>(&mut self, place: impl Into<Place<'a>>, body: impl FnOnce(&mut Self) -> T) -> T {
        self.issues.enter(place);
        let result = body(self);
        self.issues.leave();
        result
    }
}

/// The name of a member: one that the record has, or another.
enum Name<'a> {
    Known(&'static str),
    Unknown(Text<'a>),
}
use Name::{Known, Unknown};

fn fault_code(fault: Fault) -> Code {
    match fault {
        Fault::NotFinite => Code::NotFinite,
        Fault::NotJson => Code::NotAJsonValue,
        Fault::TooDeep => Code::TooDeep,
        Fault::TooLarge => Code::TooLarge,
        Fault::NotUnicode => Code::TextNotUnicode,
    }
}
