//! Orders that are sent again: replays and conflicts (D27, D28).

use serde_json::json;

use crate::test_server::{TestServer, new_id, order, v3};

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
