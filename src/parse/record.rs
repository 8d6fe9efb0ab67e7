//! Parsing of records and lists: one reader for all of them, driven by the table of members.

use std::borrow::Cow;

use crate::code::IssueCode;
use crate::issue::{IssueCollector, PathSegment};
use crate::json::{
    Entries, JsonString, Read, Reader, Unrepresentable, find_unrepresentable, is_at_placeholder,
};
use crate::order::field::{Field, Schema};
use crate::order::order;
use crate::record::{Member, OtherMembers, RecordSet, RecordSlot, Value};

use super::{MAX_ENTRIES, MAX_OTHER_MEMBERS, report};

/// Where the JSON of an order comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The caller. Its numbers may have been floats (D8).
    Json,
    /// A [`SalesOrder`](crate::SalesOrder), whose decimals are exact.
    Struct,
    /// A service; read tolerantly (D26).
    Response,
}

/// Reads one order into its slots.
pub(super) struct Parser<'a> {
    pub(super) origin: Origin,
    pub(super) reader: Reader<'a>,
    pub(super) records: RecordSet<'a>,
    pub(super) issues: IssueCollector<'a>,
    pub(super) read_only: Vec<&'static Field>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        json: &'a str,
        origin: Origin,
        records: RecordSet<'a>,
        issues: IssueCollector<'a>,
    ) -> Self {
        let mut reader = Reader::new(json);
        reader.records_edits = origin != Origin::Response;
        Self { origin, reader, records, issues, read_only: Vec::new() }
    }

    /// Returns true if the order comes from a service, and is read tolerantly (D26).
    pub(super) fn is_response(&self) -> bool {
        self.origin == Origin::Response
    }

    /// Parses a whole document; returns false if it is JSON but not a record.
    pub(super) fn document(&mut self, schema: &'static Schema) -> Read<bool> {
        let is_record = matches!(self.record(schema)?, Value::Record(_));
        self.reader.end()?;
        Ok(is_record)
    }

    /// Parses a record into a slot of its own, with its members after it.
    pub(super) fn record(&mut self, schema: &'static Schema) -> Read<Value> {
        let slot = self.records.reserve(schema);
        let start = self.reader.position();
        let value = self.members(slot, schema)?;
        self.records.set(slot, Member { raw: self.reader.since(start), value });
        Ok(value)
    }

    fn members(&mut self, slot: usize, schema: &'static Schema) -> Read<Value> {
        let start = self.reader.position();
        if is_at_placeholder(&mut self.reader) {
            return self.skip(IssueCode::NotAnObject);
        }
        let Some(entries) = self.reader.begin_object() else { return self.skip(IssueCode::NotAnObject) };
        let outer = self.issues.enter_record(schema);
        let mut others = OtherMembers::default();
        let names_are_unicode = self.entries_of_record(entries, slot, schema, &mut others)?;
        if !self.is_response() && others.first.is_some() {
            self.names_of_others(slot, schema, others.first);
        }
        let value = if names_are_unicode {
            Value::Record(RecordSlot { slot, first_other: others.first })
        } else {
            self.invalid(self.reader.since(start), IssueCode::NotUnicode)
        };
        self.issues.leave_record(outer);
        Ok(value)
    }

    /// Parses the members of an object; returns false if a name has a lone surrogate.
    fn entries_of_record(
        &mut self,
        mut entries: Entries,
        slot: usize,
        schema: &'static Schema,
        others: &mut OtherMembers,
    ) -> Read<bool> {
        let mut likely = 0;
        let mut names_are_unicode = true;
        let mut is_any_sent = false;
        loop {
            let mut start = self.reader.offset();
            if !self.reader.next_entry(&mut entries)? {
                return Ok(names_are_unicode);
            }
            if !is_any_sent {
                // There may be a comma after members that are not sent.
                self.reader.replace(start, "");
                start = self.reader.offset();
            }
            // Members mostly come in the order of the specification.
            let (before, after) = schema.fields.split_at_checked(likely).unwrap_or_default();
            if let Some(&field) = after.iter().chain(before).find(|field| self.reader.take_key(field.key)) {
                likely = field.index + 1;
                is_any_sent |= self.member(slot, field, start)?;
                continue;
            }
            let key = self.reader.key()?;
            let Some(name) = key.decode() else {
                names_are_unicode = false;
                self.reader.value()?;
                continue;
            };
            match schema.find(&name, self.is_response()) {
                Some(field) => {
                    likely = field.index + 1;
                    is_any_sent |= self.member(slot, field, start)?;
                }
                None => {
                    self.other_member(others, key, name)?;
                    is_any_sent = true;
                }
            }
        }
    }

    /// Parses a list of records, each entry with its members after it.
    pub(super) fn list(&mut self, schema: &'static Schema) -> Read<Value> {
        let start = self.reader.position();
        let Some(mut entries) = self.reader.begin_array() else { return self.skip(IssueCode::NotAnArray) };
        let outer = self.issues.enter_record(schema);
        let first = self.records.len();
        let mut count = 0;
        while self.reader.next_entry(&mut entries)? {
            if count >= MAX_ENTRIES {
                self.reader.value()?;
            } else {
                self.issues.enter(PathSegment::Index(count));
                self.record(schema)?;
                self.issues.leave();
            }
            count += 1;
        }
        let value = if count > MAX_ENTRIES {
            // The total of a truncated list would be wrong.
            self.invalid(self.reader.since(start), IssueCode::TooManyEntries)
        } else {
            Value::List { first, count }
        };
        self.issues.leave_record(outer);
        Ok(value)
    }

    /// Parses a member that the record has. Returns false if it is not sent: then it is left out of the body, from the comma before
    /// it, at `start`.
    fn member(&mut self, record: usize, field: &'static Field, start: usize) -> Read<bool> {
        let slot = record + 1 + field.index;
        let is_never_sent = field.is_read_only() && !self.is_response();
        if self.records.slot(slot).is_absent() && !is_never_sent {
            self.value(slot, field)?;
            return Ok(true);
        }
        self.reader.value()?;
        if is_never_sent {
            if !self.read_only.iter().any(|known| known.is(field)) {
                self.read_only.push(field);
            }
            self.reader.replace(start, "");
            return Ok(false);
        }
        self.issues.enter(field);
        self.report_repeated();
        self.issues.leave();
        if !self.is_response() {
            self.records.set_repeated(slot);
        }
        Ok(true)
    }

    fn report_repeated(&mut self) {
        let in_response = self.is_response();
        self.issues.report(if in_response { IssueCode::MemberRepeated } else { IssueCode::DuplicateMember });
    }

    /// Returns the value of a member that is null. Reports an issue unless the member is nullable, or the Id, which
    /// an order needs only to be sent.
    pub(super) fn null(&mut self, field: &Field, raw: &'a str) -> Value {
        if self.is_response() {
            return Value::Absent;
        }
        if !field.nullable && !field.is(&order::ID) {
            self.report(raw, IssueCode::NullNotAllowed);
        }
        Value::Null
    }

    /// Skips a value that has another type than its member.
    pub(super) fn skip(&mut self, code: IssueCode) -> Read<Value> {
        let raw = self.reader.value()?;
        Ok(self.invalid(raw, if raw == "null" { IssueCode::NullNotAllowed } else { code }))
    }

    /// Reads an unknown member, which is sent unchanged (D10, D13, D25).
    fn other_member(
        &mut self,
        others: &mut OtherMembers,
        key: JsonString<'a>,
        name: Cow<'a, str>,
    ) -> Read<()> {
        let raw = self.reader.value()?;
        if others.count >= MAX_OTHER_MEMBERS {
            if others.count == MAX_OTHER_MEMBERS {
                others.count += 1;
                self.too_many_others();
            }
            return Ok(());
        }
        let is_repeated = self.records.others_from(others.first).any(|other| other.name == name);
        self.issues.enter(PathSegment::Unknown(key.raw()));
        if is_repeated {
            self.report_repeated();
        }
        if !self.is_response() {
            report_unrepresentable(&mut self.issues, raw);
        }
        self.issues.leave();
        if !is_repeated {
            self.records.add_other(others, key.raw(), name, raw);
        }
        Ok(())
    }

    /// Reports a value that is not of its member's type.
    pub(super) fn invalid(&mut self, raw: &'a str, code: IssueCode) -> Value {
        self.report(raw, code);
        Value::Invalid
    }

    pub(super) fn report(&mut self, raw: &'a str, code: IssueCode) {
        let code = self.code_for(raw, code);
        report(&mut self.issues, code);
    }

    /// Returns a more specific code for a placeholder, and a warning for a value in a response.
    fn code_for(&self, raw: &str, code: IssueCode) -> IssueCode {
        match Unrepresentable::from_placeholder(raw) {
            _ if self.is_response() => IssueCode::MemberNotReadable,
            Some(found) => code_of(found),
            None => code,
        }
    }
}

/// Reports what JSON cannot represent in a value that is sent unread; returns true if it found such a value.
pub(crate) fn report_unrepresentable(issues: &mut IssueCollector<'_>, raw: &str) -> bool {
    let found = find_unrepresentable(raw);
    if let Some(found) = found {
        report(issues, code_of(found));
    }
    found.is_some()
}

fn code_of(value: Unrepresentable) -> IssueCode {
    match value {
        Unrepresentable::NotFinite => IssueCode::NotFinite,
        Unrepresentable::NotJson => IssueCode::NotAJsonValue,
        Unrepresentable::TooDeep => IssueCode::TooDeep,
        Unrepresentable::TooLarge => IssueCode::TooLarge,
        Unrepresentable::NotUnicode => IssueCode::NotUnicode,
    }
}
