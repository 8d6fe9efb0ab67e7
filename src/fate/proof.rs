//! What proves that an order was created: the order itself (D26).

use std::str::Split;

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{push_plain, read_decimal};
use crate::guid::Guid;
use crate::issue::{IssueCollector, PathSegment};
use crate::json;
use crate::order::field::Field;
use crate::order::{item, order};
use crate::record::{Member, Record, RecordSet, Value};

use super::Proof;

/// Why a body does not prove that the order was created.
pub(super) struct Mismatch {
    /// What it is.
    pub(super) came: &'static str,
    /// What it lacks; empty if `came` says it.
    pub(super) lack: &'static str,
}

/// Returns what the proof compares of an order that can be sent: a line with Id, CompanyId, EntityId and IntegratorId, and one with
/// CatalogItemId, Quantity and SellAtPricePerUnit for each item.
pub(crate) fn expected_of(records: &RecordSet<'_>) -> String {
    let order = records.root();
    let items = order.entries(&order::ITEMS).filter_map(|item| item.record);
    let mut out = String::with_capacity(128);
    push_values(&mut out, order, &IDENTITY);
    for item in items {
        out.push('\n');
        push_values(&mut out, item, &OF_ITEM);
    }
    out
}

const IDENTITY: [&Field; 4] = [&order::ID, &order::COMPANY_ID, &order::ENTITY_ID, &order::INTEGRATOR_ID];
const OF_ITEM: [&Field; 3] = [&item::CATALOG_ITEM_ID, &item::QUANTITY, &item::SELL_AT_PRICE_PER_UNIT];

fn push_values(out: &mut String, record: Record<'_, '_>, fields: &[&'static Field]) {
    for (index, field) in fields.iter().enumerate() {
        if index > 0 {
            out.push(' ');
        }
        let member = record.get(field);
        if let Some(guid) = member.guid_form() {
            out.push_str(&guid);
        } else if let Some(decimal) = member.decimal().or_else(|| member.integer().map(Decimal::from)) {
            push_plain(out, &decimal);
        }
    }
}

/// What a response must have to prove that an order was created, as [`expected_of`] returns it.
pub(super) struct Expected<'a> {
    /// The values of [`IDENTITY`].
    identity: [&'a str; 4],
    /// A line for each item.
    items: Split<'a, char>,
}

impl<'a> Expected<'a> {
    pub(super) fn read(expected: &'a str) -> Self {
        let mut lines = expected.split('\n');
        Self { identity: values(lines.next().unwrap_or_default()), items: lines }
    }

    pub(super) fn id(&self) -> Option<Guid> {
        Guid::read(self.identity[0]).ok()
    }

    /// Returns `Err` if the body, whose record and [ambiguous members](ambiguous_members) these are, does not prove that this order was
    /// created.
    pub(super) fn check(
        &self,
        received: Record<'_, '_>,
        ambiguous: &[&Field],
        proof: Proof,
    ) -> Result<(), Mismatch> {
        let no_order = |lack| Err(Mismatch { came: "JSON that is not the order", lack });
        let is_ambiguous = |field: &'static Field| ambiguous.iter().any(|other| other.is(field));
        let [id, company, entity, integrator] = IDENTITY.map(|field| received.get(field));
        let [sent_id, sent_company, sent_entity, sent_integrator] = self.identity;
        match (compare(sent_id, id), id.guid()) {
            (None, _) => return no_order("Id is missing"),
            (_, None) => return no_order("Id is not a GUID"),
            (Some(true), _) if is_ambiguous(&order::ID) => {
                return no_order("Id appears more than once");
            }
            (Some(true), _) if proof == Proof::Id => return Ok(()),
            (Some(true), _) => {}
            _ => return Err(Mismatch { came: "an order with another Id", lack: "" }),
        }
        let (company, entity) = (compare(sent_company, company), compare(sent_entity, entity));
        let lack = match received.get(&order::ITEMS).value {
            _ if company.is_none() => "CompanyId is missing",
            _ if entity.is_none() => "EntityId is missing",
            _ if is_ambiguous(&order::COMPANY_ID) => "CompanyId appears more than once",
            _ if is_ambiguous(&order::ENTITY_ID) => "EntityId appears more than once",
            _ if is_ambiguous(&order::INTEGRATOR_ID) => "IntegratorId appears more than once",
            Value::List { .. } => "",
            Value::Absent => "Items is missing",
            _ => "Items is not an array",
        };
        if !lack.is_empty() {
            return no_order(lack);
        }
        // One that can't be read, such as .NET's empty GUID, counts as absent.
        let is_other = integrator.guid().is_some() && compare(sent_integrator, integrator) == Some(false);
        if company == Some(false) || entity == Some(false) || is_other {
            return Err(Mismatch { came: "an order of another company, location or integrator", lack: "" });
        }
        Ok(())
    }

    /// Reports which items differ from those that were sent: their number, products, quantities and prices. A member that the
    /// response leaves out is not compared.
    pub(super) fn report_differences<'r>(&self, received: Record<'_, 'r>, issues: &mut IssueCollector<'r>) {
        if !is_list(received) {
            return;
        }
        let received = received.entries(&order::ITEMS);
        issues.enter(&order::ITEMS);
        if self.items.clone().count() != received.len() {
            issues.report(IssueCode::DiffersFromSent);
        }
        for (index, (sent, received)) in self.items.clone().zip(received).enumerate() {
            let Some(received) = received.record else { continue };
            issues.enter(PathSegment::Index(index));
            for (field, sent) in OF_ITEM.into_iter().zip(values::<3>(sent)) {
                if compare(sent, received.get(field)) == Some(false) {
                    issues.report_member(field, IssueCode::DiffersFromSent);
                }
            }
            issues.leave();
        }
        issues.leave();
    }
}

