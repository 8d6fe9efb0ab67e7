//! `/health/ready` reports whether orders can be stored; a database that would lose them is rejected.

use tokio::task::JoinSet;

use crate::database::Database;
use crate::database_proxy::DatabaseProxy;
use crate::readiness_of_files::start_on;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::test_server::{new_id, order, v3};
use crate::waiting::until;

/// Returns the status of `/health/ready`.
pub(crate) async fn readiness(process: &ServerProcess) -> u16 {
    process.client.get("/health/ready", &[]).await.status
}

pub(crate) async fn wait_until_ready(process: &ServerProcess) {
    until("the service is ready", async || readiness(process).await == 204).await;
}

/// Sends an order. Returns the status of the response.
pub(crate) async fn put(process: &ServerProcess) -> u16 {
    let id = new_id();
    process.client.put(&v3(id), &[], order(id).to_string()).await.status
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_locked_database_is_not_ready_until_it_is_released() {
    let (registry, database) = (RegistryFile::new("locked"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &[]).await;
    let lock = database.lock().await;
    let mut checks = JoinSet::new();
    for _ in 0..20 {
        let client = process.client.clone();
        checks.spawn(async move { client.get("/health/ready", &[]).await.status });
    }
    // They get a response although the lock is not released.
    assert_eq!(checks.join_all().await, [503; 20]);
    assert_eq!(process.client.get("/health/live", &[]).await.status, 204);
    lock.release().await;
    wait_until_ready(&process).await;
    assert_eq!(put(&process).await, 201);
}

#[tokio::test]
async fn unlogged_tables_are_rejected() {
    let (registry, database) = (RegistryFile::new("unlogged"), Database::new().await);
    if !database.is_postgres() {
        return;
    }
    ServerProcess::start(&registry, &database, &[]).await.terminate().await;
    database.execute("ALTER TABLE orders SET UNLOGGED").await;
    let (success, error) = start_on(&database.url).await;
    assert!(!success && error.contains("orders would be lost in a crash"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_read_only_database_is_not_ready() {
    let (registry, database) = (RegistryFile::new("read-only"), Database::new().await);
    if !database.is_postgres() {
        return;
    }
    let mut process = ServerProcess::start(&registry, &database, &[]).await;
    database
        .execute(
            "DO $$ BEGIN
                 EXECUTE format('ALTER DATABASE %I SET default_transaction_read_only = on', current_database());
                 PERFORM pg_terminate_backend(pid) FROM pg_stat_activity
                     WHERE datname = current_database() AND pid <> pg_backend_pid();
             END $$",
        )
        .await;
    assert_eq!(readiness(&process).await, 503);
    // The first orders may still notice the closed connections.
    process
        .do_until_log("read-only transaction", async |client| {
            let id = new_id();
            assert_eq!(client.put(&v3(id), &[], order(id).to_string()).await.status, 503);
        })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_restarted_database_server_is_not_ready_while_it_is_down() {
    let (registry, database) = (RegistryFile::new("restarted"), Database::new().await);
    if !database.is_postgres() {
        return;
    }
    let (user, rest) = database.url.split_once('@').expect("postgres://user@host:port/database");
    let (server, name) = rest.split_once('/').expect("a database");
    let (proxy, address) = DatabaseProxy::start(None, server).await;
    let through_proxy = Database { url: format!("{user}@{address}/{name}") };
    let process = ServerProcess::start(&registry, &through_proxy, &[]).await;
    assert_eq!(put(&process).await, 201);
    proxy.stop().await;
    assert_eq!((readiness(&process).await, put(&process).await), (503, 503));
    let _proxy = DatabaseProxy::start(Some(address), server).await;
    wait_until_ready(&process).await;
    assert_eq!(put(&process).await, 201);
}
