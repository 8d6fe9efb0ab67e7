//! Hostile input gets the right response, with bounded memory.

use std::time::Duration;

use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::time::timeout;

use super::client::Client;
use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{TestServer, new_id, order, v3};
use super::upload::read_to_end;
use super::waiting::until;

/// The maximum memory that a service may use, in MiB. Measured: 19 to 50.
const MAX_MEMORY: u64 = 160;

/// Returns the head of a PUT with a valid token and these headers.
pub(crate) fn head(registry: &RegistryFile, headers: &str) -> String {
    let (path, token) = (v3(new_id()), registry.token.reveal());
    format!(
        "PUT {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\n\
        Content-Type: application/json\r\nAccept: application/json\r\n{headers}\r\n"
    )
}

/// Sends an order over a new connection, again if there is no response: a service with a short limit may
/// close it first.
pub(crate) async fn assert_accepts_orders(process: &ServerProcess, registry: &RegistryFile) {
    let id = new_id();
    until("an order gets a response", async || {
        let client = Client::new(process.address, registry.token.reveal());
        let response = client.try_put(&v3(id), &[], order(id).to_string()).await;
        response.is_ok_and(|response| matches!(response.status, 200 | 201))
    })
    .await;
    if let Some(memory) = process.peak_memory() {
        assert!(memory < MAX_MEMORY, "{memory} MiB");
    }
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
        // One MiB, and what is discarded and what the system buffers: far less than a gigabyte.
        assert!(sent < 16 * 64, "{sent} chunks of 64 KiB");
    }
    assert_accepts_orders(&process, &registry).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_sends_its_whole_body_first_still_receives_the_response() {
    let (registry, database) = (RegistryFile::new("eager"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &[]).await;
    let head = head(&registry, "Content-Length: 8388608\r\nConnection: close\r\n");
    let (xml, stranger) = (head.replace("n/json\r\nA", "n/xml\r\nA"), RegistryFile::new("stranger"));
    let unknown = head.replace(registry.token.reveal(), stranger.token.reveal());
    for (head, status) in [(&head, 413), (&xml, 415), (&unknown, 401)] {
        // The service discards the body for a second; a client that is held up for longer cannot send all of it.
        until("a client has sent its whole body", async || {
            let mut stream = TcpStream::connect(process.address).await.expect("a connection");
            let request = [head.as_bytes(), &[b' '; 8 << 20]].concat();
            if stream.write_all(&request).await.is_err() {
                return false;
            }
            let received = read_to_end(&mut stream).await;
            assert!(received.starts_with(&format!("HTTP/1.1 {status}")), "{received}");
            true
        })
        .await;
    }
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
    assert_accepts_orders(&process, &registry).await;
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
