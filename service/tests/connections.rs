//! Connections are closed when their time is over, or to make room for others.

use std::net::SocketAddr;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
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
    let process = ServerProcess::start(&registry, &database, &["--write-seconds", "1"]).await;
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
    let metrics = process.client.get("/metrics", &[]).await.body;
    assert!(
        metrics.contains(r#"sales_order_intake_connections_closed_total{reason="not_read"} 2"#),
        "{metrics}"
    );
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
    let metrics = process.client.get("/metrics", &[]).await.body;
    assert!(metrics.contains(r#"sales_order_intake_connections_closed_total{reason="idle"} 2"#), "{metrics}");
}

/// Connects from another address of this machine.
#[cfg(target_os = "linux")]
async fn connect_from(local: &str, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(format!("{local}:0").parse().expect("an address")).expect("bound");
    socket.connect(to).await.expect("a connection")
}

/// Sends a request over a connection that stays open. Returns false if the connection has been closed.
#[cfg(target_os = "linux")]
async fn is_open(stream: &mut TcpStream, request: &str) -> bool {
    let mut buffer = [0; 4096];
    if stream.write_all(request.as_bytes()).await.is_err() {
        return false;
    }
    stream.read(&mut buffer).await.is_ok_and(|read| read > 0)
}

// Other systems have only one address for the machine itself.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_can_hold_only_its_share() {
    const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let (registry, database) = (RegistryFile::new("address"), Database::new().await);
    // Half of them for one address.
    let process = ServerProcess::start(&registry, &database, &["--max-connections", "8"]).await;
    let with_token = format!(
        "PUT {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
        Content-Type: application/json\r\nContent-Length: 0\r\n\r\n",
        v3(new_id()),
        registry.token.reveal()
    );
    let mut authenticated = connect_from("127.0.0.2", process.address).await;
    assert!(is_open(&mut authenticated, &with_token).await);
    let mut other = connect_from("127.0.0.3", process.address).await;
    assert!(is_open(&mut other, LIVE).await);
    let mut many = Vec::new();
    for _ in 0..10 {
        let mut stream = connect_from("127.0.0.2", process.address).await;
        assert!(is_open(&mut stream, LIVE).await);
        many.push(stream);
    }
    let mut open = 0;
    for mut stream in many {
        open += u32::from(is_open(&mut stream, LIVE).await);
    }
    assert_eq!(open, 3, "three of the four are without a token");
    assert!(is_open(&mut authenticated, &with_token).await);
    assert!(is_open(&mut other, LIVE).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_with_a_token_make_room() {
    let (registry, database) = (RegistryFile::new("idle-room"), Database::new().await);
    let flags = ["--max-connections", "4", "--max-connections-per-address", "4"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
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
    let flags = ["--max-connections", "4", "--max-connections-per-address", "4"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
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
