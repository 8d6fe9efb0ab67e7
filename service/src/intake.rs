//! The JSON of an order → the order that is stored and returned, or the reason for its rejection (§2.1, §4).

use jiff::Timestamp;
use sales_order_intake::internals::id_range;
use sales_order_intake::{Guid, Issue, ParseMode, PreparedRequest, Records, RuleOptions, Version, parse};

use super::auth::{self, Forbidden};
use super::registry::{Grant, Integrator, Location, Registry};
use super::replay::{self, OrderDigest};
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
    let read = parsed.to_order().unwrap_or_default();
    let in_range = |id: Option<u32>| id.filter(|id| id_range().contains(id));
    let (company, entity) = (in_range(read.company_id), in_range(read.entity_id));
    let (location, integrator) = auth::authorize(grant, registry, company, entity, read.integrator_id)?;
    let options = rule_options(version, path_id, location, integrator);
    if options.records == Records::Passthrough {
        parsed = parse(json, ParseMode::Send(options.records));
    }
    let digest = replay::digest(&parsed);
    let request = parsed.check(&options).request().map_err(|invalid| Rejection::Invalid(invalid.issues))?;
    let ids =
        company.zip(entity).zip(read.integrator_id).map(|((company, entity), id)| (company, entity, id));
    let order =
        ids.zip(location).zip(integrator).zip(digest).and_then(|(((ids, location), integrator), digest)| {
            new_order(request, ids, location, integrator, digest, now)
        });
    // A valid order has all of these.
    order.ok_or_else(|| Rejection::Invalid(Vec::new()))
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

/// Adds the read-only members to the body of a valid order; every decimal keeps the digits it was sent with.
fn new_order(
    request: PreparedRequest,
    ids: (u32, u32, Guid),
    location: &Location,
    integrator: &Integrator,
    digest: OrderDigest,
    now: Timestamp,
) -> Option<NewOrder> {
    let (company, entity, integrator_id) = ids;
    let members = request.body.strip_suffix('}')?;
    let hold = location.inventory_hold;
    // Seven digits and an offset, as .NET prints it (D41).
    let date = now.strftime("%Y-%m-%dT%H:%M:%S.%7f+00:00");
    let name = serde_json::to_string(&integrator.name).ok()?;
    let before_receipt = format!(
        r#"{members},"WasCreatedWithInventoryHold":{hold},"DateCreatedUtc":"{date}","OrderSource":{{"Id":"{integrator_id}","Name":{name}}},"ReceiptNumber":"#
    );
    Some(NewOrder {
        id: request.order_id,
        company,
        entity,
        integrator: integrator_id,
        version: request.version,
        digest,
        records: integrator.records,
        body: [before_receipt, "}".to_owned()],
    })
}
