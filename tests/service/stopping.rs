//! A shutdown ends within its grace period, whatever happens, and logs what it could not finish.

use std::time::{Duration, Instant};

use tokio::task::JoinHandle;

use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{new_id, order, v3};
use sales_order_intake::Guid;

/// Sends an order that gets no response in time.
fn send(process: &ServerProcess, fault: &'static str) -> (Guid, JoinHandle<()>) {
    let (id, client) = (new_id(), process.client.clone());
    let sent = tokio::spawn(async move {
        let response = client.try_put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
        assert!(response.is_err(), "{:?}", response.map(|response| response.status));
    });
    (id, sent)
}

/// Waits until the service handles this number of requests, so that they are running when it stops.
async fn wait_for_requests(process: &ServerProcess, count: usize) {
    let started = Instant::now();
    let line = format!("sales_order_intake_connections {}\n", count + 1);
    while !process.client.get("/metrics", &[]).await.body.contains(&line) {
        assert!(started.elapsed() < Duration::from_secs(10), "no requests");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // From the connection to the commit.
    tokio::time::sleep(Duration::from_millis(300)).await;
}

async fn assert_stops_within_its_grace_period(process: ServerProcess, unfinished: &[Guid]) {
    let started = Instant::now();
    let log = process.terminate().await;
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
    for id in unfinished {
        assert!(log.contains(&id.to_string()), "{id}: {log}");
    }
    assert!(log.contains("stopped before these were finished"), "{log}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_does_not_delay_the_end_of_a_shutdown() {
    let (registry, database) = (RegistryFile::new("stop-locked"), Database::new().await);
    let flags = ["--grace-seconds", "2", "--log", "warn"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    let lock = database.lock().await;
    let (one, two) = (send(&process, ""), send(&process, ""));
    wait_for_requests(&process, 2).await;
    assert_stops_within_its_grace_period(process, &[one.0, two.0]).await;
    one.1.await.expect("no response");
    two.1.await.expect("no response");
    lock.release().await;
    // Sending them again stores each exactly once.
    let process = ServerProcess::start(&registry, &database, &[]).await;
    for id in [one.0, two.0] {
        let response = process.client.put(&v3(id), &[], order(id).to_string()).await;
        assert!([200, 201].contains(&response.status), "{}", response.body);
    }
    process.terminate().await;
    assert_eq!(database.orders().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_takes_longer_than_the_grace_period_is_logged() {
    let (registry, database) = (RegistryFile::new("stop-slow"), Database::new().await);
    let flags = ["--grace-seconds", "1", "--log", "warn", "--faults"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    let (id, sent) = send(&process, "latency=60000");
    wait_for_requests(&process, 1).await;
    assert_stops_within_its_grace_period(process, &[id]).await;
    sent.await.expect("no response");
    assert!(database.orders().await.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_of_the_thread_that_commits_ends_the_process() {
    let (registry, database) = (RegistryFile::new("panic"), Database::new().await);
    let script = "SALES_ORDER_INTAKE_TEST_PANIC=1 exec \"$0\" \"$@\"";
    let process = ServerProcess::start_by(script, &registry, &database, &[]).await;
    let id = new_id();
    // Whether the response arrives before the process ends does not matter.
    if let Ok(response) = process.client.try_put(&v3(id), &[], order(id).to_string()).await {
        assert_eq!(response.status, 503, "{}", response.body);
    }
    let (success, log) = process.wait().await;
    assert!(!success);
    assert!(log.contains("the thread that commits orders has panicked"), "{log}");
}
