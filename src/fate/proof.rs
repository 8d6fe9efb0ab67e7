//! What proves that an order was created: the order itself (D26).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::read_decimal;
use crate::guid::Guid;
use crate::issue::{IssueCollector, PathSegment};
use crate::order::{item, order};
use crate::parse::parse;
use crate::record::{Member, Record, RecordSet, Value};

use super::Proof;

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

    /// Returns `Err` with a description of the body if it does not prove that this order was created.
    pub(super) fn check(&self, received: Record<'_, '_>, proof: Proof) -> Result<(), &'static str> {
        const NO_ORDER: &str = "JSON that is not the order";
        let Some(sent) = self.records.as_ref().map(RecordSet::root) else { return Err(NO_ORDER) };
        let compared = |field| compare(sent.get(field), received.get(field));
        if received.get(&order::ID).guid().is_none() {
            return Err(NO_ORDER);
        }
        match compared(&order::ID) {
            Some(true) if proof == Proof::Id => return Ok(()),
            Some(true) => {}
            _ => return Err("an order with another Id"),
        }
        let owner = [&order::COMPANY_ID, &order::ENTITY_ID].map(compared);
        if owner.contains(&None) || !is_list(received) {
            return Err(NO_ORDER);
        }
        // One that can't be read, such as .NET's empty GUID, counts as absent.
        let integrator = received.get(&order::INTEGRATOR_ID).guid();
        let is_other = integrator.is_some() && integrator != sent.get(&order::INTEGRATOR_ID).guid();
        if owner.contains(&Some(false)) || is_other {
            return Err("an order of another company, location or integrator");
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
