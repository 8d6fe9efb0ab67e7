//! Orders that are sent again: replays and conflicts (D27, D28).

use serde_json::json;

use sales_order_intake_service::Token;

use crate::database::Database;
use crate::test_server::{INTEGRATOR, TestServer, new_id, order, registry, settings, v3};

#[tokio::test]
async fn a_replay_returns_the_stored_order_in_either_version() {
    let service = TestServer::new().await;
    let id = new_id();
    let first = service.client.put(&v3(id), &[], order(id).to_string()).await;
    assert_eq!(first.status, 201);
    let other_notation = order(id).to_string().replace(":10}", ":\"10.00\"}");
    // A response can be sent as an order: its read-only members do not count.
    for (path, body) in [
        (v3(id), order(id).to_string()),
        (format!("/v2/ServiceOrder({id})"), other_notation),
        (v3(id), first.body.clone()),
    ] {
        let again = service.client.put(&path, &[], body).await;
        assert_eq!((again.status, &again.body), (200, &first.body), "{path}");
    }
    assert_eq!(service.database.orders().await.len(), 1);
}

#[tokio::test]
async fn a_different_order_with_the_same_id_is_a_conflict_and_changes_nothing() {
    let service = TestServer::new().await;
    let id = new_id();
    let first = service.client.put(&v3(id), &[], order(id).to_string()).await;
    let mut other = order(id);
    other["Items"][0]["Quantity"] = json!(2);
    for path in [v3(id), format!("/v2/ServiceOrder({id})")] {
        service.client.put(&path, &[], other.to_string()).await.is_problem(409, "conflict");
    }
    // An order for another location is different too.
    let mut elsewhere = order(id);
    elsewhere["EntityId"] = json!(2302);
    service.client.put(&v3(id), &[], elsewhere.to_string()).await.is_problem(409, "conflict");
    let again = service.client.put(&v3(id), &[], order(id).to_string()).await;
    assert_eq!((again.status, again.body), (200, first.body));
    // A rejected order takes no receipt number.
    let next = new_id();
    let next = service.client.put(&v3(next), &[], order(next).to_string()).await;
    assert_eq!(next.json()["ReceiptNumber"], "2");
}

// Another registry may have allowed `Taxes: []` (D9), so the order is looked up, which writes nothing: a
// refused order costs no sync, and does not wait for one.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_only_this_registry_refuses_is_looked_up_while_another_process_writes() {
    let service = TestServer::new().await;
    let (new, stored) = (new_id(), new_id());
    assert_eq!(service.client.put(&v3(stored), &[], order(stored).to_string()).await.status, 201);
    let lock = service.database.lock().await;
    for id in [new, stored] {
        let mut refused = order(id);
        refused["Taxes"] = json!([]);
        service.client.put(&v3(id), &[], refused.to_string()).await.is_problem(400, "invalid-order");
    }
    lock.release().await;
}

/// Returns a registry whose first integrator, and whose first location, have these settings.
fn registry_with(token: &Token, integrator: &str, tax_pricing: &str) -> String {
    registry(token)
        .replace(&format!("{{ id = \"{INTEGRATOR}\","), &format!("{{ id = \"{INTEGRATOR}\", {integrator}"))
        .replacen("\"Exclusive\"", &format!("\"{tax_pricing}\""), 1)
}

#[tokio::test]
async fn a_replay_stays_one_whatever_the_registry_allows_now() {
    let token = Token::new_random().expect("a random source");
    let tax = json!({ "TaxAmount": "3.50", "TaxId": "0B9F7C1E2D3A4B5C8D6E7F8091A2B3C4" });
    let (passthrough, strict) = ("records = \"passthrough\",", "records = \"strict\",");
    let mut database = Database::new().await;
    // The settings of the integrator when the order was stored and when it is sent again, and a member of the
    // order.
    for (before, after, tax_pricing, member, value) in [
        (strict, passthrough, "Exclusive", "Taxes", json!([tax])),
        (passthrough, strict, "Exclusive", "Taxes", json!([tax])),
        (passthrough, strict, "Exclusive", "Taxes", json!([{ "Rate": "of a later version" }])),
        ("allow_empty_taxes = true,", "", "Exclusive", "Taxes", json!([])),
        ("", "", "Inclusive", "Notes", json!("Ring twice")),
    ] {
        let case = format!("{before} {after} {tax_pricing} {value}");
        let (id, start) = (new_id(), TestServer::with_registry);
        let mut sent = order(id);
        sent[member] = value;
        let stored = registry_with(&token, before, "Exclusive");
        let service = start(settings(), &stored, &token, database).await;
        let first = service.client.put(&v3(id), &[], sent.to_string()).await;
        assert_eq!(first.status, 201, "{case} {}", first.body);
        let replayed = registry_with(&token, after, tax_pricing);
        let service = start(settings(), &replayed, &token, service.stop().await).await;
        for path in [v3(id), format!("/v2/ServiceOrder({id})")] {
            let again = service.client.put(&path, &[], sent.to_string()).await;
            assert_eq!((again.status, &again.body), (200, &first.body), "{case}");
        }
        // Another order with this Id, and this order with another Id, are what they would be without the
        // stored one.
        let mut other = sent.clone();
        other["Items"][0]["Quantity"] = json!(2);
        let other = service.client.put(&v3(id), &[], other.to_string()).await.status;
        let another_id = new_id();
        let as_new = sent.to_string().replace(&id.to_string(), &another_id.to_string());
        let as_new = service.client.put(&v3(another_id), &[], as_new).await.status;
        assert!([(409, 201), (400, 400)].contains(&(other, as_new)), "{case} {other} {as_new}");
        database = service.stop().await;
    }
}
