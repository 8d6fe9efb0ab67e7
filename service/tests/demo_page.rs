//! The demo page at `/`, its directory at `/demo.json`, and pages of other origins.

use std::path::PathBuf;

use axum::body::Body;
use axum::http::Method;
use sales_order_intake_service::Settings;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::test_server::{TestServer, new_id, order, settings, v3};

/// The files of a built page, next to one that must not be served; deleted when this is dropped.
struct BuiltPage {
    folder: PathBuf,
}

impl BuiltPage {
    fn new(name: &str) -> Self {
        let folder =
            PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("dist/assets")).expect("a folder");
        for (file, text) in [
            ("secret.txt", "secret"),
            ("dist/index.html", "<title>Orders</title>"),
            ("dist/secret.txt", "secret"),
            ("dist/assets/app-1a2b.js", "start()"),
            ("dist/assets/app-1a2b.css", "body {}"),
            ("dist/assets/core-3c4d.wasm", "\0asm"),
        ] {
            std::fs::write(folder.join(file), text).expect("written");
        }
        Self { folder }
    }

    fn path(&self) -> PathBuf {
        self.folder.join("dist")
    }
}

impl Drop for BuiltPage {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

async fn with_page(page: &BuiltPage) -> TestServer {
    TestServer::with(Settings { page: Some(page.path()), ..settings() }).await
}

#[tokio::test]
async fn files_have_their_media_type_and_cache_policy() {
    let page = BuiltPage::new("types");
    let service = with_page(&page).await;
    let forever = "public, max-age=31536000, immutable";
    for (path, content_type, cache) in [
        ("/", "text/html", "no-cache"),
        ("/assets/app-1a2b.js", "text/javascript", forever),
        ("/assets/app-1a2b.css", "text/css", forever),
        ("/assets/core-3c4d.wasm", "application/wasm", forever),
    ] {
        let response = service.client.get(path, &[]).await;
        assert_eq!(
            (response.status, response.header("content-type"), response.header("cache-control")),
            (200, content_type, cache),
            "{path}"
        );
        assert_eq!(response.header("x-content-type-options"), "nosniff");
        let policy = response.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; "), "{policy}");
    }
}

#[tokio::test]
async fn only_the_page_and_its_assets_are_served() {
    let page = BuiltPage::new("nothing-else");
    let service = with_page(&page).await;
    for path in [
        "/secret.txt",
        "/assets",
        "/assets/",
        "/assets/../secret.txt",
        "/assets/..%2fsecret.txt",
        "//etc/passwd",
    ] {
        // Without a client library, because it would normalize the path.
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with("HTTP/1.1 404 "), "{path}: {response}");
        assert!(response.contains("urn:sales-order-intake:problem:not-found"), "{path}: {response}");
    }
    let put = service.client.put("/assets/app-1a2b.js", &[], "").await;
    assert_eq!(put.is_problem(405, "method-not-allowed").header("allow"), "GET, HEAD");
}

#[tokio::test]
async fn if_the_page_is_not_built_the_response_explains_how_to_build_it() {
    let page = BuiltPage::new("not-built");
    std::fs::remove_file(page.path().join("index.html")).unwrap();
    let service = with_page(&page).await;
    let response = service.client.get("/", &[]).await;
    assert_eq!((response.status, response.header("content-type")), (404, "text/html; charset=utf-8"));
    assert!(response.body.contains("www/demo/dist") && response.body.contains("--page"), "{}", response.body);
    // Without a page, the path does not exist.
    TestServer::new().await.client.get("/", &[]).await.is_problem(404, "not-found");
}

#[tokio::test]
async fn the_directory_lists_locations_and_integrators_but_no_token() {
    let service = TestServer::with(Settings { directory: true, ..settings() }).await;
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
    TestServer::new().await.client.get("/demo.json", &[]).await.is_problem(404, "not-found");
}

#[tokio::test]
async fn a_page_of_an_allowed_origin_may_send_orders() {
    let origin = "http://127.0.0.1:3000";
    let allowed_origins = vec![origin.parse().unwrap(), "https://shop.example.com".parse().unwrap()];
    let settings = Settings { allowed_origins, ..settings() };
    let service = TestServer::with(settings).await;
    let id = new_id();
    let preflight_from = async |service: &TestServer, origin: &str| {
        let headers = [
            ("origin", origin),
            ("access-control-request-method", "PUT"),
            ("access-control-request-headers", "authorization,content-type,x-fault"),
        ];
        service.client.send(Method::OPTIONS, &v3(id), &headers, Body::empty()).await.unwrap()
    };
    let preflight = preflight_from(&service, origin).await;
    assert_eq!((preflight.status, preflight.header("access-control-allow-origin")), (200, origin));
    assert!(preflight.header("access-control-allow-methods").split(',').any(|method| method == "PUT"));
    let headers = preflight.header("access-control-allow-headers").to_owned();
    for header in ["authorization", "content-type", "x-fault"] {
        assert!(headers.split(',').any(|other| other == header), "{header}: {headers}");
    }
    let created = service.client.put(&v3(id), &[("origin", origin)], order(id).to_string()).await;
    assert_eq!((created.status, created.header("access-control-allow-origin")), (201, origin));
    let rejected = service.client.put(&v3(id), &[("origin", origin), ("authorization", "")], "").await;
    assert_eq!(rejected.status, 401);
    assert!(rejected.header("access-control-expose-headers").contains("retry-after"));
    // Other origins may not, and none may without the setting.
    assert_eq!(
        preflight_from(&service, "http://127.0.0.1:3001").await.header("access-control-allow-origin"),
        ""
    );
    let service = TestServer::new().await;
    preflight_from(&service, origin).await.is_problem(405, "method-not-allowed");
    let created = service.client.put(&v3(id), &[("origin", origin)], order(id).to_string()).await;
    assert_eq!((created.status, created.header("access-control-allow-origin")), (201, ""));
}
