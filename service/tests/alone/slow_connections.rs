//! Hundreds of connections that send too slowly.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::database::Database;
use crate::hostile_input::{assert_accepts_orders, head};
use crate::server_process::{RegistryFile, ServerProcess};
use crate::upload::read_to_end;

/// Opens connections that send this at once, and then a byte now and then if it is a whole head. Waits until
/// the service closes them, and sends an order meanwhile. Returns what each has received.
async fn received_by_slow(
    process: &ServerProcess,
    registry: &RegistryFile,
    count: usize,
    sent_at_once: &[&str],
) -> Vec<String> {
    let mut connections = JoinSet::new();
    for sent_at_once in sent_at_once.iter().cycle().take(count) {
        let (address, sent_at_once) = (process.address, (*sent_at_once).to_owned());
        connections.spawn(async move {
            let mut stream = TcpStream::connect(address).await.expect("a connection");
            // Fails if the connection is closed already.
            let _ = stream.write_all(sent_at_once.as_bytes()).await;
            let (mut from, mut to) = stream.split();
            let drip = async {
                while sent_at_once.ends_with("\r\n\r\n") && to.write_all(b" ").await.is_ok() {
                    sleep(Duration::from_millis(300)).await;
                }
                std::future::pending::<()>().await;
            };
            tokio::select! {
                received = read_to_end(&mut from) => received,
                () = drip => String::new(),
            }
        });
    }
    assert_accepts_orders(process, registry).await;
    connections.join_all().await
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_and_fifty_connections_without_a_whole_head_are_closed() {
    let (registry, database) = (RegistryFile::new("slow-head"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--header-seconds", "1"]).await;
    let received = received_by_slow(&process, &registry, 250, &["", "PUT /v3/Serv"]).await;
    let other =
        received.iter().find(|received| !received.is_empty() && !received.starts_with("HTTP/1.1 408"));
    assert_eq!(other, None);
    assert_accepts_orders(&process, &registry).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_connection_is_closed_if_no_other_request_follows() {
    let (registry, database) = (RegistryFile::new("idle"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--header-seconds", "1"]).await;
    let mut stream = TcpStream::connect(process.address).await.expect("a connection");
    stream.write_all(b"GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n").await.expect("sent");
    let received = read_to_end(&mut stream).await;
    assert!(received.starts_with("HTTP/1.1 200 "), "{received}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_and_fifty_connections_with_a_slow_body_get_a_response() {
    let (registry, database) = (RegistryFile::new("slow-body"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--body-seconds", "1"]).await;
    let received =
        received_by_slow(&process, &registry, 250, &[&head(&registry, "Content-Length: 1000\r\n")]).await;
    assert_eq!(received.iter().find(|received| !received.starts_with("HTTP/1.1 408")), None);
    assert_accepts_orders(&process, &registry).await;
}
