//! The demo page at `/`, what it chooses from, and pages of other origins.

use std::path::PathBuf;

use axum::body::Body;
use axum::http::Method;
use sales_order_intake::service::Settings;
use serde_json::json;
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::process::Command;

use super::process::BINARY;
use super::running::{Running, new_id, order, short, v3};

/// A page as it is built, beside a file that is none of its business.
fn built(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    let page = folder.join("dist");
    std::fs::create_dir_all(page.join("assets")).expect("a folder");
    for (file, text) in [
        ("secret.txt", "secret"),
        ("dist/index.html", "<title>Orders</title>"),
        ("dist/secret.txt", "secret"),
        ("dist/assets/app-1a2b.js", "start()"),
        ("dist/assets/app-1a2b.js.br", "start() by brotli"),
        ("dist/assets/app-1a2b.js.gz", "start() by gzip"),
        ("dist/assets/app-1a2b.css", "body {}"),
        ("dist/assets/core-3c4d.wasm", "\0asm"),
    ] {
        std::fs::write(folder.join(file), text).expect("written");
    }
    page
}

async fn with_page(page: PathBuf) -> Running {
    Running::with(Settings { page: Some(page), limits: short(), ..Settings::default() }).await
}

#[tokio::test]
async fn files_of_the_page_have_their_media_types_and_are_kept_as_long_as_they_hold() {
    let service = with_page(built("types")).await;
    let forever = "public, max-age=31536000, immutable";
    for (path, content_type, cache) in [
        ("/", "text/html", "no-cache"),
        ("/assets/app-1a2b.js", "text/javascript", forever),
        ("/assets/app-1a2b.css", "text/css", forever),
        ("/assets/core-3c4d.wasm", "application/wasm", forever),
    ] {
        let answer = service.client.get(path, &[]).await;
        assert_eq!(
            (answer.status, answer.header("content-type"), answer.header("cache-control")),
            (200, content_type, cache),
            "{path}"
        );
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "), "{policy}");
    }
}

#[tokio::test]
async fn a_compressed_file_is_sent_to_who_takes_it() {
    let service = with_page(built("compressed")).await;
    for (accepted, coding, text) in [
        ("gzip, deflate, br, zstd", "br", "start() by brotli"),
        ("gzip", "gzip", "start() by gzip"),
        ("br;q=0, identity", "", "start()"),
        ("", "", "start()"),
    ] {
        let answer = service.client.get("/assets/app-1a2b.js", &[("accept-encoding", accepted)]).await;
        assert_eq!((answer.header("content-encoding"), &*answer.body), (coding, text), "{accepted}");
        assert_eq!(
            (answer.header("content-type"), answer.header("vary")),
            ("text/javascript", "accept-encoding")
        );
    }
}

#[tokio::test]
async fn nothing_but_the_page_and_its_assets_is_served() {
    let service = with_page(built("nothing-else")).await;
    for path in [
        "/secret.txt",
        "/assets",
        "/assets/",
        "/assets/other.js",
        "/assets/../secret.txt",
        "/assets/../../secret.txt",
        "/assets/%2e%2e/secret.txt",
        "/assets/%2e%2e/%2e%2e/secret.txt",
        "/assets/..%2fsecret.txt",
        "/assets/..%2f..%2fsecret.txt",
        "/assets/..%5csecret.txt",
        "/assets//../secret.txt",
        "/assets/%00",
        "/assets//etc/passwd",
        "/assets/%2fetc%2fpasswd",
        "//etc/passwd",
    ] {
        // By hand, so that nothing on the way tidies the path.
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut said = String::new();
        stream.read_to_string(&mut said).await.unwrap();
        assert!(said.starts_with("HTTP/1.1 404 "), "{path}: {said}");
        assert!(said.contains("urn:sales-order-intake:problem:not-found"), "{path}: {said}");
    }
    let put = service.client.put("/assets/app-1a2b.js", &[], "").await;
    assert_eq!(put.is_problem(405, "method-not-allowed").header("allow"), "GET, HEAD");
}