/// Splits a line at its spaces. A value that is not there is empty.
fn values<const N: usize>(line: &str) -> [&str; N] {
    let mut values = line.split(' ');
    [""; N].map(|_| values.next().unwrap_or_default())
}

/// Returns the members of the order's identity that a body has several times, in any case, with different values: nobody knows which
/// of them counts.
pub(super) fn ambiguous_members(body: &str) -> Vec<&'static Field> {
    let mut first = IDENTITY.map(|field| (field, None));
    let mut ambiguous = Vec::new();
    let _ = json::members(json::without_bom(body), &mut |name, raw| {
        let known = first.iter_mut().find(|(field, _)| name.eq_ignore_ascii_case(field.name));
        if let Some((field, first)) = known.filter(|_| raw != "null")
            && !is_same_value(first.get_or_insert(raw), raw)
        {
            ambiguous.push(*field);
        }
    });
    ambiguous
}

/// Compares JSON values; GUIDs and numbers by value.
fn is_same_value(raw: &str, other: &str) -> bool {
    let values = |raw: &str| {
        let text = raw.trim_matches('"');
        (Guid::read(text).ok(), read_decimal(text).ok())
    };
    raw == other || {
        let value = values(raw);
        value != (None, None) && value == values(other)
    }
}

fn is_list(order: Record<'_, '_>) -> bool {
    matches!(order.get(&order::ITEMS).value, Value::List { .. })
}

/// Compares a value that was sent with a member of the response; returns `None` if the member is absent.
fn compare(sent: &str, received: &Member<'_>) -> Option<bool> {
    match received.value {
        Value::Absent | Value::Null => None,
        Value::Integer(integer) => Some(integer.is_some() && integer == sent.parse().ok()),
        Value::Decimal(decimal) => Some(read_decimal(sent).ok() == Some(decimal)),
        // Services may print an integer as `1000.0`, or as a string.
        Value::Invalid if is_integer(sent) => {
            let number = read_decimal(received.raw.trim_matches('"')).ok();
            Some(number.is_some() && number == read_decimal(sent).ok())
        }
        _ => Some(received.guid().is_some() && received.guid() == Guid::read(sent).ok()),
    }
}

fn is_integer(sent: &str) -> bool {
    sent.bytes().all(|byte| byte.is_ascii_digit())
}
