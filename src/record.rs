//! Parsed records: every member with its raw JSON, and its value if it has the right type.
//!
//! Rules, preview and request read these records. They borrow from the JSON that they were parsed from, and the members of
//! all records are in one list, so reading a line needs no allocation.
//!
//! More than 300 lines, because the slots are nobody else's business.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::guid::Guid;
use crate::json::{self, Edits};
use crate::order::field::{Field, FieldType, Schema, is_same_in_any_case};

/// All records of an order.
#[derive(Clone)]
pub(crate) struct RecordSet<'a> {
    /// The JSON that was read, and how the request body differs from it; `None` if a member was replaced.
    pub(crate) source: Option<(&'a str, Edits)>,
    schema: &'static Schema,
    slots: Vec<Member<'a>>,
    others: Vec<OtherMember<'a>>,
}

/// A member, or an entry of a list: its raw JSON and its value.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    /// Empty if the member is absent.
    pub(crate) raw: &'a str,
    pub(crate) value: Value,
}

/// The value of a member.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Absent,
    Null,
    /// A value of another type than the member's, which an issue reports.
    Invalid,
    /// A member that appears more than once, perhaps in another case: nobody knows which of its values is meant.
    Repeated,
    Guid(Guid),
    /// A GUID in the D form, in lower case, which is decoded from `raw` on demand.
    RawGuid,
    /// An integer, `None` if it is negative or larger than 32 bits.
    Integer(Option<u32>),
    Boolean(bool),
    /// A string, which is decoded from `raw` on demand.
    String {
        /// True only if it has printable ASCII characters and no escapes.
        is_printable: bool,
    },
    /// A date and whether it has an offset (D41).
    Date {
        has_offset: bool,
    },
    Decimal(Decimal),
    /// A record; its members follow its own entry in the list of slots.
    Record(RecordSlot),
    /// The entries of a list, each followed by its members.
    List {
        first: usize,
        count: usize,
    },
    /// Records that are passed through unread, and their number.
    Passthrough(usize),
}

/// The slot of a record, and the first of its unknown members.
#[derive(Clone, Copy)]
pub(crate) struct RecordSlot {
    pub(crate) slot: usize,
    pub(crate) first_other: Option<usize>,
}

/// A member that the schema of its record does not have; sent unchanged (D10, D13, D25).
#[derive(Clone)]
pub(crate) struct OtherMember<'a> {
    pub(crate) name: Cow<'a, str>,
    /// The name as a JSON string.
    pub(crate) raw_name: &'a str,
    pub(crate) raw: &'a str,
    /// The next one of the same record.
    next: Option<usize>,
}

impl<'a> Member<'a> {
    pub(crate) const ABSENT: Self = Self { raw: "", value: Value::Absent };

    pub(crate) fn is_absent(&self) -> bool {
        matches!(self.value, Value::Absent)
    }

    pub(crate) fn guid(&self) -> Option<Guid> {
        match self.value {
            Value::Guid(guid) => Some(guid),
            Value::RawGuid => Guid::read(json::between_quotes(self.raw)).ok(),
            _ => None,
        }
    }

    /// Returns the D form of a GUID.
    pub(crate) fn guid_form(&self) -> Option<Cow<'a, str>> {
        match self.value {
            Value::Guid(guid) => Some(Cow::Owned(guid.into_string())),
            Value::RawGuid => Some(Cow::Borrowed(json::between_quotes(self.raw))),
            _ => None,
        }
    }

    pub(crate) fn integer(&self) -> Option<u32> {
        if let Value::Integer(integer) = self.value { integer } else { None }
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        if let Value::Boolean(boolean) = self.value { Some(boolean) } else { None }
    }

    pub(crate) fn decimal(&self) -> Option<Decimal> {
        if let Value::Decimal(decimal) = self.value { Some(decimal) } else { None }
    }

    pub(crate) fn is_string(&self) -> bool {
        matches!(self.value, Value::String { .. })
    }

    pub(crate) fn string(&self) -> Option<Cow<'a, str>> {
        if self.is_string() { json::string(self.raw) } else { None }
    }
}

impl<'a> RecordSet<'a> {
    /// Makes an empty list of slots whose first record will have this schema.
    pub(crate) fn new(schema: &'static Schema, capacity: usize) -> Self {
        Self { source: None, schema, slots: Vec::with_capacity(capacity), others: Vec::new() }
    }

    /// Appends slots for a record and its members, and returns the record's slot.
    pub(crate) fn reserve(&mut self, schema: &Schema) -> usize {
        let slot = self.slots.len();
        self.slots.resize(slot + 1 + schema.fields.len(), Member::ABSENT);
        slot
    }