#[tokio::test]
async fn where_the_page_is_not_built_it_says_what_to_do() {
    let folder = built("not-built");
    std::fs::remove_file(folder.join("index.html")).unwrap();
    let service = with_page(folder).await;
    let answer = service.client.get("/", &[]).await;
    assert_eq!((answer.status, answer.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(answer.body.contains("www/demo/dist") && answer.body.contains("--page"), "{}", answer.body);
    // Without a page there is not even that.
    Running::new().await.client.get("/", &[]).await.is_problem(404, "not-found");
}

#[tokio::test]
async fn the_demo_tells_the_page_where_orders_can_be_sent_but_no_token() {
    let service = Running::with(Settings { directory: true, limits: short(), ..Settings::default() }).await;
    let directory = service.client.get("/demo.json", &[]).await;
    assert_eq!(directory.header("content-type"), "application/json");
    let location = |id: u32, name: &str, pricing, rates| json!({ "entityId": id, "name": name, "taxPricing": pricing, "taxRates": rates });
    let gst = json!([{ "id": "gst", "name": "GST", "rate": "0.05", "type": "Percentage", "layer": 0 }]);
    assert_eq!(
        directory.json(),
        json!({
            "basePath": "",
            "companies": [
                { "companyId": 1501, "name": "Harbour Goods", "locations": [
                    location(2301, "Harbour Street", Some("Exclusive"), json!([])),
                    location(2302, "Old Mill", None, gst),
                    location(2303, "Airport", Some("Inclusive"), json!([])),
                ] },
                { "companyId": 1502, "name": "Hill Goods", "locations": [
                    location(2304, "Hill Top", None, json!([])),
                ] },
            ],
            "integrators": [
                { "integratorId": "11111111-2222-4333-8444-555555555555", "name": "Kiosk" },
                { "integratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "name": "Storefront" },
            ],
        })
    );
    Running::new().await.client.get("/demo.json", &[]).await.is_problem(404, "not-found");
}

#[tokio::test]
async fn the_demo_prints_the_address_of_its_page_and_serves_both() {
    let page = built("printed");
    let database = page.with_file_name("orders.sqlite");
    let mut child = Command::new(BINARY)
        .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--log", "error", "--page"])
        .arg(&page)
        .env("DATABASE_URL", format!("sqlite:{}", database.display()))
        .stdout(std::process::Stdio::piped())
        .kill_on_drop(true)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut value = async |name: &str| {
        let line = lines.next_line().await.unwrap().unwrap();
        line.strip_prefix(name).unwrap_or_else(|| panic!("{name}: {line}")).trim().to_owned()
    };
    let base = value("base URL").await;
    let token = value("token").await;
    assert_eq!(value("page").await, format!("{base}/#token={token}"));
    let address = base.strip_prefix("http://").unwrap().parse().unwrap();
    let client = super::client::Client::new(address, &token);
    assert_eq!(client.get("/", &[]).await.body, "<title>Orders</title>");
    let directory = client.get("/demo.json", &[]).await;
    assert_eq!(directory.json()["companies"][0]["companyId"], 1501);
    assert!(!directory.body.contains(&token));
    child.kill().await.unwrap();
}

#[tokio::test]
async fn a_page_of_another_origin_may_send_orders_where_the_service_says_so() {
    let origin = "http://127.0.0.1:3000";
    let allowed_origins = vec![origin.parse().unwrap(), "https://shop.example.com".parse().unwrap()];
    let settings = Settings { allowed_origins, limits: short(), ..Settings::default() };
    let service = Running::with(settings).await;
    let id = new_id();
    let asked = async |service: &Running, origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "PUT"),
            ("access-control-request-headers", "authorization,content-type,x-fault"),
        ];
        service.client.send(Method::OPTIONS, &v3(id), &headers, Body::empty()).await.unwrap()
    };
    let preflight = asked(&service, origin).await;
    assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (200, origin));
    assert!(preflight.header("access-control-allow-methods").split(',').any(|method| method == "PUT"));
    let headers = preflight.header("access-control-allow-headers").to_owned();
    for header in ["authorization", "content-type", "x-fault"] {
        assert!(headers.split(',').any(|other| other == header), "{header}: {headers}");
    }
    let created = service.client.put(&v3(id), &[("origin", origin)], order(id).to_string()).await;
    assert_eq!((created.status, created.header("access-control-allow-origin")), (201, origin));
    let refused = service.client.put(&v3(id), &[("origin", origin), ("authorization", "")], "").await;
    assert_eq!(refused.status, 401);
    assert!(refused.header("access-control-expose-headers").contains("retry-after"));
    // Others may not, and nobody may where no origin was named.
    assert_eq!(asked(&service, "http://127.0.0.1:3001").await.header("access-control-allow-origin"), "");
    let service = Running::new().await;
    asked(&service, origin).await.is_problem(405, "method-not-allowed");
    let created = service.client.put(&v3(id), &[("origin", origin)], order(id).to_string()).await;
    assert_eq!((created.status, created.header("access-control-allow-origin")), (201, ""));
}
