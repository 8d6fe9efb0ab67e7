//! The shared vectors over HTTP: what the core accepts is created, what it refuses is refused with the same issues.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use sales_order_intake::Guid;
use sales_order_intake::service::{Limits, Settings, Token};
use serde_json::Value;

use super::database::Database;
use super::running::{Running, new_id};

#[path = "../vectors/runner.rs"]
#[expect(dead_code, reason = "the vectors are run over HTTP here, not through the crate")]
mod runner;

/// A vector that can be sent: not all can, for the service mints no ids and has no previews.
struct Sent {
    title: String,
    text: String,
    path: String,
    /// What the registry has to say for it.
    registered: Registered,
    /// IssueCode and pointer of every issue; read-only members are dropped without a word (D22).
    issues: Vec<String>,
    accepted: bool,
    /// The body that the request would have.
    body: Option<String>,
}

/// The options of a vector that a location or an integrator has here.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Registered {
    tax_pricing: Option<String>,
    allow_empty_taxes: bool,
    passthrough: bool,
}

fn sent(vector: &Value, bases: &Value) -> Option<Sent> {
    let (call, options, expect) = (vector["call"].as_str()?, &vector["options"], &vector["expect"]);
    if !["validate", "build", "prepare"].contains(&call) || expect.get("throws").is_some() {
        return None;
    }
    let text = runner::input(vector, bases);
    let order: Value = serde_json::from_str(&text).unwrap_or_default();
    if call != "validate" && order.is_object() && order["Id"].is_null() {
        // Only the package fills in an Id; here it is missing.
        return None;
    }
    if options["locationTaxPricing"] == "Inclusive" && order["EntityId"].is_null() {
        // Which location it is for, nobody knows here.
        return None;
    }
    let own_id = own_id(&text, &order);
    let path_id = options["orderId"].as_str().and_then(|id| Guid::parse(id).ok());
    let version = options["version"].as_str().unwrap_or("v3");
    let expected = runner::pieces(&expect["issues"]);
    let issues = expected.iter().filter(|issue| !issue.contains(" read_only_member "));
    Some(Sent {
        title: vector["title"].as_str()?.to_owned(),
        text,
        path: format!("/{version}/ServiceOrder({})", path_id.or(own_id).unwrap_or_else(new_id)),
        registered: Registered {
            tax_pricing: options["locationTaxPricing"].as_str().map(str::to_owned),
            allow_empty_taxes: options["allowEmptyTaxes"] == true,
            passthrough: options["records"] == "passthrough",
        },
        issues: issues.filter_map(|issue| issue.split_once(' ')).map(|(_, issue)| issue.to_owned()).collect(),
        accepted: !expected.iter().any(|issue| issue.starts_with("error ")),
        body: expect["body"].as_str().map(str::to_owned),
    })
}

/// The Id of an order, also of one that serde_json can't make a value of.
fn own_id(text: &str, order: &Value) -> Option<Guid> {
    let written = || text.split_once("\"Id\":\"")?.1.split_once('"').map(|(id, _)| id);
    order["Id"].as_str().or_else(written).and_then(|id| Guid::parse(id).ok())
}

/// Every location and integrator that a vector names.
fn registry(sent: &[Sent], registered: &Registered, token: &Token) -> String {
    let mut locations = BTreeSet::new();
    let mut integrators = BTreeSet::new();
    for order in sent.iter().filter_map(|sent| serde_json::from_str::<Value>(&sent.text).ok()) {
        let id = |member: &str| order[member].as_u64().filter(|id| (1..=0x7FFF_FFFF).contains(id));
        locations.extend(id("CompanyId").zip(id("EntityId")));
        let integrator = order["IntegratorId"].as_str();
        integrators.extend(integrator.and_then(|id| Guid::parse(id).ok()).map(|id| id.to_string()));
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
    // Printed for debugging, a list of Rust is one of TOML.
    let (integrators, companies) = (Vec::from_iter(&integrators), Vec::from_iter(&companies));
    let hash = token.hash();
    let _ = writeln!(
        text,
        "[[tokens]]\nname = \"test\"\nsha256 = \"{hash}\"\nintegrators = {integrators:?}\ncompanies = {companies:?}"
    );
    text
}

/// What the service filled in, taken out again.
fn as_it_was_sent(created: &str) -> String {
    let cut = |text: &str, from: &str, to: &str| {
        let (before, rest) = text.split_once(from).expect("a read-only member");
        let (_, after) = rest.split_once(to).expect("its end");
        [before, after].concat()
    };
    let text = cut(created, "\"WasCreatedWithInventoryHold\":", ",");
    let text = cut(&text, "\"DateCreatedUtc\":", "\"Name\":\"Storefront\"},");
    cut(&text, ",\"ReceiptNumber\":\"", "\"")
}

#[tokio::test]
async fn the_service_judges_as_the_core_does() {
    let bases: Value = serde_json::from_str(include_str!("../vectors/bases.json")).expect("bases");
    let mut groups = BTreeMap::<Registered, Vec<Sent>>::new();
    for (_, text) in runner::SUBJECTS {
        let subject: Value = serde_json::from_str(text).expect("JSON");
        for vector in subject["vectors"].as_array().expect("vectors") {
            if let Some(sent) = sent(vector, &bases) {
                groups.entry(sent.registered.clone()).or_default().push(sent);
            }
        }
    }
    let mut failures = Vec::new();
    let (mut accepted, mut refused) = (0, 0);
    for (registered, vectors) in &groups {
        let token = Token::new_random().expect("a random source");
        // As much as the core reads, and some more for what it does not.
        let limits = Limits { body_bytes: 1 << 26, ..Limits::default() };
        let service = Running::with_registry(
            Settings { limits, ..Settings::default() },
            &registry(vectors, registered, &token),
            &token,
            Database::new().await,
        )
        .await;
        for sent in vectors {
            let answer = service.client.put(&sent.path, &[], sent.text.clone()).await;
            if sent.accepted {
                accepted += 1;
                let as_sent = (answer.status == 201).then(|| as_it_was_sent(&answer.body));
                if as_sent.is_none() || sent.body.is_some() && as_sent != sent.body {
                    failures.push(format!("{}: {} {}", sent.title, answer.status, answer.body));
                }
                service.database.clear().await;
            } else {
                refused += 1;
                if answer.status != 400 || answer.errors() != sent.issues {
                    let body: String = answer.body.chars().take(2_000).collect();
                    failures.push(format!("{}: {} {body}\n  {:?}", sent.title, answer.status, sent.issues));
                }
            }
        }
        service.stop().await;
    }
    assert!(failures.is_empty(), "{} of {}:\n{}", failures.len(), accepted + refused, failures.join("\n"));
    // Most of the vectors can be sent.
    assert!(accepted > 100 && refused > 150, "{accepted} accepted, {refused} refused");
}
