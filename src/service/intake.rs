//! The text of an order → what is stored and answered, or why it is not (§2.1 rule 4, §4).

use jiff::Timestamp;

use crate::code::IssueCode;
use crate::decode::{self, Reading};
use crate::guid::Guid;
use crate::issue::{Issue, Issues};
use crate::options::{Records, RuleOptions, Version};
use crate::request::{Form, print};
use crate::rules;
use crate::shape::order;
use crate::written::{Member, Value, WrittenOrder};

use super::canonical;
use super::registry::{Grant, Integrator, Location, Registry};

/// An order that may be stored: all but its receipt number, which is counted when it is.
#[derive(Clone)]
pub(crate) struct Accepted {
    pub(crate) id: Guid,
    pub(crate) company: u32,
    pub(crate) entity: u32,
    pub(crate) integrator: Guid,
    pub(crate) version: Version,
    /// What makes it the same as another order (D28).
    pub(crate) digest: [u8; 32],
    /// The created order before its receipt number, and after it.
    pub(crate) body: [String; 2],
}

/// Why an order is not accepted.
pub(crate) enum Refused {
    /// The token is not for this company, location or integrator; names the member.
    Forbidden(&'static str),
    /// The order has errors; these are all issues.
    Invalid(Vec<Issue>),
}

/// Stands in a printed order where the receipt number will: no JSON text holds it.
const RECEIPT: char = '\u{1}';

/// Reads and judges an order that was sent to this version and id.
pub(crate) fn accept(
    text: &str,
    version: Version,
    path_id: Guid,
    registry: &Registry,
    grant: &Grant,
    now: Timestamp,
) -> Result<Accepted, Refused> {
    let (order, issues) = read(text, Records::Strict);
    let Some(mut order) = order else { return Err(Refused::Invalid(sent(issues.finish()))) };
    let (location, integrator) = permitted(&order, registry, grant)?;
    let options = rule_options(version, path_id, location, integrator);
    let mut issues = issues;
    if options.records == Records::Passthrough
        && let (Some(read_again), found) = read(text, options.records)
    {
        (order, issues) = (read_again, found);
    }
    rules::check(&order, &options, false, &mut issues);
    let created = match (location, integrator) {
        (Some(location), Some(integrator)) if !issues.has_error() => {
            created(order, location, integrator, version, now)
        }
        _ => None,
    };
    created.ok_or_else(|| Refused::Invalid(sent(issues.finish())))
}

/// What the registry says of an order's location and integrator, as the rules take it.
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
        order_id: Some(id),
    }
}

fn read(text: &str, records: Records) -> (Option<WrittenOrder<'_>>, Issues<'_>) {
    let mut issues = Issues::new(text);
    let passthrough = records == Records::Passthrough;
    let order = decode::read_order(text, Reading::AsItStands, passthrough, &mut issues);
    (order, issues)
}

/// Read-only members are dropped without a word: an earlier response may be sent again (D22).
fn sent(mut issues: Vec<Issue>) -> Vec<Issue> {
    issues.retain(|issue| issue.code != IssueCode::ReadOnlyMember);
    issues
}

/// Looks up location and integrator; a member that can't be read is for the rules to tell of.
fn permitted<'r>(
    order: &WrittenOrder<'_>,
    registry: &'r Registry,
    grant: &Grant,
) -> Result<(Option<&'r Location>, Option<&'r Integrator>), Refused> {
    let order = order.root();
    let company = order.get(order::COMPANY_ID).integer();
    if company.is_some_and(|company| !grant.companies.contains(&company)) {
        return Err(Refused::Forbidden("CompanyId"));
    }
    let location = match company.zip(order.get(order::ENTITY_ID).integer()) {
        Some((company, entity)) => {
            let location = registry.location(company, entity);
            Some(location.ok_or(Refused::Forbidden("EntityId"))?)
        }
        None => None,
    };
    let integrator = match order.get(order::INTEGRATOR_ID).guid() {
        Some(id) => {
            let integrator = registry.integrator(id).filter(|_| grant.integrators.contains(&id));
            Some(integrator.ok_or(Refused::Forbidden("IntegratorId"))?)
        }
        None => None,
    };
    Ok((location, integrator))
}

/// The order with its read-only members filled, every decimal with the digits it was sent with.
fn created(
    order: WrittenOrder<'_>,
    location: &Location,
    integrator: &Integrator,
    version: Version,
    now: Timestamp,
) -> Option<Accepted> {
    let digest = canonical::digest(&order);
    let root = order.root();
    let (id, integrator_id) = (root.get(order::ID).guid()?, root.get(order::INTEGRATOR_ID).guid()?);
    let (company, entity) = (root.get(order::COMPANY_ID).integer()?, root.get(order::ENTITY_ID).integer()?);
    let hold = if location.inventory_hold { "true" } else { "false" };
    // Seven digits and an offset, as .NET prints it (D41).
    let date = now.strftime("\"%Y-%m-%dT%H:%M:%S.%7f+00:00\"").to_string();
    let name = serde_json::to_string(&integrator.name).ok()?;
    let source = format!(r#"{{"Id":"{integrator_id}","Name":{name}}}"#);
    let receipt = RECEIPT.to_string();
    // From here on it borrows from what the service fills in too.
    let mut order = order;
    for (member, raw) in [
        (order::WAS_CREATED_WITH_INVENTORY_HOLD, hold),
        (order::DATE_CREATED_UTC, &date),
        (order::ORDER_SOURCE, &source),
        (order::RECEIPT_NUMBER, &receipt),
    ] {
        order.set_member(member, Member { raw, value: Value::Text });
    }
    let printed = print(&order, Form::Body);
    let (before, after) = printed.split_once(RECEIPT)?;
    Some(Accepted {
        id,
        company,
        entity,
        integrator: integrator_id,
        version,
        digest,
        body: [before.to_owned(), after.to_owned()],
    })
}
