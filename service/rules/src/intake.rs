//! The JSON of an order → the order that is stored and returned, or the reason for its rejection (§2.1, §4).

use sales_order_intake::internals::{canonical_text, canonical_text_by_any_rules, ids, with_read_only};
use sales_order_intake::{Guid, Purpose, RuleOptions, ValidOrder, Version, parse};
use time::OffsetDateTime;

use crate::authorization::{Forbidden, authorize};
use crate::new_order::NewOrder;
use crate::operation::Operation;
use crate::problem::{Problem, ProblemType};
use crate::registry::{Grant, Integrator, Location, Registry};
use crate::replay::{OrderDigest, SentOrder};

/// Why an order is not stored.
pub struct Rejection {
    /// It is forbidden, or has errors.
    pub problem: Problem,
    /// Set if another registry may have allowed the order: the stored one is returned then, if it is the same
    /// (D28). Never set for an order that the token does not cover: its sender must not learn whether it is
    /// stored.
    pub sent: Option<SentOrder>,
}

/// Parses and checks an order that was sent to this operation.
pub fn accept(
    json: &str,
    Operation { version, id }: Operation,
    registry: &Registry,
    grant: &Grant,
    now: OffsetDateTime,
) -> Result<NewOrder, Rejection> {
    let parsed = parse(json);
    let (company, entity, integrator_id) = ids(&parsed);
    let listed = authorize(grant, registry, company, entity, integrator_id);
    let by_any_rules = || canonical_text_by_any_rules(&parsed, Some(id));
    let (location, integrator) = listed.map_err(|forbidden| {
        let is_compared = matches!(forbidden, Forbidden::NotListed(_));
        let text = if is_compared { by_any_rules() } else { None };
        Rejection { problem: problem_of(forbidden), sent: SentOrder::new(company, text) }
    })?;
    let rules = rule_options(version, id, location, integrator);
    let checked = parsed.clone().check(Purpose::Send, &rules);
    let sent = SentOrder::new(company, canonical_text(&checked).or_else(by_any_rules));
    let valid = checked
        .into_valid()
        .map_err(|invalid| Rejection { problem: Problem::invalid_order(invalid.issues), sent })?;
    let order = location
        .zip(integrator)
        .zip(sent)
        .and_then(|((location, integrator), sent)| new_order(&valid, sent.digest, location, integrator, now));
    // A valid order has all of these.
    order.ok_or_else(|| Rejection { problem: Problem::invalid_order(Vec::new()), sent: None })
}