    /// Returns the slot that the next [`reserve`](Self::reserve) will return.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, slot: usize, member: Member<'a>) {
        if let Some(current) = self.slots.get_mut(slot) {
            *current = member;
        }
    }

    /// Marks a member as one that appears more than once.
    pub(crate) fn set_repeated(&mut self, slot: usize) {
        let raw = self.slot(slot).raw;
        self.set(slot, Member { raw, value: Value::Repeated });
    }

    #[inline(always)]
    pub(crate) fn slot(&self, slot: usize) -> &Member<'a> {
        self.slots.get(slot).unwrap_or(&Member::ABSENT)
    }

    /// Adds an unknown member after those of the same record.
    pub(crate) fn add_other(
        &mut self,
        others: &mut OtherMembers,
        raw_name: &'a str,
        name: Cow<'a, str>,
        raw: &'a str,
    ) {
        let index = self.others.len();
        self.others.push(OtherMember { name, raw_name, raw, next: None });
        match others.last.and_then(|last| self.others.get_mut(last)) {
            Some(last) => last.next = Some(index),
            None => others.first = Some(index),
        }
        others.last = Some(index);
        others.count += 1;
    }

    pub(crate) fn others_from(&self, first: Option<usize>) -> impl Iterator<Item = &OtherMember<'a>> {
        let other = |index: Option<usize>| self.others.get(index?);
        std::iter::successors(other(first), move |this| other(this.next))
    }

    /// Returns the record that was parsed first: the order itself.
    pub(crate) fn root(&self) -> Record<'_, 'a> {
        let slot = match self.slot(0).value {
            Value::Record(slot) => slot,
            _ => RecordSlot { slot: 0, first_other: None },
        };
        Record { records: self, schema: self.schema, slot }
    }

    /// Replaces a member of the order itself.
    pub(crate) fn set_member(&mut self, field: &Field, member: Member<'a>) {
        self.source = None;
        self.set(1 + field.index, member);
    }

    /// Replaces a member of the order by one that is sent as it is.
    pub(crate) fn pass_through(&mut self, field: &Field, member: Member<'a>) {
        if let Some((json, edits)) = &mut self.source {
            edits.undo(json, member.raw);
        }
        self.set(1 + field.index, member);
    }

    /// Returns the record in a slot, `None` if it could not be read.
    fn record(&self, member: &Member<'a>, schema: &'static Schema) -> Option<Record<'_, 'a>> {
        if let Value::Record(slot) = member.value {
            Some(Record { records: self, schema, slot })
        } else {
            None
        }
    }
}

/// The unknown members of a record that is being parsed.
#[derive(Default)]
pub(crate) struct OtherMembers {
    pub(crate) first: Option<usize>,
    last: Option<usize>,
    pub(crate) count: usize,
}

/// An entry of a list; `record` is `None` if it could not be read.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'r, 'a> {
    pub(crate) record: Option<Record<'r, 'a>>,
}

/// One record of an order.
#[derive(Clone, Copy)]
pub(crate) struct Record<'r, 'a> {
    records: &'r RecordSet<'a>,
    pub(crate) schema: &'static Schema,
    slot: RecordSlot,
}

impl<'r, 'a> Record<'r, 'a> {
    /// Returns the record's JSON.
    pub(crate) fn raw(self) -> &'a str {
        self.records.slot(self.slot.slot).raw
    }

    #[inline(always)]
    pub(crate) fn get(self, field: &Field) -> &'r Member<'a> {
        self.records.slot(self.slot.slot + 1 + field.index)
    }

    /// Iterates over the members of the schema, including absent ones.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'static Field, &'r Member<'a>)> {
        self.schema.fields.iter().map(move |&field| (field, self.get(field)))
    }

    /// Iterates over the members that the schema does not have.
    pub(crate) fn others(self) -> impl Iterator<Item = &'r OtherMember<'a>> {
        self.records.others_from(self.slot.first_other)
    }

    /// Returns the unknown member that has the name of an absent one in another case: a reader that ignores case takes it for
    /// that (D63).
    pub(crate) fn in_another_case(self, field: &Field) -> Option<&'r OtherMember<'a>> {
        let is_absent = self.get(field).is_absent();
        self.others().find(|other| is_absent && is_same_in_any_case(field.name, &other.name))
    }

    /// Returns the record that a member holds.
    pub(crate) fn record(self, field: &Field) -> Option<Record<'r, 'a>> {
        let FieldType::Record(schema) = field.field_type else { return None };
        self.records.record(self.get(field), schema)
    }

    /// Iterates over the entries of a list member; there are none if the member is not a list that was read.
    pub(crate) fn entries(
        self,
        field: &Field,
    ) -> impl ExactSizeIterator<Item = Entry<'r, 'a>> + Clone + use<'r, 'a> {
        let (first, count, schema) = self.list(field);
        (0..count).map(move |index| self.entry_at(first, index, schema))
    }

    /// Returns the first slot, the number of entries and the schema of a list member.
    fn list(self, field: &Field) -> (usize, usize, &'static Schema) {
        match (self.get(field).value, &field.field_type) {
            (Value::List { first, count }, FieldType::List(schema)) => (first, count, *schema),
            _ => (0, 0, self.schema),
        }
    }

    fn entry_at(self, first: usize, index: usize, schema: &'static Schema) -> Entry<'r, 'a> {
        let member = self.records.slot(first + index * (1 + schema.fields.len()));
        Entry { record: self.records.record(member, schema) }
    }
}
