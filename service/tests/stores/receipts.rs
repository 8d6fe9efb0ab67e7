//! Receipt numbers after a partial restore, and orders that the database refuses.

use sales_order_intake_service::Token;
use tokio::task::JoinSet;

use crate::database::Database;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::test_server::{TestServer, new_id, order, registry, settings, v3};

/// Starts a service whose log says which orders wait.
async fn start(name: &str) -> (RegistryFile, Database, ServerProcess) {
    let (registry, database) = (RegistryFile::new(name), Database::new().await);
    let flags = ["--log", "sales_order_intake=debug"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    (registry, database, process)
}

/// Sends 32 orders to two locations while the database is locked, so that they share commits. `before` orders have
/// been sent already. Returns location and status of every response.
async fn send_together(process: &mut ServerProcess, database: &Database, before: usize) -> Vec<(u32, u16)> {
    let mut responses = JoinSet::new();
    let lock = database.lock().await;
    for number in 0..32 {
        let client = process.client.clone();
        let entity = [2301, 2302][number % 2];
        responses.spawn(async move {
            let id = new_id();
            let mut order = order(id);
            order["EntityId"] = entity.into();
            (entity, client.put(&v3(id), &[], order.to_string()).await.status)
        });
    }
    process.wait_for_waiting_orders(before + 32).await;
    lock.release().await;
    responses.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_receipt_counter_that_lags_is_raised_and_every_order_is_stored() {
    let (_registry, database, mut process) = start("lagging").await;
    if !database.is_postgres() {
        return;
    }
    send_together(&mut process, &database, 0).await;
    for (number, counter) in
        ["DELETE FROM receipts", "UPDATE receipts SET last = 1 WHERE entity = 2301"].iter().enumerate()
    {
        database.execute(counter).await;
        for (entity, status) in send_together(&mut process, &database, 32 * (number + 1)).await {
            assert_eq!(status, 201, "location {entity} after {counter}");
        }
    }
    let receipts: Vec<_> = database.orders().await.iter().map(|(_, receipt, _)| *receipt).collect();
    assert_eq!(receipts, Vec::from_iter((1..=48).chain(1..=48)));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_order_that_the_database_refuses_does_not_affect_others_of_its_commit() {
    let (_registry, database, mut process) = start("refused").await;
    database.refuse_orders_of(2302).await;
    for (entity, status) in send_together(&mut process, &database, 0).await {
        assert_eq!(status, if entity == 2302 { 500 } else { 201 }, "{entity}");
    }
    let receipts: Vec<_> = database.orders().await.iter().map(|(_, receipt, _)| *receipt).collect();
    assert_eq!(receipts, Vec::from_iter(1..=16));
    assert_eq!(process.client.get("/health/ready", &[]).await.status, 204);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_response_asks_for_the_order_again_only_if_that_can_help() {
    let service = TestServer::new().await;
    let put = async || {
        let id = new_id();
        service.client.put(&v3(id), &[], order(id).to_string()).await
    };
    service.database.execute("ALTER TABLE orders RENAME TO away").await;
    assert_eq!(put().await.is_problem(503, "unavailable").header("retry-after"), "1");
    service.database.execute("ALTER TABLE away RENAME TO orders").await;
    assert_eq!(put().await.status, 201);
    service.database.refuse_orders_of(2301).await;
    assert_eq!(put().await.is_problem(500, "internal").header("retry-after"), "");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_commit_in_postgresql_waits_until_it_is_durable_whatever_the_database_is_set_to() {
    let database = Database::new().await;
    if !database.is_postgres() {
        return;
    }
    for (setting, used) in [("off", "on"), ("local", "on"), ("remote_apply", "remote_apply")] {
        let name = database.url.rsplit('/').next().expect("a name");
        database.execute(&format!("ALTER DATABASE {name} SET synchronous_commit = {setting}")).await;
        let token = Token::new_random().expect("a random source");
        let database = Database { url: database.url.clone() };
        let registry = registry(&token);
        let service = TestServer::with_registry(settings(), &registry, &token, database).await;
        service
            .database
            .execute(
                "CREATE TABLE IF NOT EXISTS used (setting text);
                 CREATE OR REPLACE FUNCTION note() RETURNS trigger LANGUAGE plpgsql AS
                     'BEGIN INSERT INTO used VALUES (current_setting(''synchronous_commit'')); RETURN NEW; END';
                 CREATE OR REPLACE TRIGGER note BEFORE INSERT ON orders FOR EACH ROW EXECUTE FUNCTION note();
                 DELETE FROM used",
            )
            .await;
        let id = new_id();
        assert_eq!(service.client.put(&v3(id), &[], order(id).to_string()).await.status, 201);
        assert_eq!(service.database.text("SELECT setting FROM used").await, used, "{setting}");
        service.stop().await;
    }
}
