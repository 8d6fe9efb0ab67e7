//! HTTP/2 without TLS and with prior knowledge (h2c).

use axum::body::{Body, HttpBody as _};
use axum::http::Version;
use http_body_util::BodyExt as _;
use sales_order_intake_service::{FaultSettings, Limits, Settings};
use serde_json::json;
use tokio::task::JoinSet;

use super::client::Client;
use super::test_server::{TestServer, new_id, order, settings, v3};

async fn service() -> (TestServer, Client) {
    let limits = Limits { body_bytes: 10_000, ..settings().limits };
    let settings = Settings { limits, faults: Some(FaultSettings::default()), ..settings() };
    let service = TestServer::with(settings).await;
    let client = service.client.over_http2(service.address);
    // Opens the connection first, so that all streams share it.
    assert_eq!(client.get("/health/live", &[]).await.version, Version::HTTP_2);
    (service, client)
}

#[tokio::test]
async fn a_rejected_stream_does_not_affect_the_others() {
    let (service, client) = service().await;
    let mut streams = JoinSet::new();
    for number in 0..40 {
        let client = client.clone();
        streams.spawn(async move {
            let id = new_id();
            let mut body = order(id);
            let mut headers = vec![("x-fault", "latency=50")];
            let status = match number % 4 {
                0 => {
                    headers.push(("authorization", "Bearer soi_unknown"));
                    401
                }
                1 => {
                    body["Notes"] = json!("x".repeat(10_000));
                    413
                }
                2 => {
                    body["Items"] = json!([]);
                    400
                }
                _ => 201,
            };
            let response = client.put(&v3(id), &headers, body.to_string()).await;
            assert_eq!((response.status, response.version), (status, Version::HTTP_2), "{}", response.body);
        });
    }
    streams.join_all().await;
    assert_eq!(service.database.orders().await.len(), 10);
}

#[tokio::test]
async fn an_order_on_a_dropped_stream_can_be_sent_again() {
    let (service, client) = service().await;
    let id = new_id();
    let dropped = client.try_put(&v3(id), &[("x-fault", "drop-after")], order(id).to_string()).await;
    assert!(dropped.is_err());
    let again = client.put(&v3(id), &[], order(id).to_string()).await;
    assert_eq!((again.status, again.version), (200, Version::HTTP_2));
    assert_eq!(service.database.orders().await.len(), 1);
}

#[tokio::test]
async fn a_body_over_the_limit_is_rejected_while_it_arrives() {
    let (service, client) = service().await;
    let id = new_id();
    // Without Content-Length, so the limit applies to the received bytes.
    let body = Body::from("x".repeat(100_000)).map_frame(|frame| frame);
    assert_eq!(body.size_hint().exact(), None);
    client.put(&v3(id), &[], Body::new(body)).await.is_problem(413, "too-large");
    assert_eq!(client.put(&v3(id), &[], order(id).to_string()).await.status, 201);
    assert_eq!(service.database.orders().await.len(), 1);
}
