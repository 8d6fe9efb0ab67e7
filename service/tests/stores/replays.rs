//! Orders that are sent again: replays and conflicts (D27, D28).

use serde_json::json;

use crate::test_server::{TestServer, new_id, order, v3};

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
