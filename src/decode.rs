//! JSON text → order + issues: reads every member it can and never stops at the first that it can't.
//!
//! Only the types of members are checked here (§2, D1, D4, D8); whether their values make an order is for the rules.

mod values;

use std::borrow::Cow;

use crate::code::IssueCode;
use crate::issue::{Issues, Place};
use crate::json::{self, Fault, NotJson, Read, Reader};
use crate::shape::{ITEM, Kind, ORDER, Shape, order};
use crate::written::{At, Member, Others, Value, WrittenOrder};

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
    passthrough: bool,
    issues: &mut Issues<'a>,
) -> Option<WrittenOrder<'a>> {
    if text.len() > LONGEST {
        issues.at(text, IssueCode::TooLarge);
        return None;
    }
    let order = WrittenOrder::with_capacity_for(text);
    let mut decoder = Decoder { reading, passthrough, reader: Reader::new(text), order, issues };
    match decoder.whole() {
        Ok(true) => Some(decoder.order),
        Ok(false) => None,
        Err(NotJson { at, wanted }) => {
            // Nothing that was found in it counts: the text is no order.
            *issues = Issues::new(text);
            // A response that is no JSON is told of by its reader, whatever it is instead.
            if reading != Reading::Response {
                issues.not_json(at, wanted);
            }
            None
        }
    }
}

/// Reads one item by itself, at its position in the list that the issues stand in.
pub(crate) fn read_item<'a>(
    text: &'a str,
    index: usize,
    issues: &mut Issues<'a>,
) -> Option<WrittenOrder<'a>> {
    let order = WrittenOrder::with_capacity_for("");
    issues.enter(Place::Index(index));
    let mut decoder =
        Decoder { reading: Reading::Input, passthrough: false, reader: Reader::new(text), order, issues };
    let read = decoder.record(&ITEM).and_then(|_| decoder.reader.end());
    if read.is_err() {
        decoder.say(text, IssueCode::NotAnObject);
    }
    read.is_ok().then_some(decoder.order)
}

struct Decoder<'i, 'a> {
    reading: Reading,
    passthrough: bool,
    reader: Reader<'a>,
    order: WrittenOrder<'a>,
    issues: &'i mut Issues<'a>,
}

