//! What nobody should send: the right answer, soon, with memory that stays bounded.

use std::time::{Duration, Instant};

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::database::Database;
use super::process::{Process, RegistryFile};
use super::running::{Running, new_id, order, v3};

/// What a service may take that has seen all of this, in MiB; it was 19 to 50 when this was written.
const MOST_MEMORY: u64 = 160;

/// The head of a PUT with a valid token, and whatever headers follow.
fn head(registry: &RegistryFile, headers: &str) -> String {
    let (path, token) = (v3(new_id()), registry.token.reveal());
    format!(
        "PUT {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
        Content-Type: application/json\r\nAccept: application/json\r\n{headers}\r\n"
    )
}

/// Everything that comes until the connection ends.
async fn rest(stream: &mut (impl AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    // A reset ends it too.
    if timeout(Duration::from_secs(20), stream.read_to_end(&mut bytes)).await.is_err() {
        panic!("no end after {:?}", String::from_utf8_lossy(&bytes));
    }
    String::from_utf8(bytes).expect("UTF-8")
}

async fn still_takes_orders(process: &Process) {
    let (id, started) = (new_id(), Instant::now());
    assert_eq!(process.client.put(&v3(id), &[], order(id).to_string()).await.status, 201);
    assert!(started.elapsed() < Duration::from_secs(2), "{:?}", started.elapsed());
    if let Some(memory) = process.peak_memory() {
        assert!(memory < MOST_MEMORY, "{memory} MiB");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn five_hundred_slow_connections_are_told_to_go() {
    let (registry, database) = (RegistryFile::new("slow"), Database::new().await);
    let process =
        Process::start(&registry, &database, &["--header-seconds", "1", "--body-seconds", "2"]).await;
    let head = head(&registry, "Content-Length: 1000\r\n");
    for (sent_at_once, answer) in [("", ""), ("P", ""), ("PUT /v3/Serv", ""), (head.as_str(), "408")] {
        let mut connections = JoinSet::new();
        for _ in 0..500 {
            let sent_at_once = sent_at_once.to_owned();
            connections.spawn(async move {
                let mut stream = TcpStream::connect(process.address).await.expect("a connection");
                stream.write_all(sent_at_once.as_bytes()).await.expect("sent");
                let (mut from, mut to) = stream.split();
                let drip = async {
                    // A byte of a body now and then; before that, silence.
                    while sent_at_once.ends_with("\r\n\r\n") && to.write_all(b" ").await.is_ok() {
                        sleep(Duration::from_millis(300)).await;
                    }
                    std::future::pending::<()>().await;
                };
                tokio::select! {
                    said = rest(&mut from) => said,
                    () = drip => String::new(),
                }
            });
        }
        sleep(Duration::from_millis(300)).await;
        still_takes_orders(&process).await;
        let started = Instant::now();
        let said = connections.join_all().await;
        let other = said.iter().find(|said| !said.is_empty() && !said.starts_with("HTTP/1.1 408"));
        assert_eq!(other, None);
        let told = said.iter().filter(|said| !said.is_empty()).count();
        assert!(answer.is_empty() || told == 500, "{told} were told why");
        assert!(started.elapsed() < Duration::from_secs(8), "{:?}", started.elapsed());
    }
    still_takes_orders(&process).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_body_of_a_gigabyte_is_refused_without_being_read() {
    let (registry, database) = (RegistryFile::new("gigabyte"), Database::new().await);
    let process = Process::start(&registry, &database, &[]).await;
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
        let said = rest(&mut stream).await;
        assert!(said.starts_with("HTTP/1.1 413"), "{said}");
        // A MiB, and what the system keeps on the way.
        assert!(sent < 16 * 16, "{sent} chunks of 64 KiB");
    }
    still_takes_orders(&process).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_sends_a_whole_body_before_reading_learns_that_it_is_too_large() {
    let (registry, database) = (RegistryFile::new("eager"), Database::new().await);
    let process = Process::start(&registry, &database, &[]).await;
    let mut stream = TcpStream::connect(process.address).await.expect("a connection");
    stream.write_all(head(&registry, "Content-Length: 8388608\r\n").as_bytes()).await.expect("sent");
    for _ in 0..128 {
        stream.write_all(&[b' '; 1 << 16]).await.expect("taken, though not read");
    }
    let said = rest(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 413"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bodies_of_all_connections_together_take_bounded_memory() {
    let (registry, database) = (RegistryFile::new("together"), Database::new().await);
    let flags = ["--max-bytes-in-flight", "4000000", "--body-seconds", "3"];
    let process = Process::start(&registry, &database, &flags).await;
    let head = head(&registry, "Content-Length: 1000000\r\n");
    let mut connections = JoinSet::new();
    for _ in 0..200 {
        let head = head.clone();
        connections.spawn(async move {
            let mut stream = TcpStream::connect(process.address).await.expect("a connection");
            // All but the last byte, or as much as is taken before the answer.
            let _ = stream.write_all(&[head.as_bytes(), &[b' '; 999_999]].concat()).await;
            rest(&mut stream).await
        });
    }
    let said = connections.join_all().await;
    let with = |status: &str| said.iter().filter(|said| said.starts_with(status)).count();
    let (busy, slow) = (with("HTTP/1.1 503 "), with("HTTP/1.1 408 "));
    assert!(busy >= 196 && busy + slow == 200, "{busy} were sent away, {slow} were too slow");
    let refused = said.iter().find(|said| said.starts_with("HTTP/1.1 503 ")).expect("one");
    assert!(refused.contains("retry-after: 1\r\n"), "{refused}");
    assert!(refused.contains("urn:sales-order-intake:problem:unavailable"), "{refused}");
    // 200 MB were sent; all of what was held is free again.
    still_takes_orders(&process).await;
    let memory = process.peak_memory();
    assert!(memory.is_none_or(|memory| memory < 60), "{memory:?} MiB");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_million_items_and_a_depth_of_a_hundred_thousand_are_refused() {
    let (registry, database) = (RegistryFile::new("large"), Database::new().await);
    let process = Process::start(&registry, &database, &["--max-body-bytes", "8000000"]).await;
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
        let answer = process.client.put(&v3(id), &[], body).await;
        let errors = answer.is_problem(400, "invalid-order").errors();
        assert!(errors.iter().any(|other| other == error), "{error}: {errors:?}");
    }
    still_takes_orders(&process).await;
}

#[tokio::test]
async fn bytes_that_are_no_text_and_members_that_stand_twice_are_refused() {
    let service = Running::new().await;
    let id = new_id();
    let bad = [order(id).to_string().as_bytes(), b"\xFF\xFE"].concat();
    let answer = service.client.put(&v3(id), &[], bad).await;
    assert_eq!(answer.is_problem(400, "invalid-order").errors(), ["not_json "]);
    let twice = order(id).to_string().replacen("{", "{\"EntityId\":2301,", 1);
    let answer = service.client.put(&v3(id), &[], twice).await;
    assert_eq!(answer.is_problem(400, "invalid-order").errors(), ["duplicate_member /EntityId"]);
    assert!(service.database.orders().await.is_empty());
}

#[tokio::test]
async fn requests_one_after_the_other_on_one_connection_are_all_answered() {
    let service = Running::new().await;
    let mut stream = TcpStream::connect(service.address).await.expect("a connection");
    let request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let last = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all([request, request, last].concat().as_bytes()).await.expect("sent");
    assert_eq!(rest(&mut stream).await.matches("HTTP/1.1 204 No Content").count(), 3);
}

#[tokio::test]
async fn a_body_that_breaks_off_is_not_an_order() {
    let service = Running::new().await;
    let registry = RegistryFile::new("broken");
    let mut stream = TcpStream::connect(service.address).await.expect("a connection");
    stream.write_all(head(&registry, "Content-Length: 1000\r\n").as_bytes()).await.expect("sent");
    stream.shutdown().await.expect("closed");
    // The token is of another registry: it is told so before the body is looked at.
    let said = rest(&mut stream).await;
    assert!(said.starts_with("HTTP/1.1 401"), "{said}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_stop_finishes_what_is_in_flight() {
    let (registry, database) = (RegistryFile::new("stop"), Database::new().await);
    let process = Process::start(&registry, &database, &["--faults"]).await;
    let (id, client) = (new_id(), process.client.clone());
    let slow = tokio::spawn(async move {
        client.put(&v3(id), &[("x-fault", "latency=700")], order(id).to_string()).await
    });
    sleep(Duration::from_millis(200)).await;
    let address = process.address;
    let stopped = tokio::spawn(process.terminate());
    sleep(Duration::from_millis(200)).await;
    assert!(TcpStream::connect(address).await.is_err(), "nobody new is let in");
    assert_eq!(slow.await.expect("an answer").status, 201);
    stopped.await.expect("a good end");
    assert_eq!(database.orders().await.len(), 1);
}
