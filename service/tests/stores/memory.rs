//! The memory of orders that wait for the database is bounded, whatever their clients do.

use sales_order_intake_service::{Limits, Settings};
use tokio::task::JoinSet;

use crate::server_process::wait_for_waiting_orders;
use crate::test_server::{TestServer, new_id, order, settings, v3};
use crate::waiting::until;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_whose_clients_have_disconnected_use_memory_until_they_are_stored() {
    let ids = [(); 4].map(|()| new_id());
    let bytes_in_flight = ids.map(|id| order(id).to_string().len()).iter().sum();
    let limits = Limits { body_bytes: bytes_in_flight, bytes_in_flight, ..settings().limits };
    let service = TestServer::with(Settings { limits, ..settings() }).await;
    let lock = service.database.lock().await;
    let mut clients = JoinSet::new();
    for id in ids {
        let client = service.client.with_own_connections();
        clients.spawn(async move { client.put(&v3(id), &[], order(id).to_string()).await });
    }
    wait_for_waiting_orders(&service.client, ids.len()).await;
    clients.shutdown().await;
    // The client that reads the metrics may have a second connection.
    until("the connections of the clients are closed", async || {
        let metrics = service.client.get("/metrics", &[]).await.body;
        [1, 2].iter().any(|count| metrics.contains(&format!("sales_order_intake_connections {count}\n")))
    })
    .await;
    wait_for_waiting_orders(&service.client, ids.len()).await;

    let id = new_id();
    let rejected = service.client.put(&v3(id), &[], order(id).to_string()).await;
    let detail = rejected.is_problem(503, "unavailable").json()["detail"].clone();
    assert_eq!(detail, "Too many bodies are being received; send the order again.");

    lock.release().await;
    until("there is memory again", async || {
        service.client.put(&v3(id), &[], order(id).to_string()).await.status == 201
    })
    .await;
}