impl<'a> Decoder<'_, 'a> {
    /// Reads the whole text; false where it is JSON, but no order.
    fn whole(&mut self) -> Read<bool> {
        let order = self.record(&ORDER)?;
        self.reader.end()?;
        Ok(matches!(order, Value::Record(_)))
    }

    /// Reads a record into a slot of its own, with its members behind it.
    fn record(&mut self, shape: &'static Shape) -> Read<Value> {
        let slot = self.order.reserve(shape);
        let start = self.reader.next();
        let value = self.members(slot, shape)?;
        self.order.set(slot, Member { raw: self.reader.since(start), value });
        Ok(value)
    }

    fn members(&mut self, slot: usize, shape: &'static Shape) -> Read<Value> {
        let start = self.reader.next();
        if self.reader.peek() != b'{' || self.reader.at_fault() {
            return self.skip(IssueCode::NotAnObject);
        }
        self.reader.open();
        let mut others = Others::default();
        let mut likely = 0;
        let mut is_first = true;
        let mut has_names = true;
        while self.reader.member(is_first)? {
            is_first = false;
            // Members mostly stand in the order of the specification: then their names need no search.
            if shape.member(likely).is_some_and(|member| self.reader.takes(member.written)) {
                self.member(slot, shape, likely)?;
                likely += 1;
                continue;
            }
            let written = self.reader.name()?;
            let Some(name) = self.reader.text(written) else {
                has_names = false;
                self.reader.value()?;
                continue;
            };
            match shape.find(&name, self.reading == Reading::Response, likely) {
                Some(position) => {
                    likely = position + 1;
                    self.member(slot, shape, position)?;
                }
                None => self.other(&mut others, shape, written, name)?,
            }
        }
        if !has_names {
            return Ok(self.wrong(self.reader.since(start), IssueCode::TextNotUnicode));
        }
        Ok(Value::Record(At { slot, other: others.first }))
    }

    /// Reads a list of records, each entry with its members behind it.
    fn list(&mut self, shape: &'static Shape) -> Read<Value> {
        let start = self.reader.next();
        self.reader.open();
        let passthrough = self.passthrough && !shape.shown;
        let first = self.order.len();
        let mut count = 0;
        while self.reader.element(count == 0)? {
            if passthrough || count >= MOST_ENTRIES {
                self.reader.value()?;
            } else {
                self.issues.enter(Place::Index(count));
                self.record(shape)?;
                self.issues.leave();
            }
            count += 1;
        }
        let raw = self.reader.since(start);
        if passthrough {
            return Ok(if self.passes(raw) { Value::Passthrough(count) } else { Value::Unreadable });
        }
        if count > MOST_ENTRIES {
            // A part of a list has no total.
            return Ok(self.wrong(raw, IssueCode::TooManyEntries));
        }
        Ok(Value::List { first, count })
    }

    /// Reads a member that the record has.
    fn member(&mut self, record: usize, shape: &'static Shape, position: usize) -> Read<()> {
        let Some(member) = shape.member(position) else { return Ok(()) };
        let slot = record + 1 + position;
        let response = self.reading == Reading::Response;
        self.issues.enter(member.name);
        if member.read_only && !response {
            let raw = self.reader.value()?;
            if self.reading == Reading::AsItStands {
                self.issues.at(raw, IssueCode::ReadOnlyMember);
            }
        } else if !self.order.slot(slot).is_absent() {
            let raw = self.reader.value()?;
            if response {
                self.say(raw, IssueCode::MemberRepeated);
            } else {
                // Which of the two is meant, nobody knows.
                self.say(raw, IssueCode::DuplicateMember);
                let first = self.order.slot(slot).raw;
                self.order.set(slot, Member { raw: first, value: Value::Unreadable });
            }
        } else {
            // A null Id of an input is as good as none: one will be minted (D3).
            let is_id = std::ptr::eq(shape, &ORDER) && position == order::ID;
            let minted = self.reading == Reading::Input && is_id;
            let member = self.value(member.kind, member.nullable || minted)?;
            self.order.set(slot, member);
        }
        self.issues.leave();
        Ok(())
    }

    fn value(&mut self, kind: Kind, nullable: bool) -> Read<Member<'a>> {
        let first = self.reader.peek();
        if first != b'n' && matches!(kind, Kind::Record(_) | Kind::List(_)) {
            let start = self.reader.next();
            let value = self.nested(kind, first)?;
            return Ok(Member { raw: self.reader.since(start), value });
        }
        let raw = self.reader.value()?;
        let value = if first == b'n' { self.null(raw, nullable) } else { self.scalar(kind, raw) };
        Ok(Member { raw, value })
    }

    fn nested(&mut self, kind: Kind, first: u8) -> Read<Value> {
        match kind {
            Kind::List(shape) if first == b'[' => self.list(shape),
            Kind::Record(shape) if first == b'{' && self.passthrough && !shape.shown => {
                let raw = self.reader.value()?;
                Ok(if self.passes(raw) { Value::Passthrough(1) } else { Value::Unreadable })
            }
            Kind::Record(shape) => self.record(shape),
            _ => self.skip(IssueCode::NotAnArray),
        }
    }

    fn null(&mut self, raw: &'a str, nullable: bool) -> Value {
        match self.reading {
            // Null is as good as absent (D26).
            Reading::Response => Value::Absent,
            _ if nullable => Value::Null,
            _ => {
                self.say(raw, IssueCode::NullNotAllowed);
                Value::Null
            }
        }
    }

    /// Passes over a value of another type than its member's.
    fn skip(&mut self, code: IssueCode) -> Read<Value> {
        let raw = self.reader.value()?;
        Ok(self.wrong(raw, if raw == "null" { IssueCode::NullNotAllowed } else { code }))
    }

    /// A member that the record does not have is kept (D10, D13, D25).
    fn other(
        &mut self,
        others: &mut Others,
        shape: &'static Shape,
        written: &'a str,
        name: Cow<'a, str>,
    ) -> Read<()> {
        let raw = self.reader.value()?;
        if others.count >= MOST_OTHERS {
            if others.count == MOST_OTHERS {
                self.order.keep(others, name, raw);
                self.say(raw, IssueCode::TooManyMembers);
            }
            return Ok(());
        }
        let twice = self.order.others_from(others.first).any(|other| other.name == name);
        self.issues.enter(Place::Written(written));
        if self.reading == Reading::Response {
            if twice {
                self.say(raw, IssueCode::MemberRepeated);
            }
        } else {
            if twice {
                self.say(raw, IssueCode::DuplicateMember);
            } else if shape.is_line_level(&name) {
                self.say(raw, IssueCode::LineLevelPricing);
            } else if let Some(hint) = shape.unknown_member_hint(&name) {
                self.issues.at_with_hint(raw, IssueCode::UnknownMember, hint);
            }
            self.passes(raw);
        }
        self.issues.leave();
        if !twice {
            self.order.keep(others, name, raw);
        }
        Ok(())
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
    fn wrong(&mut self, raw: &'a str, code: IssueCode) -> Value {
        self.say(raw, code);
        Value::Unreadable
    }

    fn say(&mut self, raw: &'a str, code: IssueCode) {
        let code = match (self.reading, json::fault(raw)) {
            (Reading::Response, _) if code != IssueCode::MemberRepeated => IssueCode::MemberNotReadable,
            (_, Some(fault)) => fault_code(fault),
            _ => code,
        };
        self.issues.at(raw, code);
    }
}

fn fault_code(fault: Fault) -> IssueCode {
    match fault {
        Fault::NotFinite => IssueCode::NotFinite,
        Fault::NotJson => IssueCode::NotAJsonValue,
        Fault::TooDeep => IssueCode::TooDeep,
        Fault::TooLarge => IssueCode::TooLarge,
        Fault::NotUnicode => IssueCode::TextNotUnicode,
    }
}
