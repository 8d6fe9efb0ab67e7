//! Parsing of records, lists, and unknown members.

use std::borrow::Cow;

use crate::code::IssueCode;
use crate::did_you_mean;
use crate::issue::{IssueCollector, PathSegment};
use crate::json::{JsonString, Read, Reader, Unrepresentable, find_unrepresentable, is_at_placeholder};
use crate::order::schema::{Field, FieldType, Schema};
use crate::order::{ORDER, order};
use crate::record::{Member, OtherMembers, RecordSet, RecordSlot, Value};

use super::limits::{MAX_ENTRIES, MAX_OTHER_MEMBERS, report};

/// Reads one order into its slots.
pub(super) struct Parser<'a> {
    /// Whether the order comes from a service, and is read tolerantly (D26).
    pub(super) is_response: bool,
    pub(super) reader: Reader<'a>,
    pub(super) records: RecordSet<'a>,
    pub(super) issues: IssueCollector<'a>,
    pub(super) read_only: Vec<&'static Field>,
}

impl<'a> Parser<'a> {
    pub(super) fn new(
        json: &'a str,
        is_response: bool,
        records: RecordSet<'a>,
        issues: IssueCollector<'a>,
    ) -> Self {
        Self { is_response, reader: Reader::new(json), records, issues, read_only: Vec::new() }
    }

    /// Parses a whole document; returns false if it is JSON but not a record.
    pub(super) fn document(&mut self, schema: &'static Schema) -> Read<bool> {
        let is_record = matches!(self.record(schema)?, Value::Record(_));
        self.reader.end()?;
        Ok(is_record)
    }

    /// Parses a record into a slot of its own, with its members after it.
    fn record(&mut self, schema: &'static Schema) -> Read<Value> {
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
        let Some(mut entries) = self.reader.begin_object() else { return self.skip(IssueCode::NotAnObject) };
        let outer = self.issues.enter_record(schema);
        let mut others = OtherMembers::default();
        let mut likely = 0;
        let mut names_are_unicode = true;
        while self.reader.next_entry(&mut entries)? {
            // Members mostly come in the order of the specification: then their names need no search.
            if let Some(&field) = schema.fields.get(likely)
                && self.reader.take_key(field.key)
            {
                self.member(slot, schema, field)?;
                likely += 1;
                continue;
            }
            let key = self.reader.key()?;
            let Some(name) = key.decode() else {
                names_are_unicode = false;
                self.reader.value()?;
                continue;
            };
            match schema.find(&name, self.is_response, likely) {
                Some(field) => {
                    likely = field.index + 1;
                    self.member(slot, schema, field)?;
                }
                None => self.other_member(&mut others, schema, key, name)?,
            }
        }
        let value = if names_are_unicode {
            Value::Record(RecordSlot { slot, first_other: others.first })
        } else {
            self.invalid(self.reader.since(start), IssueCode::NotUnicode)
        };
        self.issues.leave_record(outer);
        Ok(value)
    }

    /// Parses a list of records, each entry with its members after it.
    fn list(&mut self, schema: &'static Schema) -> Read<Value> {
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

    /// Parses a member that the record has.
    fn member(&mut self, record: usize, schema: &'static Schema, field: &'static Field) -> Read<()> {
        let slot = record + 1 + field.index;
        let is_response = self.is_response;
        self.issues.enter(field);
        if field.is_read_only() && !is_response {
            self.reader.value()?;
            self.read_only.push(field);
        } else if !self.records.slot(slot).is_absent() {
            let raw = self.reader.value()?;
            if is_response {
                self.report(raw, IssueCode::MemberRepeated);
            } else {
                // Nobody knows which of the two values is intended.
                self.report(raw, IssueCode::DuplicateMember);
                let first = self.records.slot(slot).raw;
                self.records.set(slot, Member { raw: first, value: Value::Repeated });
            }
        } else {
            let is_id = std::ptr::eq(schema, &raw const ORDER) && field.index == order::ID.index;
            // Whether an Id is needed depends on the purpose.
            let nullable = field.nullable || is_id;
            let member = self.value(field, nullable)?;
            self.records.set(slot, member);
        }
        self.issues.leave();
        Ok(())
    }

    fn value(&mut self, field: &'static Field, nullable: bool) -> Read<Member<'a>> {
        let first = self.reader.peek();
        if first == Some(b'n') {
            let raw = self.reader.value()?;
            return Ok(Member { raw, value: self.null(raw, nullable) });
        }
        if let FieldType::Record(_) | FieldType::List(_) = field.field_type {
            let start = self.reader.position();
            let value = self.nested(field.field_type)?;
            return Ok(Member { raw: self.reader.since(start), value });
        }
        if first == Some(b'"') {
            let string = self.reader.string()?;
            return Ok(Member { raw: string.raw(), value: self.parse_string(field, string) });
        }
        let raw = self.reader.value()?;
        Ok(Member { raw, value: self.parse_other(field, raw) })
    }

    fn nested(&mut self, field_type: FieldType) -> Read<Value> {
        match field_type {
            FieldType::Record(schema) => self.record(schema),
            FieldType::List(schema) => self.list(schema),
            _ => self.skip(IssueCode::NotAnObject),
        }
    }

    fn null(&mut self, raw: &'a str, nullable: bool) -> Value {
        if self.is_response {
            return Value::Absent;
        }
        if !nullable {
            self.report(raw, IssueCode::NullNotAllowed);
        }
        Value::Null
    }

    /// Skips a value that has another type than its member.
    fn skip(&mut self, code: IssueCode) -> Read<Value> {
        let raw = self.reader.value()?;
        Ok(self.invalid(raw, if raw == "null" { IssueCode::NullNotAllowed } else { code }))
    }

    /// Reads an unknown member, which is sent unchanged (D10, D13, D25).
    fn other_member(
        &mut self,
        others: &mut OtherMembers,
        schema: &'static Schema,
        key: JsonString<'a>,
        name: Cow<'a, str>,
    ) -> Read<()> {
        let raw = self.reader.value()?;
        if others.count >= MAX_OTHER_MEMBERS {
            if others.count == MAX_OTHER_MEMBERS {
                self.records.add_other(others, name, raw);
                self.report(raw, IssueCode::TooManyMembers);
            }
            return Ok(());
        }
        let earlier = self.records.others_from(others.first).position(|other| other.name == name);
        let is_repeated = earlier.is_some();
        let position = earlier.unwrap_or(others.count);
        self.issues.enter(PathSegment::Unknown { raw_name: key.raw(), position });
        if self.is_response {
            if is_repeated {
                self.report(raw, IssueCode::MemberRepeated);
            }
        } else {
            if is_repeated {
                self.report(raw, IssueCode::DuplicateMember);
            } else if schema.is_published && did_you_mean::is_line_level(&name) {
                self.report(raw, IssueCode::LineLevelPricing);
            } else if schema.is_published || schema.find(&name, true, 0).is_some() {
                let details = || did_you_mean::details_for_unknown(schema, &name);
                self.issues.report_with(IssueCode::UnknownMember, &details);
            }
            report_unrepresentable(&mut self.issues, raw);
        }
        self.issues.leave();
        if !is_repeated {
            self.records.add_other(others, name, raw);
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
            _ if self.is_response && code != IssueCode::MemberRepeated => IssueCode::MemberNotReadable,
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
