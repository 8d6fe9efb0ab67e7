//! The shared vectors over HTTP: the service creates what the core accepts and rejects the rest with the same
//! issues.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sales_order_intake::Guid;
use sales_order_intake_service::{Limits, Settings, Token};
use serde_json::Value;
use serde_json::value::RawValue;

use super::database::Database;
use super::test_server::{TestServer, new_id, settings};

#[path = "../../tests/vectors/files.rs"]
mod files;

/// A vector that can be sent over HTTP. Some cannot: the service creates no ids and returns no previews.
struct Request {
    title: String,
    json: String,
    path: String,
    /// The options that the registry must contain.
    registered: RegistryOptions,
    /// Code and pointer of every issue, except those of read-only members, which the service drops (D22).
    issues: Vec<String>,
    accepted: bool,
    /// The body that the core prints.
    body: Option<String>,
}

/// The options of a vector that the service takes from its registry.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct RegistryOptions {
    tax_pricing: Option<String>,
    allow_empty_taxes: bool,
    passthrough: bool,
}

fn request(vector: &Value, bases: &Value) -> Option<Request> {
    let (call, options, expect) = (vector["call"].as_str()?, &vector["options"], &vector["expect"]);
    if !["validate", "build", "prepare"].contains(&call) || expect.get("throws").is_some() {
        return None;
    }
    let json = files::input(vector, bases);
    let order: Value = serde_json::from_str(&json).unwrap_or_default();
    if call != "validate" && order.is_object() && order["Id"].is_null() {
        // Only the package adds an Id.
        return None;
    }
    if options["locationTaxPricing"] == "Inclusive" && order["EntityId"].is_null() {
        // The service does not know which location the order is for.
        return None;
    }
    if options.get("discountValueTypes").is_some() {
        // The service does not know what a ValueType means (D14).
        return None;
    }
    let own_id = own_id(&json, &order);
    let path_id = options["orderId"].as_str().and_then(|id| id.parse::<Guid>().ok());
    let version = options["version"].as_str().unwrap_or("v3");
    let expected = files::expanded(&expect["issues"]);
    let issues = expected.iter().filter(|issue| !issue.contains(" read_only_member "));
    Some(Request {
        title: vector["title"].as_str()?.to_owned(),
        json,
        path: format!("/{version}/ServiceOrder({})", path_id.or(own_id).unwrap_or_else(new_id)),
        registered: RegistryOptions {
            tax_pricing: options["locationTaxPricing"].as_str().map(str::to_owned),
            allow_empty_taxes: options["allowEmptyTaxes"] == true,
            passthrough: options["records"] == "passthrough",
        },
        issues: issues.filter_map(|issue| issue.split_once(' ')).map(|(_, issue)| issue.to_owned()).collect(),
        accepted: !expected.iter().any(|issue| issue.starts_with("error ")),
        body: expect["body"].as_str().map(str::to_owned),
    })
}

/// Returns the Id of an order, even if serde_json cannot parse the order.
fn own_id(json: &str, order: &Value) -> Option<Guid> {
    let in_json = || json.split_once("\"Id\":\"")?.1.split_once('"').map(|(id, _)| id);
    order["Id"].as_str().or_else(in_json).and_then(|id| id.parse::<Guid>().ok())
}

