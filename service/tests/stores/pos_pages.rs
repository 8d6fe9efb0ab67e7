//! The pages of the point of sale's view: bounded in orders and bytes, and no order is left out.

use sales_order_intake_service::Settings;
use serde_json::Value;

use crate::client::Client;
use crate::test_server::{TestServer, new_id, order, settings, v3};

pub(crate) const VIEW: &str = "/pos/1501/2301.json";

async fn with_view() -> TestServer {
    TestServer::with(Settings { point_of_sale: true, ..settings() }).await
}

/// Stores an order of about this many bytes.
async fn store(client: &Client, bytes: usize) {
    let id = new_id();
    let mut order = order(id);
    let items = order["Items"].as_array_mut().expect("items");
    let item = items[0].clone();
    items.resize(bytes / item.to_string().len(), item);
    assert_eq!(client.put(&v3(id), &[], order.to_string()).await.status, 201);
}

/// Returns the receipt numbers of a page, and the path of the older orders.
async fn page(client: &Client, path: &str) -> (Vec<u64>, Option<String>) {
    let response = client.get(path, &[]).await;
    assert_eq!(response.status, 200, "{}", response.body);
    let view = response.json();
    let receipt = |order: &Value| {
        let receipt = order["receiptNumber"].as_str().or_else(|| order["order"]["ReceiptNumber"].as_str());
        receipt.expect("a receipt number").parse().expect("a number")
    };
    let receipts = view["orders"].as_array().expect("orders").iter().map(receipt).collect();
    (receipts, view["older"].as_str().map(str::to_owned))
}

#[tokio::test]
async fn orders_are_shown_in_pages_from_the_newest_to_the_oldest() {
    let service = with_view().await;
    for _ in 0..120 {
        store(&service.client, 300).await;
    }
    let (mut path, mut seen, mut pages) = (Some(VIEW.to_owned()), Vec::new(), 0);
    while let Some(this) = path {
        let (receipts, older) = page(&service.client, &this).await;
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
        let (receipts, older) = page(&service.client, &this).await;
        assert!(receipts.len() <= 4, "{receipts:?}");
        seen.extend(receipts);
        path = older;
    }
    assert_eq!(seen, Vec::from_iter((1..=12).rev()));
}

#[tokio::test]
async fn an_order_that_cannot_be_shown_is_listed_as_such() {
    let service = with_view().await;
    for bytes in [300, 900_000, 300] {
        store(&service.client, bytes).await;
    }
    service.database.execute("UPDATE orders SET body = 'not JSON' WHERE receipt = 1").await;
    let view = service.client.get(VIEW, &[]).await.json();
    let orders = view["orders"].as_array().unwrap();
    let reasons: Vec<_> = orders.iter().map(|order| order["notShown"].as_str()).collect();
    let expected = ["The order is too large to be shown.", "The stored order cannot be read."];
    assert_eq!(reasons, [None, Some(expected[0]), Some(expected[1])]);
    assert_eq!(orders[1]["receiptNumber"], "2");
    assert!(orders[0]["preview"]["total"].is_string());
}
