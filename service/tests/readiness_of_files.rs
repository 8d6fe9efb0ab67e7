//! `/health/ready` and orders if the file of SQLite is full, deleted, replaced, or not a file.

use tokio::process::Command;

use super::database::Database;
use super::server_process::{BINARY, RegistryFile, ServerProcess};
use super::stores::readiness::{put, readiness, wait_until_ready};
use super::test_server::{new_id, order, registry, v3};
use super::waiting::within_limit;

/// Limits the size of the files that the process writes, which fails its writes like a full disk.
#[cfg(target_os = "linux")]
async fn limit_file_size(process: &ServerProcess, limit: &str) {
    let (pid, limit) = (process.id().to_string(), format!("--fsize={limit}:unlimited"));
    let status = Command::new("prlimit").args(["--pid", &pid, &limit]).status().await;
    assert!(status.expect("prlimit").success());
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_disk_is_not_ready_until_there_is_space() {
    let (registry, database) = (RegistryFile::new("full"), Database::sqlite());
    let script = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let process = ServerProcess::start_by(script, &registry, &database, &[]).await;
    assert_eq!(put(&process).await, 201);
    limit_file_size(&process, "1").await;
    assert_eq!((put(&process).await, readiness(&process).await), (503, 503));
    limit_file_size(&process, "unlimited").await;
    wait_until_ready(&process).await;
    assert_eq!(put(&process).await, 201);
    process.terminate().await;
    assert_eq!(database.orders().await.len(), 2);
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_disk_with_less_space_than_an_order_needs_is_not_ready() {
    let (registry, database) = (RegistryFile::new("almost-full"), Database::sqlite());
    let script = "trap '' XFSZ; exec \"$0\" \"$@\"";
    let process = ServerProcess::start_by(script, &registry, &database, &[]).await;
    assert_eq!(put(&process).await, 201);
    let log = format!("{}-wal", database.file().expect("SQLite"));
    let length = std::fs::metadata(&log).expect("a log").len();
    // Space for one page with its header; an order changes several.
    limit_file_size(&process, &(length + 5000).to_string()).await;
    assert_eq!(readiness(&process).await, 503);
    limit_file_size(&process, "unlimited").await;
    wait_until_ready(&process).await;
    process.terminate().await;
    assert_eq!(database.orders().await.len(), 1);
}

/// Tries to start the demo on this database. Returns whether it ended with success, and its standard error.
pub(crate) async fn start_on(url: &str) -> (bool, String) {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--demo", "--listen", "127.0.0.1:0", "--database", url]).kill_on_drop(true);
    let output = within_limit("the service not to start", command.output()).await.expect("the program runs");
    (output.status.success(), String::from_utf8(output.stderr).expect("UTF-8"))
}

#[tokio::test]
async fn a_database_that_is_not_on_disk_is_rejected() {
    for url in [
        "sqlite::memory:",
        "sqlite:",
        "sqlite:orders.sqlite?mode=memory",
        "sqlite:orders.sqlite?mode=memory&cache=shared",
        "sqlite:/orders.sqlite?vfs=memdb",
    ] {
        let (success, error) = start_on(url).await;
        assert!(!success && error.contains("orders would be lost in a crash"), "{url}: {error}");
    }
}

#[tokio::test]
async fn a_database_that_cannot_be_written_is_rejected() {
    let (registry, database) = (RegistryFile::new("read-only-file"), Database::sqlite());
    ServerProcess::start(&registry, &database, &[]).await.terminate().await;
    let (success, error) = start_on(&format!("{}?mode=ro", database.url)).await;
    assert!(!success && error.contains("SQLite: attempt to write a readonly database"), "{error}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_order_is_acknowledged_after_the_database_file_is_deleted_or_replaced() {
    type Change = fn(&str);
    let changes: [(&str, Change); 3] = [
        ("deleted", |file| std::fs::remove_file(file).expect("deleted")),
        ("replaced", |file| {
            std::fs::copy(file, format!("{file}-copy")).expect("copied");
            std::fs::rename(format!("{file}-copy"), file).expect("replaced");
        }),
        ("without-log", |file| std::fs::remove_file(format!("{file}-wal")).expect("deleted")),
    ];
    for (name, change) in changes {
        let (registry, database) = (RegistryFile::new(name), Database::sqlite());
        let file = database.file().expect("SQLite");
        let process = ServerProcess::start(&registry, &database, &[]).await;
        assert_eq!(put(&process).await, 201, "{name}");
        change(file);
        // Also after the failure.
        for _ in 0..3 {
            assert_eq!(put(&process).await, 503, "{name}");
        }
        assert_eq!(readiness(&process).await, 503, "{name}");
        let log = process.terminate().await;
        assert!(log.contains("deleted or replaced"), "{log}");
    }
}

// An order that the registry does not allow any more is only looked up, because it may be stored (D28).
#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_order_is_found_in_a_deleted_database_file() {
    let (registry_file, database) = (RegistryFile::new("find-deleted"), Database::sqlite());
    let id = new_id();
    let put =
        async |process: &ServerProcess| process.client.put(&v3(id), &[], order(id).to_string()).await.status;
    let process = ServerProcess::start(&registry_file, &database, &[]).await;
    assert_eq!(put(&process).await, 201);
    process.terminate().await;
    let now = registry(&registry_file.token).replacen("Exclusive", "Inclusive", 1);
    std::fs::write(registry_file.path(), now).expect("written");
    let process = ServerProcess::start(&registry_file, &database, &[]).await;
    assert_eq!(put(&process).await, 200);
    std::fs::remove_file(database.file().expect("SQLite")).expect("deleted");
    assert_eq!(put(&process).await, 503);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_file_that_comes_back_is_used_again() {
    let (registry, database) = (RegistryFile::new("comes-back"), Database::sqlite());
    let file = database.file().expect("SQLite");
    let process = ServerProcess::start(&registry, &database, &[]).await;
    let elsewhere = format!("{file}-elsewhere");
    std::fs::rename(file, &elsewhere).expect("moved");
    assert_eq!(put(&process).await, 503);
    std::fs::rename(&elsewhere, file).expect("moved");
    assert_eq!(put(&process).await, 201);
    wait_until_ready(&process).await;
}
