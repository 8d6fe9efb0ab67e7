//! A shutdown finishes what is running, ends after its grace period, whatever happens, and logs what it could
//! not finish.

use tokio::net::TcpStream;

use crate::database::Database;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::test_server::{new_id, order, v3};
use crate::upload::Upload;
use crate::waiting::until;

const STOPPED_EARLY: &str = "stopped before these were finished";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_finishes_running_requests() {
    let (registry, database) = (RegistryFile::new("stop"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &[]).await;
    let upload = Upload::start(process.address, &registry, new_id()).await;
    process.signal("TERM").await;
    until("new connections are refused", async || TcpStream::connect(process.address).await.is_err()).await;
    let response = upload.finish().await;
    assert!(response.starts_with("HTTP/1.1 201 "), "{response}");
    let (success, log) = process.wait().await;
    assert!(success, "{log}");
    assert_eq!(database.orders().await.len(), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_does_not_delay_the_end_of_a_shutdown() {
    let (registry, database) = (RegistryFile::new("stop-locked"), Database::new().await);
    let flags = ["--grace-seconds", "1", "--log", "sales_order_intake=debug"];
    let mut process = ServerProcess::start(&registry, &database, &flags).await;
    let lock = database.lock().await;
    let ids = [new_id(), new_id()];
    let sent = ids.map(|id| {
        let client = process.client.clone();
        tokio::spawn(async move { client.try_put(&v3(id), &[], order(id).to_string()).await.map(|_| ()) })
    });
    process.wait_for_waiting_orders(2).await;
    // It ends although the lock is not released.
    let log = process.terminate().await;
    for logged in [STOPPED_EARLY, "the database did not finish in time"] {
        assert!(log.contains(logged), "{logged}: {log}");
    }
    for id in ids {
        let ended = |line: &&str| line.contains("ended without a response") && line.contains(&id.to_string());
        assert_eq!(log.lines().filter(ended).count(), 1, "{id}: {log}");
    }
    for sent in sent {
        assert!(sent.await.expect("no panic").is_err(), "a response, but the database is locked");
    }
    lock.release().await;
    // Sending them again stores each exactly once.
    let process = ServerProcess::start(&registry, &database, &[]).await;
    for id in ids {
        let response = process.client.put(&v3(id), &[], order(id).to_string()).await;
        assert!([200, 201].contains(&response.status), "{}", response.body);
    }
    process.terminate().await;
    assert_eq!(database.orders().await.len(), 2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_request_that_takes_longer_than_the_grace_period_is_logged() {
    let (registry, database) = (RegistryFile::new("stop-slow"), Database::new().await);
    let flags = ["--grace-seconds", "1", "--log", "warn"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    let id = new_id();
    let upload = Upload::start(process.address, &registry, id).await;
    // It ends although the body is not complete.
    let log = process.terminate().await;
    assert!(log.contains(&id.to_string()) && log.contains(STOPPED_EARLY), "{log}");
    assert_eq!(upload.finish().await, "");
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
