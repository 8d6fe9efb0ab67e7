//! Pages and the point of sale's view are served only under the names of this machine, so that a page of
//! another site cannot read the orders (DNS rebinding).

use axum::body::Body;
use axum::http::Method;
use sales_order_intake_service::Settings;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::stores::pos_pages::VIEW;
use super::test_server::{TestServer, new_id, order, settings, v3};

#[tokio::test]
async fn pages_are_served_only_under_a_name_of_this_machine_an_ip_address_or_an_allowed_name() {
    let settings = Settings {
        point_of_sale: true,
        directory: true,
        page: Some(env!("CARGO_TARGET_TMPDIR").into()),
        allowed_hosts: vec!["pos.example.com".to_owned()],
        ..settings()
    };
    let service = TestServer::with(settings).await;
    let get = async |path: &str, host: &str| {
        service.client.send(Method::GET, path, &[("host", host)], Body::empty()).await.unwrap()
    };
    for path in [VIEW, "/pos/1501/2301", "/pos/page.js", "/demo.json", "/", "/assets/app.js"] {
        for host in [
            "attacker.example",
            "attacker.example:8080",
            "localhost.attacker.example",
            "1.2.3.4.x",
            "[::1].attacker.example",
            "[::1]attacker.example:8080",
        ] {
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
    // Requests that name another host in their target, and one without a Host.
    for (head, status, problem_type) in [
        ("GET /demo.json HTTP/1.1\r\n", 400, "bad-request"),
        ("GET http://attacker.example/demo.json HTTP/1.1\r\nHost: localhost\r\n", 421, "wrong-host"),
        ("GET http://[::1].attacker.example/demo.json HTTP/1.1\r\nHost: localhost\r\n", 421, "wrong-host"),
    ] {
        let mut stream = TcpStream::connect(service.address).await.unwrap();
        stream.write_all(format!("{head}Connection: close\r\n\r\n").as_bytes()).await.unwrap();
        let mut response = String::new();
        stream.read_to_string(&mut response).await.unwrap();
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{head}: {response}");
        assert!(response.contains(&format!("problem:{problem_type}\"")), "{head}: {response}");
    }
}
