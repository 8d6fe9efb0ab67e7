//! What proves that an order was created: the order itself (D26).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::read_decimal;
use crate::guid::Guid;
use crate::issue::{IssueCollector, PathSegment};
use crate::json;
use crate::order::field::Field;
use crate::order::{item, order};
use crate::parse::parse;
use crate::record::{Member, Record, RecordSet, Value};

use super::Proof;

/// Why a body does not prove that the order was created.
pub(super) struct Mismatch {
    /// What it is.
    pub(super) came: &'static str,
    /// What it lacks; empty if `came` says it.
    pub(super) lack: &'static str,
}

/// The order that was sent, read again from its request.
pub(super) struct Sent<'a> {
    records: Option<RecordSet<'a>>,
}

impl<'a> Sent<'a> {
    pub(super) fn read(body: &'a str) -> Self {
        Self { records: parse(body).records }
    }

    pub(super) fn id(&self) -> Option<Guid> {
        self.records.as_ref()?.root().get(&order::ID).guid()
    }

    /// Returns `Err` if the body, whose record this is, does not prove that this order was created.
    pub(super) fn check(&self, received: Record<'_, '_>, body: &str, proof: Proof) -> Result<(), Mismatch> {
        let no_order = |lack| Err(Mismatch { came: "JSON that is not the order", lack });
        let Some(sent) = self.records.as_ref().map(RecordSet::root) else {
            return no_order("the request has no order");
        };
        let compared = |field| compare(sent.get(field), received.get(field));
        let ambiguous = ambiguous_members(body);
        let is_ambiguous = |field: &'static Field| ambiguous.iter().any(|other| other.is(field));
        match (compared(&order::ID), received.get(&order::ID).guid()) {
            (None, _) => return no_order("Id is missing"),
            (_, None) => return no_order("Id is not a GUID"),
            (Some(true), _) if is_ambiguous(&order::ID) => {
                return no_order("Id appears more than once");
            }
            (Some(true), _) if proof == Proof::Id => return Ok(()),
            (Some(true), _) => {}
            _ => return Err(Mismatch { came: "an order with another Id", lack: "" }),
        }
        let lack = match received.get(&order::ITEMS).value {
            _ if compared(&order::COMPANY_ID).is_none() => "CompanyId is missing",
            _ if compared(&order::ENTITY_ID).is_none() => "EntityId is missing",
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
        let integrator = received.get(&order::INTEGRATOR_ID).guid();
        let is_other = integrator.is_some() && integrator != sent.get(&order::INTEGRATOR_ID).guid();
        if [&order::COMPANY_ID, &order::ENTITY_ID].map(compared).contains(&Some(false)) || is_other {
            return Err(Mismatch { came: "an order of another company, location or integrator", lack: "" });
        }
        Ok(())
    }

    /// Reports which items differ from those that were sent: their number, products, quantities and prices. A member that the
    /// response leaves out is not compared.
    pub(super) fn report_differences<'r>(&self, received: Record<'_, 'r>, issues: &mut IssueCollector<'r>) {
        let Some(sent) = self.records.as_ref().map(RecordSet::root).filter(|_| is_list(received)) else {
            return;
        };
        let (sent, received) = (sent.entries(&order::ITEMS), received.entries(&order::ITEMS));
        issues.enter(&order::ITEMS);
        if sent.len() != received.len() {
            issues.report(IssueCode::DiffersFromSent);
        }
        for (index, (sent, received)) in sent.zip(received).enumerate() {
            let (Some(sent), Some(received)) = (sent.record, received.record) else { continue };
            issues.enter(PathSegment::Index(index));
            for field in [&item::CATALOG_ITEM_ID, &item::QUANTITY, &item::SELL_AT_PRICE_PER_UNIT] {
                if compare(sent.get(field), received.get(field)) == Some(false) {
                    issues.report_member(field, IssueCode::DiffersFromSent);
                }
            }
            issues.leave();
        }
        issues.leave();
    }
}

/// Returns the members of the order's identity that a body has several times, in any case, with different values: nobody knows which
/// of them counts.
fn ambiguous_members(body: &str) -> Vec<&'static Field> {
    let mut first =
        [&order::ID, &order::COMPANY_ID, &order::ENTITY_ID, &order::INTEGRATOR_ID].map(|field| (field, None));
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

/// Compares the values of two members; returns `None` if the second one is absent.
fn compare(sent: &Member<'_>, received: &Member<'_>) -> Option<bool> {
    match received.value {
        Value::Absent | Value::Null => None,
        Value::Integer(integer) => Some(integer.is_some() && integer == sent.integer()),
        Value::Decimal(decimal) => Some(sent.decimal() == Some(decimal)),
        // Services may print an integer as `1000.0`, or as a string.
        Value::Invalid if sent.integer().is_some() => {
            let number = read_decimal(received.raw.trim_matches('"')).ok();
            Some(number == sent.integer().map(Decimal::from))
        }
        _ => Some(received.guid().is_some() && received.guid() == sent.guid()),
    }
}
