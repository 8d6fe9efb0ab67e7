//! An order as it was written: every member with its text, and its value where it could be read.
//!
//! This is what rules, preview and request work on. Whatever is in it borrows from the text it was read from, and all
//! members of all records stand in one list, so that reading a line costs no allocation.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::guid::Guid;
use crate::json;
use crate::shape::{ITEM, MemberShape, ORDER, Shape};

/// A member, or an entry of a list: the text of its value, and the value.
#[derive(Clone, Copy)]
pub(crate) struct Member<'a> {
    /// The JSON text of the value; empty where the member is absent.
    pub(crate) raw: &'a str,
    pub(crate) value: Value,
}

/// What a member holds.
#[derive(Clone, Copy)]
pub(crate) enum Value {
    Absent,
    Null,
    /// Something else than the member can hold; an issue says so.
    Unreadable,
    Guid(Guid),
    Integer(u32),
    Boolean(bool),
    /// Text that a person wrote: what the raw text holds.
    Text,
    /// A date; whether it was written with its offset (D41).
    Date {
        has_offset: bool,
    },
    Decimal(Decimal),
    /// A record; its members follow its own entry in the list of all.
    Record(At),
    /// The entries of a list, each with its members behind it.
    List {
        first: usize,
        count: usize,
    },
    /// Records that are passed through unread; how many there are.
    Passthrough(usize),
}

/// Where a record stands, and the first member it has beyond its shape.
#[derive(Clone, Copy)]
pub(crate) struct At {
    pub(crate) slot: usize,
    pub(crate) other: Option<usize>,
}

/// A member that the record does not have: kept as it is (D10, D13, D25).
pub(crate) struct Other<'a> {
    pub(crate) name: Cow<'a, str>,
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
        if let Value::Guid(guid) = self.value { Some(guid) } else { None }
    }

    pub(crate) fn integer(&self) -> Option<u32> {
        if let Value::Integer(integer) = self.value { Some(integer) } else { None }
    }

    pub(crate) fn boolean(&self) -> Option<bool> {
        if let Value::Boolean(boolean) = self.value { Some(boolean) } else { None }
    }

    pub(crate) fn decimal(&self) -> Option<Decimal> {
        if let Value::Decimal(decimal) = self.value { Some(decimal) } else { None }
    }

    pub(crate) fn is_text(&self) -> bool {
        matches!(self.value, Value::Text)
    }

    pub(crate) fn text(&self) -> Option<Cow<'a, str>> {
        if self.is_text() { json::text(self.raw) } else { None }
    }
}

/// SalesOrderV2V3Put (§2.1) with all its records.
pub(crate) struct WrittenOrder<'a> {
    slots: Vec<Member<'a>>,
    others: Vec<Other<'a>>,
}

impl<'a> WrittenOrder<'a> {
    /// With room for the records that a text of this length is likely to hold.
    pub(crate) fn with_capacity_for(text: &str) -> Self {
        const LINE: usize = 160;
        const MOST: usize = 1_000;
        let lines = (text.len() / LINE).min(MOST);
        let slots = 1 + ORDER.members.len() + lines * (1 + ITEM.members.len());
        Self { slots: Vec::with_capacity(slots), others: Vec::new() }
    }

    /// Makes room for a record of this shape, and gives the slot of its entry; its members follow.
    pub(crate) fn reserve(&mut self, shape: &Shape) -> usize {
        let slot = self.slots.len();
        self.slots.resize(slot + 1 + shape.members.len(), Member::ABSENT);
        slot
    }

    /// The slot that is reserved next.
    pub(crate) fn len(&self) -> usize {
        self.slots.len()
    }

    pub(crate) fn set(&mut self, slot: usize, member: Member<'a>) {
        if let Some(place) = self.slots.get_mut(slot) {
            *place = member;
        }
    }

