//! Hostile input gets the right response, soon and with bounded memory.

use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{TestServer, new_id, order, v3};

/// The maximum memory that a service may use, in MiB. Measured: 19 to 50.
const MAX_MEMORY: u64 = 160;

/// Returns the head of a PUT with a valid token and these headers.
fn head(registry: &RegistryFile, headers: &str) -> String {
    let (path, token) = (v3(new_id()), registry.token.reveal());
    format!(
        "PUT {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
        Content-Type: application/json\r\nAccept: application/json\r\n{headers}\r\n"
    )
}

/// Reads until the connection is closed.
async fn read_to_end(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    // A reset also ends the connection.
    if timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.is_err() {
        panic!("still open after {:?}", String::from_utf8_lossy(&bytes));
    }
    String::from_utf8(bytes).expect("UTF-8")
}

async fn assert_accepts_orders(process: &ServerProcess) {
    let (id, started) = (new_id(), Instant::now());
    assert_eq!(process.client.put(&v3(id), &[], order(id).to_string()).await.status, 201);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    if let Some(memory) = process.peak_memory() {
        assert!(memory < MAX_MEMORY, "{memory} MiB");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_slow_connections_are_closed() {
    let (registry, database) = (RegistryFile::new("slow"), Database::new().await);
    let process =
        ServerProcess::start(&registry, &database, &["--header-seconds", "1", "--body-seconds", "2"]).await;
    let head = head(&registry, "Content-Length: 1000\r\n");
    for (sent_at_once, expected) in [("", ""), ("P", ""), ("PUT /v3/Serv", ""), (head.as_str(), "408")] {
        let mut connections = JoinSet::new();
        for _ in 0..500 {
            let sent_at_once = sent_at_once.to_owned();
            connections.spawn(async move {
                let mut stream = TcpStream::connect(process.address).await.expect("a connection");
                stream.write_all(sent_at_once.as_bytes()).await.expect("sent");
                let (mut from, mut to) = stream.split();
                let drip = async {
                    // Sends a byte of the body now and then, unless the head is incomplete.
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
        sleep(Duration::from_millis(300)).await;
        assert_accepts_orders(&process).await;
        let started = Instant::now();
        let received = connections.join_all().await;
        let other =
            received.iter().find(|received| !received.is_empty() && !received.starts_with("HTTP/1.1 408"));
        assert_eq!(other, None);
        let responses = received.iter().filter(|received| !received.is_empty()).count();
        assert!(expected.is_empty() || responses == 500, "{responses} responses");
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    }
    assert_accepts_orders(&process).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_a_gigabyte_is_rejected_unread() {
    let (registry, database) = (RegistryFile::new("gigabyte"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &[]).await;
    let announced = head(&registry, "Content-Length: 1073741824\r\n");
    let chunked = head(&registry, "Transfer-Encoding: chunked\r\n");
    for head in [announced, chunked] {
        let mut stream = TcpStream::connect(process.address).await.expect("a connection");
        stream.write_all(head.as_bytes()).await.expect("sent");
        let chunk = [b"10000\r\n".as_slice(), &[b' '; 1 << 16], b"\r\n"].concat();
        let mut sent = 0_u32;
        while timeout(Duration::from_millis(1), stream.readable()).await.is_err()
            && stream.write_all(&chunk).await.is_ok()
        {
            sent += 1;
        }
        let received = read_to_end(&mut stream).await;
        assert!(received.starts_with("HTTP/1.1 413"), "{received}");
        // One MiB, and what the system buffers.
        assert!(sent < 16 * 16, "{sent} chunks of 64 KiB");
    }
    assert_accepts_orders(&process).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_sends_its_whole_body_first_still_receives_413() {
    let (registry, database) = (RegistryFile::new("eager"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &[]).await;
    let mut stream = TcpStream::connect(process.address).await.expect("a connection");
    stream.write_all(head(&registry, "Content-Length: 8388608\r\n").as_bytes()).await.expect("sent");
    for _ in 0..128 {
        stream.write_all(&[b' '; 1 << 16]).await.expect("discarded");
    }
    let received = read_to_end(&mut stream).await;
    assert!(received.starts_with("HTTP/1.1 413"), "{received}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_bodies_of_all_connections_together_use_bounded_memory() {
    let (registry, database) = (RegistryFile::new("together"), Database::new().await);
    let flags = ["--max-bytes-in-flight", "4000000", "--body-seconds", "3"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    let head = head(&registry, "Content-Length: 1000000\r\n");
    let mut connections = JoinSet::new();
    for _ in 0..200 {
        let head = head.clone();
        connections.spawn(async move {
            let mut stream = TcpStream::connect(process.address).await.expect("a connection");
            // All but the last byte, or less if the service responds earlier.
            let _ = stream.write_all(&[head.as_bytes(), &[b' '; 999_999]].concat()).await;
            read_to_end(&mut stream).await
        });
    }
    let received = connections.join_all().await;
    let with = |status: &str| received.iter().filter(|received| received.starts_with(status)).count();
    let (busy, slow) = (with("HTTP/1.1 503 "), with("HTTP/1.1 408 "));
    assert!(busy >= 196 && busy + slow == 200, "{busy} were rejected, {slow} were too slow");
    let rejected = received.iter().find(|received| received.starts_with("HTTP/1.1 503 ")).expect("one");
    assert!(rejected.contains("retry-after: 1\r\n"), "{rejected}");
    assert!(rejected.contains("urn:sales-order-intake:problem:unavailable"), "{rejected}");
    // 200 MB were sent; all memory is free again.
    assert_accepts_orders(&process).await;
    let memory = process.peak_memory();
    assert!(memory.is_none_or(|memory| memory < 60), "{memory:?} MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_items_and_a_hundred_thousand_levels_are_rejected() {
    let (registry, database) = (RegistryFile::new("large"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--max-body-bytes", "8000000"]).await;
    let id = new_id();
    let with = |member: &str, value: &str| {
        let order = order(id).to_string();
        [order.trim_end_matches('}'), "}],\"", member, "\":", value, "}"].concat().replace("}]}],", "}],")
    };
    let deep = |open: &str, close: &str| [open.repeat(100_000), close.repeat(100_000)].concat();
    let items = format!("{{\"Items\":[{}{{}}]}}", "{},".repeat(999_999));
    for (body, error) in [
        (items, "too_many_entries /Items"),
        (deep("[", "]"), "not_an_object "),
        (deep("{\"a\":", "}").replace(":}", ":0}"), "unknown_member /a"),
        ("[".repeat(100_000), "not_json "),
        (with("Frobnicate", &deep("[", "]")), "too_deep /Frobnicate"),
    ] {
        let response = process.client.put(&v3(id), &[], body).await;
        let errors = response.is_problem(400, "invalid-order").errors();
        assert!(errors.iter().any(|other| other == error), "{error}: {errors:?}");
    }
    assert_accepts_orders(&process).await;
}

#[tokio::test]
async fn invalid_utf_8_and_duplicate_members_are_rejected() {
    let service = TestServer::new().await;
    let id = new_id();
    let bad = [order(id).to_string().as_bytes(), b"\xFF\xFE"].concat();
    let response = service.client.put(&v3(id), &[], bad).await;
    assert_eq!(response.is_problem(400, "invalid-order").errors(), ["not_json "]);
    let twice = order(id).to_string().replacen("{", "{\"EntityId\":2301,", 1);
    let response = service.client.put(&v3(id), &[], twice).await;
    assert_eq!(response.is_problem(400, "invalid-order").errors(), ["duplicate_member /EntityId"]);
    assert!(service.database.orders().await.is_empty());
}

#[tokio::test]
async fn every_pipelined_request_gets_a_response() {
    let service = TestServer::new().await;
    let mut stream = TcpStream::connect(service.address).await.expect("a connection");
    let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all([request, request, last].concat().as_bytes()).await.expect("sent");
    assert_eq!(read_to_end(&mut stream).await.matches("HTTP/1.1 204 No Content").count(), 3);
}

#[tokio::test]
async fn the_token_is_checked_before_the_body_is_read() {
    let service = TestServer::new().await;
    let registry = RegistryFile::new("broken");
    let mut stream = TcpStream::connect(service.address).await.expect("a connection");
    stream.write_all(head(&registry, "Content-Length: 1000\r\n").as_bytes()).await.expect("sent");
    stream.shutdown().await.expect("closed");
    // The token is from another registry, and the body is incomplete.
    let received = read_to_end(&mut stream).await;
    assert!(received.starts_with("HTTP/1.1 401"), "{received}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_shutdown_finishes_running_requests() {
    let (registry, database) = (RegistryFile::new("stop"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--faults"]).await;
    let (id, client) = (new_id(), process.client.clone());
    let slow = tokio::spawn(async move {
        client.put(&v3(id), &[("x-fault", "latency=700")], order(id).to_string()).await
    });
    sleep(Duration::from_millis(200)).await;
    let address = process.address;
    let stopped = tokio::spawn(process.terminate());
    sleep(Duration::from_millis(200)).await;
    assert!(TcpStream::connect(address).await.is_err(), "new connections are refused");
    assert_eq!(slow.await.expect("a response").status, 201);
    stopped.await.expect("a clean exit");
    assert_eq!(database.orders().await.len(), 1);
}
