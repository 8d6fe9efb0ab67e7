//! Clients that hold as many connections as they can, longer than any limit of time, cannot keep others out.

use std::net::SocketAddr;

use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::database::Database;
use crate::holding_clients::{Http2, assert_recovers, put, request_without_reading};
use crate::server_process::{RegistryFile, ServerProcess};

/// Holds all 256 connections that a service allows, and then more, while orders are sent over new ones.
async fn attack<F: Future<Output: Send> + Send + 'static>(name: &str, hold: impl Fn(SocketAddr) -> F) {
    let (registry, database) = (RegistryFile::new(name), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--max-connections", "256"]).await;
    put(&process, &registry).await;
    let files = process.open_files();
    let hold = |count: usize| (0..count).map(|_| hold(process.address)).collect::<JoinSet<_>>().join_all();
    let mut held = hold(256).await;
    for _ in 0..3 {
        held.extend(hold(16).await);
        // The limits of time are longer than the test waits: there is room only if the service makes it.
        put(&process, &registry).await;
    }
    drop(held);
    assert_recovers(&process, files).await;
    process.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_never_read_do_not_keep_others_out() {
    attack("never-read", request_without_reading).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_2_clients_that_only_respond_to_pings_do_not_keep_others_out() {
    attack("only-pings", |address| async move { Http2::connect(address, 65_535, "/health/live").await.0 })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_send_nothing_do_not_keep_others_out() {
    attack("nothing", |address| async move { TcpStream::connect(address).await.expect("a connection") })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_without_file_descriptors_closes_connections_that_send_nothing() {
    let (registry, database) = (RegistryFile::new("descriptors"), Database::new().await);
    let script = "ulimit -n 100; exec \"$0\" \"$@\"";
    let process = ServerProcess::start_by(script, &registry, &database, &[]).await;
    let mut held = Vec::new();
    for _ in 0..200 {
        held.push(TcpStream::connect(process.address).await.expect("a connection"));
    }
    put(&process, &registry).await;
}
