//! Killed at random moments under load: what was acknowledged is there and whole, nothing is there twice.

use std::collections::BTreeMap;
use std::time::Duration;

use sales_order_intake::Guid;
use tokio::task::JoinSet;

use super::client::Client;
use super::database::Database;
use super::process::{Process, RegistryFile};
use super::running::{new_id, order, v3};

/// Sends orders until the service is gone; gives those that were acknowledged, and the one whose fate is unknown.
async fn send_until_killed(client: Client) -> (Vec<(Guid, String)>, Guid) {
    let mut acknowledged = Vec::new();
    loop {
        let id = new_id();
        match client.try_put(&v3(id), &[], order(id).to_string()).await {
            Ok(answer) => {
                assert_eq!(answer.status, 201, "{}", answer.body);
                acknowledged.push((id, answer.body));
            }
            Err(_) => return (acknowledged, id),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_a_kill() {
    let rounds = std::env::var("KILLS").map_or(20, |kills| kills.parse().expect("a number of kills"));
    let (registry, database) = (RegistryFile::new("crash"), Database::new().await);
    let mut acknowledged = BTreeMap::new();
    let mut unknown = Vec::new();
    for _ in 0..rounds {
        let process = Process::start(&registry, &database, &[]).await;
        let mut clients = JoinSet::new();
        for _ in 0..16 {
            clients.spawn(send_until_killed(process.client.clone()));
        }
        // An id is random already.
        let millis = 20 + u64::from(new_id().as_uuid().as_bytes()[0]);
        tokio::time::sleep(Duration::from_millis(millis)).await;
        process.kill().await;
        for (more, last) in clients.join_all().await {
            acknowledged.extend(more);
            unknown.push(last);
        }
    }
    // Sent again, an order whose fate was unknown is there once, whatever became of it (D28).
    let process = Process::start(&registry, &database, &[]).await;
    for id in unknown {
        let answer = process.client.put(&v3(id), &[], order(id).to_string()).await;
        assert!([200, 201].contains(&answer.status), "{}", answer.body);
        acknowledged.insert(id, answer.body);
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
    assert!(acknowledged.len() > rounds * 16 * 2, "only {} orders in {rounds} rounds", acknowledged.len());
}
