//! The JSON of an order → the order that is stored and returned, or the reason for its rejection (§2.1, §4).

use jiff::Timestamp;

use crate::guid::Guid;
use crate::issue::Issue;
use crate::options::{Records, RuleOptions, Version};
use crate::order::order;
use crate::order_writer::{DecimalForm, write_order};
use crate::parse::{ParseMode, parse};
use crate::record::{Member, RecordSet, Value};

use super::auth::{self, Forbidden};
use super::canonical;
use super::registry::{Grant, Integrator, Location, Registry};
use super::store::NewOrder;

/// Why an order is not stored.
pub(crate) enum Rejection {
    Forbidden(Forbidden),
    /// The order has errors; these are all its issues.
    Invalid(Vec<Issue>),
}

impl From<Forbidden> for Rejection {
    fn from(forbidden: Forbidden) -> Self {
        Self::Forbidden(forbidden)
    }
}

/// Marks where the receipt number goes in a body. Valid JSON cannot contain this character unescaped.
const RECEIPT_MARK: &str = "\u{1}";

/// Parses and checks an order that was sent to this version and id.
pub(crate) fn accept(
    json: &str,
    version: Version,
    path_id: Guid,
    registry: &Registry,
    grant: &Grant,
    now: Timestamp,
) -> Result<NewOrder, Rejection> {
    let mut parsed = parse(json, ParseMode::Send(Records::Strict));
    let ids = parsed.records.as_ref().map(|records| {
        let order = records.root();
        let (company, entity) = (order.integer(&order::COMPANY_ID), order.integer(&order::ENTITY_ID));
        (company, entity, order.get(&order::INTEGRATOR_ID).guid())
    });
    let (company, entity, integrator_id) = ids.unwrap_or_default();
    let (location, integrator) = auth::authorize(grant, registry, company, entity, integrator_id)?;
    let options = rule_options(version, path_id, location, integrator);
    if options.records == Records::Passthrough {
        parsed = parse(json, ParseMode::Send(options.records));
    }
    let checked = parsed.check(&options);
    match (location, integrator) {
        (Some(location), Some(integrator)) if checked.is_ok() => {
            let records = checked.records;
            let order = records.and_then(|records| new_order(records, location, integrator, version, now));
            order.ok_or_else(|| Rejection::Invalid(Vec::new()))
        }
        _ => Err(Rejection::Invalid(checked.into_issues())),
    }
}

/// Returns the rule options for an order, from its location and integrator in the registry.
pub(super) fn rule_options(
    version: Version,
    id: Guid,
    location: Option<&Location>,
    integrator: Option<&Integrator>,
) -> RuleOptions {
    RuleOptions {
        version,
        location_tax_pricing: location.and_then(|location| location.tax_pricing),
        allow_empty_taxes: integrator.is_some_and(|integrator| integrator.allow_empty_taxes),
        records: integrator.map_or(Records::Strict, |integrator| integrator.records),
        discount_value_types: None,
        order_id: Some(id),
    }
}

/// Fills the read-only members of a valid order; every decimal keeps the digits it was sent with.
fn new_order(
    records: RecordSet<'_>,
    location: &Location,
    integrator: &Integrator,
    version: Version,
    now: Timestamp,
) -> Option<NewOrder> {
    let digest = canonical::digest(&records);
    let order = records.root();
    let (id, integrator_id) = (order.get(&order::ID).guid()?, order.get(&order::INTEGRATOR_ID).guid()?);
    let (company, entity) = (order.integer(&order::COMPANY_ID)?, order.integer(&order::ENTITY_ID)?);
    let hold = if location.inventory_hold { "true" } else { "false" };
    // Seven digits and an offset, as .NET prints it (D41).
    let date = now.strftime("\"%Y-%m-%dT%H:%M:%S.%7f+00:00\"").to_string();
    let name = serde_json::to_string(&integrator.name).ok()?;
    let source = format!(r#"{{"Id":"{integrator_id}","Name":{name}}}"#);
    // From here on the records also borrow from these strings.
    let mut records = records;
    for (field, raw) in [
        (&order::WAS_CREATED_WITH_INVENTORY_HOLD, hold),
        (&order::DATE_CREATED_UTC, &date),
        (&order::ORDER_SOURCE, &source),
        (&order::RECEIPT_NUMBER, RECEIPT_MARK),
    ] {
        records.set_member(field, Member { raw, value: Value::String });
    }
    let body = write_order(&records, DecimalForm::Number);
    let (before, after) = body.split_once(RECEIPT_MARK)?;
    Some(NewOrder {
        id,
        company,
        entity,
        integrator: integrator_id,
        version,
        digest,
        records: integrator.records,
        body: [before.to_owned(), after.to_owned()],
    })
}