/// Returns a registry with all locations and integrators of the vectors.
fn registry(requests: &[Request], registered: &RegistryOptions, token: &Token) -> String {
    let mut locations = BTreeSet::new();
    let mut integrators = BTreeSet::new();
    for order in requests.iter().filter_map(|request| serde_json::from_str::<Value>(&request.json).ok()) {
        let id = |member: &str| order[member].as_u64().filter(|id| (1..=0x7FFF_FFFF).contains(id));
        locations.extend(id("CompanyId").zip(id("EntityId")));
        let integrator = order["IntegratorId"].as_str();
        integrators.extend(integrator.and_then(|id| id.parse::<Guid>().ok()).map(|id| id.to_string()));
    }
    let pricing = registered.tax_pricing.as_ref();
    let pricing = pricing.map_or(String::new(), |pricing| format!(", tax_pricing = \"{pricing}\""));
    let mut text = String::new();
    let companies: BTreeSet<_> = locations.iter().map(|(company, _)| company).collect();
    for company in &companies {
        let _ = writeln!(text, "[[companies]]\nid = {company}\nname = \"Company\"\nlocations = [");
        for (_, entity) in locations.iter().filter(|(owner, _)| owner == *company) {
            let _ = writeln!(text, "{{ id = {entity}, name = \"Location\"{pricing} }},");
        }
        text.push_str("]\n");
    }
    let (empty, records) =
        (registered.allow_empty_taxes, if registered.passthrough { "passthrough" } else { "strict" });
    for id in &integrators {
        let _ = writeln!(
            text,
            "[[integrators]]\nid = \"{id}\"\nname = \"Storefront\"\nallow_empty_taxes = {empty}\nrecords = \"{records}\""
        );
    }
    // The debug format of these lists is valid TOML.
    let (integrators, companies) = (Vec::from_iter(&integrators), Vec::from_iter(&companies));
    let hash = token.hash();
    let _ = writeln!(
        text,
        "[[tokens]]\nname = \"test\"\nsha256 = \"{hash}\"\nintegrators = {integrators:?}\ncompanies = {companies:?}"
    );
    text
}

/// Removes the read-only members that the service has added.
fn without_read_only_members(created: &str) -> String {
    let (sent, _) = created.split_once(",\"WasCreatedWithInventoryHold\":").expect("a read-only member");
    [sent, "}"].concat()
}

/// Returns JSON with its members sorted, and every other byte as it is: a created order has the members of the order that was sent, in
/// the order of the specification (D64).
fn sorted(json: &str) -> String {
    if let Ok(members) = serde_json::from_str::<BTreeMap<String, &RawValue>>(json) {
        let members = members.iter().map(|(name, value)| format!("{name:?}:{}", sorted(value.get())));
        return format!("{{{}}}", Vec::from_iter(members).join(","));
    }
    serde_json::from_str::<Vec<&RawValue>>(json).map_or_else(
        |_| json.to_owned(),
        |entries| format!("[{}]", Vec::from_iter(entries.iter().map(|entry| sorted(entry.get()))).join(",")),
    )
}

#[tokio::test]
async fn the_service_accepts_and_rejects_the_same_orders_as_the_core() {
    let bases: Value = serde_json::from_str(include_str!("../../tests/vectors/bases.json")).expect("bases");
    let mut groups = BTreeMap::<RegistryOptions, Vec<Request>>::new();
    for (_, json) in files::SUBJECTS {
        let subject: Value = serde_json::from_str(json).expect("JSON");
        for vector in subject["vectors"].as_array().expect("vectors") {
            if let Some(request) = request(vector, &bases) {
                groups.entry(request.registered.clone()).or_default().push(request);
            }
        }
    }
    let mut failures = Vec::new();
    let (mut accepted, mut rejected) = (0, 0);
    for (registered, vectors) in &groups {
        let token = Token::new_random().expect("a random source");
        // More than the core reads.
        let limits = Limits { body_bytes: 1 << 26, ..settings().limits };
        let service = TestServer::with_registry(
            Settings { limits, ..settings() },
            &registry(vectors, registered, &token),
            &token,
            Database::new().await,
        )
        .await;
        for request in vectors {
            let response = service.client.put(&request.path, &[], request.json.clone()).await;
            if request.accepted {
                accepted += 1;
                let as_sent = (response.status == 201).then(|| without_read_only_members(&response.body));
                if as_sent.is_none()
                    || request.body.is_some()
                        && as_sent.as_deref().map(sorted) != request.body.as_deref().map(sorted)
                {
                    failures.push(format!("{}: {} {}", request.title, response.status, response.body));
                }
                service.database.clear().await;
            } else {
                rejected += 1;
                if response.status != 400 || response.errors() != request.issues {
                    let body: String = response.body.chars().take(2_000).collect();
                    failures.push(format!(
                        "{}: {} {body}\n  {:?}",
                        request.title, response.status, request.issues
                    ));
                }
            }
        }
        service.stop().await;
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), accepted + rejected, failures.join("\n"));
    // Guards against vectors that are no longer sent.
    assert!(accepted > 100 && rejected > 150, "{accepted} accepted, {rejected} rejected");
}
