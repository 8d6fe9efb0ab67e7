//! Hundreds of connections that send too slowly, or too much together.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::database::Database;
use crate::hostile_input::{assert_accepts_orders, head};
use crate::server_process::{RegistryFile, ServerProcess};
use crate::upload::read_to_end;
use crate::waiting::within_limit;

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
    let received = received_by_slow(&process, &registry, 250, &["", "P", "PUT /v3/Serv"]).await;
    let other =
        received.iter().find(|received| !received.is_empty() && !received.starts_with("HTTP/1.1 408"));
    assert_eq!(other, None);
    assert_accepts_orders(&process, &registry).await;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bodies_of_all_connections_together_use_bounded_memory() {
    let (registry, database) = (RegistryFile::new("together"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--max-bytes-in-flight", "4000000"]).await;
    let head = head(&registry, "Content-Length: 1000000\r\nConnection: close\r\n");
    let go_on = Arc::new(Semaphore::new(0));
    let mut connections = JoinSet::new();
    for _ in 0..200 {
        let (head, go_on) = (head.clone(), Arc::clone(&go_on));
        connections.spawn(async move {
            let mut stream = TcpStream::connect(process.address).await.expect("a connection");
            // All but the last byte, or less if the service responds earlier.
            let _ = stream.write_all(&[head.as_bytes(), &[b' '; 999_999]].concat()).await;
            let (mut from, mut to) = stream.split();
            let last_byte = async {
                let _permit = go_on.acquire().await;
                let _ = to.write_all(b" ").await;
                std::future::pending::<()>().await;
            };
            tokio::select! {
                received = read_to_end(&mut from) => received,
                () = last_byte => String::new(),
            }
        });
    }
    // There is memory for four bodies, and none of them is complete.
    for _ in 0..196 {
        let rejected = within_limit("a response to a body without memory", connections.join_next()).await;
        let rejected = rejected.expect("200 connections").expect("no panic");
        assert!(rejected.starts_with("HTTP/1.1 503 "), "{rejected}");
        assert!(rejected.contains("retry-after: 1\r\n"), "{rejected}");
        assert!(rejected.contains("urn:sales-order-intake:problem:unavailable"), "{rejected}");
    }
    go_on.add_permits(4);
    let received = connections.join_all().await;
    let with = |status: &str| received.iter().filter(|received| received.starts_with(status)).count();
    let (busy, complete) = (with("HTTP/1.1 503 "), with("HTTP/1.1 400 "));
    assert!(complete > 0 && busy + complete == 4, "{received:?}");
    // 200 MB were sent; all memory is free again.
    assert_accepts_orders(&process, &registry).await;
    let memory = process.peak_memory();
    assert!(memory.is_none_or(|memory| memory < 60), "{memory:?} MiB");
}