fn problem_of(forbidden: Forbidden) -> Problem {
    let detail = match forbidden {
        Forbidden::NotCovered(member) => format!("The token does not cover the {member} of this order."),
        Forbidden::NotListed(member) => {
            format!("The registry of this service does not list the {member} of this order.")
        }
    };
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
    now: OffsetDateTime,
) -> Option<NewOrder> {
    let request = order.request();
    // Seven digits and an offset, as .NET prints it (D41).
    let (hour, minute, second, nanosecond) = now.to_hms_nano();
    let date = format!(r#""{}T{hour:02}:{minute:02}:{second:02}.{:07}+00:00""#, now.date(), nanosecond / 100);
    let (id, name) = (order.integrator_id(), serde_json::to_string(&integrator.name).ok()?);
    let hold = if location.inventory_hold { "true" } else { "false" };
    let source = format!(r#"{{"Id":"{id}","Name":{name}}}"#);
    // The receipt number is missing. JSON has no other NUL.
    let body = with_read_only(order, [hold, &date, &source, "\0"])?;
    let (before, after) = body.split_once('\0')?;
    Some(NewOrder {
        id: order.order_id(),
        company: order.company_id(),
        entity: order.entity_id(),
        integrator: order.integrator_id(),
        version: request.version,
        digest,
        body: [before.to_owned(), after.to_owned()],
    })
}

#[cfg(test)]
mod tests {
    use sales_order_intake::{Version, read_order};
    use time::OffsetDateTime;

    use super::{Operation, Rejection, accept};
    use crate::new_order::NewOrder;
    use crate::registry::{Form, Registry};

    const ID: &str = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
    const OTHER_INTEGRATOR: &str = "7c9e6679-7425-40de-944b-e07fc1f90ae8";

    fn order(others: &str) -> String {
        format!(
            r#"{{"Id":"{ID}","CompanyId":1501,"EntityId":2301,"IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Items":[{{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":10.50}}]{others}}}"#
        )
    }

    fn registry() -> Registry {
        let integrator = r#"{"id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","name":"Shop"}"#;
        let companies = r#"[{"id":1501,"locations":[{"id":2301}]},{"id":1502,"locations":[]}]"#;
        let token = r#"{"token":"a-token","companies":[1501,1502],"integrators":["7c9e6679-7425-40de-944b-e07fc1f90ae7"]}"#;
        let json = format!(r#"{{"companies":{companies},"integrators":[{integrator}],"tokens":[{token}]}}"#);
        Registry::from_json(json.parse().unwrap(), Form::Test).unwrap()
    }

    fn accepted(json: &str) -> Result<NewOrder, Rejection> {
        let registry = registry();
        let operation = Operation { version: Version::V3, id: ID.parse().unwrap() };
        let now = OffsetDateTime::from_unix_timestamp(1_772_356_125).unwrap();
        accept(json, operation, &registry, &registry.grants()[0], now)
    }

    #[test]
    fn members_that_the_service_adds_replace_those_of_an_earlier_response_in_any_case() {
        let earlier = r#","receiptNumber":"R-OLD","dateCreatedUtc":"2020-01-01T00:00:00Z","note":{"receiptNumber":1},"ORDERSOURCE":{"Id":null}"#;
        let Ok(new) = accepted(&order(earlier)) else { panic!("a valid order") };
        let stored = new.body.join("\"R-NEW\"");
        let read = read_order(&stored);
        assert_eq!(read.order.unwrap().receipt_number.as_deref(), Some("R-NEW"), "{stored}");
        assert!(
            stored.ends_with(
                r#""SellAtPricePerUnit":10.50}],"ReceiptNumber":"R-NEW","note":{"receiptNumber":1}}"#
            ),
            "{stored}"
        );
        for old in ["R-OLD", "2020", "ORDERSOURCE"] {
            assert!(!stored.contains(old), "{stored}");
        }
    }

    #[test]
    fn a_created_order_has_its_members_in_the_order_of_the_specification() {
        let others = r#","Gift":1,"Notes":"n","Discount":null,"ExternalOrderId":"x","OrderNumber":"o","FirstName":"Ada""#;
        let Ok(new) = accepted(&order(others)) else { panic!("a valid order") };
        let body = new.body.join("\"7\"");
        let positions = [
            "Id",
            "CompanyId",
            "EntityId",
            "WasCreatedWithInventoryHold",
            "FirstName",
            "DateCreatedUtc",
            "OrderSource",
            "OrderNumber",
            "IntegratorId",
            "Items",
            "Discount",
            "ReceiptNumber",
            "ExternalOrderId",
            "Notes",
            "Gift",
        ]
        .map(|name| body.find(&format!("\"{name}\":")));
        assert!(positions.iter().all(Option::is_some) && positions.is_sorted(), "{body}");
    }

    #[test]
    fn a_refusal_says_whether_the_token_or_the_registry_lacks_a_member() {
        let refused = |from: &str, to: &str| {
            let json = order("").replace(from, to);
            let Err(rejection) = accepted(&json) else { panic!("{json} is accepted") };
            (rejection.problem.detail, rejection.sent.is_some())
        };
        for (from, to, detail, is_compared) in [
            ("1501", "1503", "The token does not cover the CompanyId of this order.", false),
            ("0ae7", "0ae8", "The token does not cover the IntegratorId of this order.", false),
            ("2301", "2302", "The registry of this service does not list the EntityId of this order.", true),
            ("1501", "1502", "The registry of this service does not list the EntityId of this order.", true),
        ] {
            assert_eq!(refused(from, to), (detail.to_owned(), is_compared), "{to}");
        }
        let both = order("")
            .replace("2301", "2302")
            .replace("7c9e6679-7425-40de-944b-e07fc1f90ae7", OTHER_INTEGRATOR);
        let Err(rejection) = accepted(&both) else { panic!("it is accepted") };
        assert_eq!(rejection.problem.detail, "The token does not cover the IntegratorId of this order.");
    }
}