    pub(crate) fn slot(&self, slot: usize) -> &Member<'a> {
        self.slots.get(slot).unwrap_or(&Member::ABSENT)
    }

    /// Keeps a member that its record does not have, behind the last such one.
    pub(crate) fn keep(&mut self, others: &mut Others, name: Cow<'a, str>, raw: &'a str) {
        let index = self.others.len();
        self.others.push(Other { name, raw, next: None });
        match others.last.and_then(|last| self.others.get_mut(last)) {
            Some(last) => last.next = Some(index),
            None => others.first = Some(index),
        }
        others.last = Some(index);
        others.count += 1;
    }

    pub(crate) fn others_from(&self, first: Option<usize>) -> impl Iterator<Item = &Other<'a>> {
        let other = |index: Option<usize>| self.others.get(index?);
        std::iter::successors(other(first), move |this| other(this.next))
    }

    /// The order itself.
    pub(crate) fn root(&self) -> Record<'_, 'a> {
        let at = if let Value::Record(at) = self.slot(0).value { at } else { At { slot: 0, other: None } };
        Record { order: self, shape: &ORDER, at }
    }

    /// The item, where one was read by itself.
    pub(crate) fn item(&self) -> Option<Record<'_, 'a>> {
        self.record(self.slot(0), &ITEM)
    }

    /// Changes a member of the order itself.
    pub(crate) fn set_member(&mut self, position: usize, member: Member<'a>) {
        self.set(1 + position, member);
    }

    /// The record that a member or an entry of this shape holds.
    pub(crate) fn record<'w>(&'w self, member: &Member<'a>, shape: &'static Shape) -> Option<Record<'w, 'a>> {
        if let Value::Record(at) = member.value { Some(Record { order: self, shape, at }) } else { None }
    }

    /// The entries of a list of this shape; none where the member is no list that was read.
    pub(crate) fn entries<'w>(
        &'w self,
        list: &Member<'a>,
        shape: &'static Shape,
    ) -> impl ExactSizeIterator<Item = Entry<'w, 'a>> + Clone + use<'w, 'a> {
        let (first, count) =
            if let Value::List { first, count } = list.value { (first, count) } else { (0, 0) };
        let stride = 1 + shape.members.len();
        (0..count).map(move |index| {
            let member = self.slot(first + index * stride);
            Entry { raw: member.raw, record: self.record(member, shape) }
        })
    }
}

/// The members found so far that a record does not have.
#[derive(Default)]
pub(crate) struct Others {
    pub(crate) first: Option<usize>,
    last: Option<usize>,
    pub(crate) count: usize,
}

/// An entry of a list; it has no record where it could not be read.
#[derive(Clone, Copy)]
pub(crate) struct Entry<'w, 'a> {
    pub(crate) raw: &'a str,
    pub(crate) record: Option<Record<'w, 'a>>,
}

/// One record of an order.
#[derive(Clone, Copy)]
pub(crate) struct Record<'w, 'a> {
    order: &'w WrittenOrder<'a>,
    pub(crate) shape: &'static Shape,
    at: At,
}

impl<'w, 'a> Record<'w, 'a> {
    pub(crate) fn raw(self) -> &'a str {
        self.order.slot(self.at.slot).raw
    }

    pub(crate) fn get(self, position: usize) -> &'w Member<'a> {
        self.order.slot(self.at.slot + 1 + position)
    }

    /// All members of the shape, those that are absent too.
    pub(crate) fn members(self) -> impl Iterator<Item = (&'static MemberShape, &'w Member<'a>)> {
        self.shape.members.iter().enumerate().map(move |(position, shape)| (shape, self.get(position)))
    }

    pub(crate) fn others(self) -> impl Iterator<Item = &'w Other<'a>> {
        self.order.others_from(self.at.other)
    }

    pub(crate) fn entries(
        self,
        position: usize,
        shape: &'static Shape,
    ) -> impl ExactSizeIterator<Item = Entry<'w, 'a>> + Clone + use<'w, 'a> {
        self.order.entries(self.get(position), shape)
    }

    pub(crate) fn record(self, position: usize, shape: &'static Shape) -> Option<Record<'w, 'a>> {
        self.order.record(self.get(position), shape)
    }
}

/// What says whether a discount is an amount or a percentage; its meaning is published nowhere (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ValueType {
    /// A number, compared by value.
    Number(Decimal),
    /// Text, compared to the letter.
    Text(String),
}
