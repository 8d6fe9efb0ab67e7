//! Connections are closed when their time is over, or to make room for others.

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use super::client::Client;
use super::database::Database;
use super::holding_clients::{GET, Http2, assert_recovers, connect_to_not_read, put};
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{new_id, order, v3};
use super::upload::{Upload, read_to_end};
use super::waiting::within_limit;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_is_disconnected() {
    let (registry, database) = (RegistryFile::new("not-read"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--idle-seconds", "1"]).await;
    let files = process.open_files();
    let mut held = connect_to_not_read(process.address).await;
    let disconnected = async { while held.write_all(GET.as_bytes()).await.is_ok() {} };
    within_limit("the service to close the connection", disconnected).await;
    assert_recovers(&process, files).await;
    drop(held);
    // Over HTTP/2, a client can also refuse a response by its window.
    let (refusing, body) = Http2::connect(process.address, 0, "/openapi.json").await;
    refusing.closed().await;
    drop(body);
    assert_recovers(&process, files).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_is_closed() {
    let (registry, database) = (RegistryFile::new("idle"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--idle-seconds", "1"]).await;
    let http_1 = async {
        let mut stream = TcpStream::connect(process.address).await.expect("a connection");
        stream.write_all(GET.as_bytes()).await.expect("sent");
        let response = read_to_end(&mut stream).await;
        assert!(response.starts_with("HTTP/1.1 200 "), "{response}");
    };
    let http_2 = async {
        let (idle, response) = Http2::connect(process.address, 65_535, "/health/live").await;
        drop(response.expect("a response"));
        idle.closed().await;
    };
    tokio::join!(http_1, http_2);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_with_a_token_make_room() {
    let (registry, database) = (RegistryFile::new("idle-room"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--max-connections", "4"]).await;
    let mut orders = JoinSet::new();
    for _ in 0..4 {
        let client = Client::new(process.address, registry.token.reveal());
        orders.spawn(async move {
            let id = new_id();
            let response = client.put(&v3(id), &[], order(id).to_string()).await;
            // Returns the client too, so that its connection stays open.
            (client, response.status)
        });
    }
    let idle = orders.join_all().await;
    assert!(idle.iter().all(|(_, status)| *status == 201));
    put(&process, &registry).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn running_requests_are_not_closed_to_make_room() {
    let (registry, database) = (RegistryFile::new("no-room"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--max-connections", "4"]).await;
    let mut uploads = Vec::new();
    for _ in 0..4 {
        uploads.push(Upload::start(process.address, &registry, new_id()).await);
    }
    let (sent, first) = (put(&process, &registry), uploads.remove(0));
    // The fifth connection is admitted as soon as the first has its response; the others are still open then.
    let ((), response) = tokio::join!(sent, first.finish());
    assert!(response.starts_with("HTTP/1.1 201 "), "{response}");
    for upload in uploads {
        let response = upload.finish().await;
        assert!(response.starts_with("HTTP/1.1 201 "), "{response}");
    }
}
