//! The point of sale's view under attack: its responses, its memory and its time are limited, and orders are accepted
//! meanwhile.

use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Method;
use sales_order_intake::service::Settings;
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

use super::client::Client;
use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{TestServer, new_id, order, short_limits, v3};

const VIEW: &str = "/pos/1501/2301.json";
/// The orders of a response, and what surrounds them.
const MAX_BYTES: usize = (1 << 20) + 2_000;
/// Far more than a limited view takes, and far less than an unlimited one would take.
const LIMIT: Duration = Duration::from_secs(60);

async fn with_view() -> TestServer {
    TestServer::with(Settings { point_of_sale: true, limits: short_limits(), ..Settings::default() }).await
}

/// Returns an order of about this many bytes.
fn large_order(bytes: usize) -> (String, String) {
    let id = new_id();
    let mut order = order(id);
    let items = order["Items"].as_array_mut().expect("items");
    let item = items[0].clone();
    items.resize(bytes / item.to_string().len(), item);
    (v3(id), order.to_string())
}

async fn store(client: &Client, bytes: usize) {
    let (path, body) = large_order(bytes);
    assert_eq!(client.put(&path, &[], body).await.status, 201);
}

/// Returns the receipt numbers of a page, the bytes of the response, and the path of the older orders.
async fn page(client: &Client, path: &str) -> (Vec<u64>, usize, Option<String>) {
    let response = timeout(LIMIT, client.get(path, &[])).await.expect("a response");
    assert_eq!(response.status, 200, "{}", response.body);
    let view = response.json();
    let receipt = |order: &Value| {
        let receipt = order["receiptNumber"].as_str().or_else(|| order["order"]["ReceiptNumber"].as_str());
        receipt.expect("a receipt number").parse().expect("a number")
    };
    let receipts = view["orders"].as_array().expect("orders").iter().map(receipt).collect();
    (receipts, response.body.len(), view["older"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn orders_are_shown_in_pages_from_the_newest_to_the_oldest() {
    let service = with_view().await;
    for _ in 0..120 {
        store(&service.client, 300).await;
    }
    let (mut path, mut seen, mut pages) = (Some(VIEW.to_owned()), Vec::new(), 0);
    while let Some(this) = path {
        let (receipts, _, older) = page(&service.client, &this).await;
        assert!((1..=50).contains(&receipts.len()), "{}", receipts.len());
        seen.extend(receipts);
        (path, pages) = (older, pages + 1);
    }
    assert_eq!((seen, pages), (Vec::from_iter((1..=120).rev()), 3));
    for before in ["0", "-1", "x", "", "99999999999999999999"] {
        let path = format!("{VIEW}?before={before}");
        service.client.get(&path, &[]).await.is_problem(404, "not-found");
    }
}

#[tokio::test]
async fn large_orders_make_short_pages_and_none_is_omitted() {
    let service = with_view().await;
    for _ in 0..12 {
        store(&service.client, 120_000).await;
    }
    let (mut path, mut seen) = (Some(VIEW.to_owned()), Vec::new());
    while let Some(this) = path {
        let (receipts, bytes, older) = page(&service.client, &this).await;
        assert!(bytes <= MAX_BYTES, "{bytes}");
        // The same page again comes from the cache.
        assert_eq!(page(&service.client, &this).await.0, receipts);
        seen.extend(receipts);
        path = older;
    }
    assert_eq!(seen, Vec::from_iter((1..=12).rev()));
}

#[tokio::test]
async fn an_order_that_cannot_be_shown_is_listed_as_such() {
    let service = with_view().await;
    for bytes in [300, 300, 900_000, 300, 300, 300] {
        store(&service.client, bytes).await;
    }
    for (receipt, change) in [
        (1, "body = 'not JSON'"),
        (2, "body = '[]'"),
        (4, "version = 'v9'"),
        (5, if service.database.is_postgres() { "id = '\\x00'" } else { "id = x'00'" }),
    ] {
        service.database.execute(&format!("UPDATE orders SET {change} WHERE receipt = {receipt}")).await;
    }
    let view = service.client.get(VIEW, &[]).await.json();
    let orders = view["orders"].as_array().unwrap();
    let reasons: Vec<_> = orders.iter().map(|order| order["notShown"].as_str()).collect();
    let unreadable = Some("The stored order cannot be read.");
    assert_eq!(
        reasons,
        [None, unreadable, unreadable, Some("The order is too large to be shown."), unreadable, unreadable]
    );
    assert_eq!(orders[3]["receiptNumber"], "3");
    assert!(orders[0]["preview"]["total"].is_string());
}

#[tokio::test]
async fn pages_are_served_only_under_a_name_of_this_machine_an_ip_address_or_an_allowed_name() {
    let settings = Settings {
        point_of_sale: true,
        directory: true,
        page: Some(env!("CARGO_TARGET_TMPDIR").into()),
        allowed_hosts: vec!["pos.example.com".to_owned()],
        limits: short_limits(),
        ..Settings::default()
    };
    let service = TestServer::with(settings).await;
    let get = async |path: &str, host: &str| {
        service.client.send(Method::GET, path, &[("host", host)], Body::empty()).await.unwrap()
    };
    for path in [VIEW, "/pos/1501/2301", "/pos/page.js", "/demo.json", "/", "/assets/app.js"] {
        for host in ["attacker.example", "attacker.example:8080", "localhost.attacker.example", "1.2.3.4.x"] {
            get(path, host).await.is_problem(421, "wrong-host");
        }
        for host in
            ["localhost", "LocalHost:8080", "127.0.0.1:1", "[::1]:8080", "192.168.1.7", "Pos.example.com"]
        {
            assert_ne!(get(path, host).await.status, 421, "{path} {host}");
        }
    }
    // Orders have a token, which a foreign page does not.
    let id = new_id();
    let created = service.client.put(&v3(id), &[("host", "intake.example.com")], order(id).to_string()).await;
    assert_eq!(created.status, 201);
    // A request without a Host, and one that names another host in its target.
    for head in [
        "GET /demo.json HTTP/1.1\r\n",
        "GET http://attacker.example/demo.json HTTP/1.1\r\nHost: localhost\r\n",
    ] {
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 421 "), "{head}: {response}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_accepted_while_many_read_the_largest_views() {
    let (registry, database) = (RegistryFile::new("views"), Database::new().await);
    let service = ServerProcess::start(&registry, &database, &["--point-of-sale"]).await;
    for number in 0..24 {
        // Too large to be shown, and the largest that are shown.
        store(&service.client, [840_000, 200_000][number % 2]).await;
    }
    let mut readers = JoinSet::new();
    for _ in 0..8 {
        let client = service.client.clone();
        readers.spawn(async move {
            let mut path = VIEW.to_owned();
            loop {
                // 503 if too many read at once.
                let response = client.get(&path, &[]).await;
                assert!(response.body.len() <= MAX_BYTES, "{}", response.body.len());
                let older = (response.status == 200).then(|| response.json()["older"].clone());
                path = older.and_then(|older| Some(older.as_str()?.to_owned())).unwrap_or(VIEW.to_owned());
            }
        });
    }
    // Peers that ask for the view and never read it.
    let mut silent = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(service.address).await.expect("a connection");
        let request = format!("GET {VIEW} HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(20);
        stream.write_all(request.as_bytes()).await.expect("sent");
        silent.push(stream);
    }
    let mut times = Vec::new();
    for _ in 0..15 {
        let id = new_id();
        let started = Instant::now();
        let mut order = order(id);
        order["EntityId"] = json!(2302);
        let path = v3(id);
        let sent = service.client.put(&path, &[], order.to_string());
        assert_eq!(timeout(LIMIT, sent).await.expect("a response").status, 201);
        times.push(started.elapsed());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    readers.abort_all();
    times.sort_unstable();
    // Not every order, because the machine may be busy with other tests.
    assert!(times[7] < Duration::from_secs(1), "{times:?}");
    if let Some(memory) = service.peak_memory() {
        assert!(memory < 64, "{memory} MiB");
    }
    drop(silent);
    service.terminate().await;
}
