//! Kills the service, or its connections to the database, at random moments under load: acknowledged orders
//! are stored completely, and no order twice.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use sales_order_intake::Guid;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::client::Client;
use crate::database::Database;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::test_server::{TestServer, new_id, order, v3};
use crate::waiting::{until, within_limit};

/// Sends orders until the service is killed, and adds a permit for every response. Returns the acknowledged
/// orders, and the id of the one without a response.
async fn send_until_killed(client: Client, responses: Arc<Semaphore>) -> (Vec<(Guid, String)>, Guid) {
    let mut acknowledged = Vec::new();
    loop {
        let id = new_id();
        match client.try_put(&v3(id), &[], order(id).to_string()).await {
            Ok(response) => {
                assert_eq!(response.status, 201, "{}", response.body);
                acknowledged.push((id, response.body));
                responses.add_permits(1);
            }
            Err(_) => return (acknowledged, id),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_orders_survive_a_kill() {
    let rounds = std::env::var("KILLS").map_or(20, |kills| kills.parse().expect("a number of kills"));
    let (registry, database) = (RegistryFile::new("crash"), Database::new().await);
    let mut acknowledged = BTreeMap::new();
    let (mut unknown, mut least) = (Vec::new(), 0);
    for _ in 0..rounds {
        let process = ServerProcess::start(&registry, &database, &[]).await;
        let mut clients = JoinSet::new();
        let responses = Arc::new(Semaphore::new(0));
        for _ in 0..16 {
            clients.spawn(send_until_killed(process.client.clone(), Arc::clone(&responses)));
        }
        // The first byte of an id is random.
        let count = 1 + u32::from(new_id().as_uuid().as_bytes()[0]);
        within_limit("responses", responses.acquire_many(count)).await.expect("open").forget();
        least += usize::try_from(count).expect("a few");
        process.kill().await;
        for (more, last) in clients.join_all().await {
            acknowledged.extend(more);
            unknown.push(last);
        }
    }
    // After sending it again, an order without a response is stored exactly once (D28).
    let process = ServerProcess::start(&registry, &database, &[]).await;
    for id in unknown {
        let response = process.client.put(&v3(id), &[], order(id).to_string()).await;
        assert!([200, 201].contains(&response.status), "{}", response.body);
        acknowledged.insert(id, response.body);
    }
    process.terminate().await;
    let orders = database.orders().await;
    let receipts: Vec<_> = orders.iter().map(|(_, receipt, _)| *receipt).collect();
    assert_eq!(receipts, Vec::from_iter(1..=i64::try_from(orders.len()).expect("a few")));
    let stored: BTreeMap<_, _> = orders.iter().map(|(id, _, body)| (id.as_slice(), body)).collect();
    for (id, body) in &acknowledged {
        assert_eq!(stored.get(id.as_uuid().as_bytes().as_slice()), Some(&body), "{id}");
    }
    assert_eq!(stored.len(), acknowledged.len());
    assert!(acknowledged.len() >= least, "{} of {least}", acknowledged.len());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_stored_once_although_postgresql_closes_connections() {
    let service = TestServer::new().await;
    if !service.database.is_postgres() {
        return;
    }
    let (mut senders, done) = (JoinSet::new(), Arc::new(AtomicBool::new(false)));
    let responses = Arc::new(Semaphore::new(0));
    for _ in 0..8 {
        let (client, done, responses) = (service.client.clone(), Arc::clone(&done), Arc::clone(&responses));
        senders.spawn(async move {
            let (mut stored, mut unavailable) = (BTreeMap::new(), 0);
            while !done.load(Ordering::Relaxed) {
                let id = new_id();
                let body = loop {
                    let response = client.put(&v3(id), &[], order(id).to_string()).await;
                    match response.status {
                        200 | 201 => break response.body,
                        status => assert_eq!(status, 503, "{}", response.body),
                    }
                    unavailable += 1;
                };
                stored.insert(id.as_uuid().as_bytes().to_vec(), body);
                responses.add_permits(1);
            }
            (stored, unavailable)
        });
    }
    let (mut expected, mut unavailable) = (BTreeMap::new(), 0);
    let close = async |which: &str| {
        let select = format!(
            "SELECT count(pg_terminate_backend(pid))::text FROM pg_stat_activity
             WHERE datname = current_database() AND application_name = 'sales-order-intake' {which}"
        );
        service.database.text(&select).await
    };
    for _ in 0..20 {
        // At any moment.
        close("").await;
        within_limit("orders to be stored", responses.acquire_many(8)).await.expect("open").forget();
    }
    // During a commit.
    let lock = service.database.lock().await;
    until("a commit waits for the lock", async || close("AND wait_event_type = 'Lock'").await != "0").await;
    lock.release().await;
    done.store(true, Ordering::Relaxed);
    for (stored, count) in senders.join_all().await {
        expected.extend(stored);
        unavailable += count;
    }
    assert!(unavailable > 0, "no connection was closed during a commit");
    let orders = service.database.orders().await;
    let receipts: Vec<_> = orders.iter().map(|(_, receipt, _)| *receipt).collect();
    assert_eq!(receipts, Vec::from_iter(1..=i64::try_from(expected.len()).expect("a few")));
    let stored: BTreeMap<_, _> = orders.into_iter().map(|(id, _, body)| (id, body)).collect();
    assert_eq!(stored, expected);
}
