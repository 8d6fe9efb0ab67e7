//! The JSON of an order → the order that is stored and returned, or the reason for its rejection (§2.1, §4).

use jiff::Timestamp;
use sales_order_intake::internals::ids;
use sales_order_intake::{Guid, Purpose, RuleOptions, ValidOrder, Version, parse};

use crate::authorization::{Forbidden, authorize};
use crate::new_order::NewOrder;
use crate::operation::Operation;
use crate::problem::{Problem, ProblemType};
use crate::registry::{Grant, Integrator, Location, Registry};
use crate::replay::{OrderDigest, SentOrder, digest_of};

/// Why an order is not stored.
pub struct Rejection {
    /// It is forbidden, or has errors.
    pub problem: Problem,
    /// Set if another registry may have allowed the order: the stored one is returned then, if it is the same (D28). Never set
    /// for an order that the token does not cover: its sender must not learn whether it is stored.
    pub sent: Option<SentOrder>,
}

/// Parses and checks an order that was sent to this operation.
pub fn accept(
    json: &str,
    Operation { version, id }: Operation,
    registry: &Registry,
    grant: &Grant,
    now: Timestamp,
) -> Result<NewOrder, Rejection> {
    let parsed = parse(json);
    let (company, entity, integrator_id) = ids(&parsed);
    let sent = || SentOrder::of_another_registry(json, id);
    let listed = authorize(grant, registry, company, entity, integrator_id);
    let (location, integrator) = listed.map_err(|Forbidden { member, is_covered }| Rejection {
        problem: forbidden(member),
        sent: if is_covered { sent() } else { None },
    })?;
    let rules = rule_options(version, id, location, integrator);
    let checked = parsed.check(Purpose::Send, &rules);
    let digest = digest_of(&checked);
    let valid = checked
        .into_valid()
        .map_err(|invalid| Rejection { problem: Problem::invalid_order(invalid.issues), sent: sent() })?;
    let order = location
        .zip(integrator)
        .zip(digest)
        .and_then(|((location, integrator), digest)| new_order(&valid, digest, location, integrator, now));
    // A valid order has all of these.
    order.ok_or_else(|| Rejection { problem: Problem::invalid_order(Vec::new()), sent: None })
}

fn forbidden(member: &str) -> Problem {
    let detail = format!("The token does not cover the {member} of this order.");
    Problem::new(ProblemType::Forbidden, detail)
}

/// Returns the rule options for an order, from its location and integrator in the registry.
pub fn rule_options(
    version: Version,
    id: Guid,
    location: Option<&Location>,
    integrator: Option<&Integrator>,
) -> RuleOptions {
    let mut rules = RuleOptions::default().with_version(version).with_order_id(id);
    rules.location_tax_pricing = location.and_then(|location| location.tax_pricing);
    if let Some(integrator) = integrator {
        rules = rules.with_records(integrator.records).with_allow_empty_taxes(integrator.allow_empty_taxes);
    }
    rules
}

/// Adds the read-only members to the body of a valid order; every decimal keeps the digits it was sent with.
fn new_order(
    order: &ValidOrder,
    digest: OrderDigest,
    location: &Location,
    integrator: &Integrator,
    now: Timestamp,
) -> Option<NewOrder> {
    let request = order.request();
    let members = request.body.strip_suffix('}')?;
    let hold = location.inventory_hold;
    // Seven digits and an offset, as .NET prints it (D41).
    let date = format!("{now:.7}").replace('Z', "+00:00");
    let (id, name) = (order.integrator_id(), serde_json::to_string(&integrator.name).ok()?);
    let before_receipt = format!(
        r#"{members},"WasCreatedWithInventoryHold":{hold},"DateCreatedUtc":"{date}","OrderSource":{{"Id":"{id}","Name":{name}}},"ReceiptNumber":"#
    );
    Some(NewOrder {
        id: order.order_id(),
        company: order.company_id(),
        entity: order.entity_id(),
        integrator: order.integrator_id(),
        version: request.version,
        digest,
        body: [before_receipt, "}".to_owned()],
    })
}
