//! The point of sale's view shows the totals of the core's preview (§2.1).

use sales_order_intake_service::Settings;
use serde_json::json;

use crate::test_server::{TestServer, new_id, order, settings, v3};

async fn with_view() -> TestServer {
    TestServer::with(Settings { point_of_sale: true, ..settings() }).await
}

#[tokio::test]
async fn taxes_are_the_supplied_ones_or_estimated_with_the_rates_of_the_location() {
    let service = with_view().await;
    for taxes in
        [json!(null), json!([{ "TaxId": "e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80", "TaxAmount": "2.66" }])]
    {
        let id = new_id();
        let mut order = order(id);
        order["EntityId"] = json!(2302);
        order["Taxes"] = taxes;
        let items = order["Items"].as_array_mut().unwrap();
        items.push(items[0].clone());
        assert_eq!(service.client.put(&v3(id), &[], order.to_string()).await.status, 201);
    }
    let view = service.client.get("/pos/1501/2302.json", &[]).await.json();
    let shown = |order: usize| {
        let preview = &view["orders"][order]["preview"];
        json!([
            preview["tax"]["source"],
            preview["lines"][0]["tax"],
            preview["lines"][1]["tax"],
            preview["total"]
        ])
    };
    // Newest first.
    assert_eq!(shown(0), json!(["supplied", "2.66", "0.00", "22.66"]));
    assert_eq!(shown(1), json!(["estimated", "0.50", "0.50", "21.00"]));
    assert_eq!(view["location"], json!({ "id": 2302, "name": "Old Mill" }));
    assert!(view["note"].as_str().unwrap().contains("Not part of the specified service"));
    // Another location shows none of them.
    let view = service.client.get("/pos/1501/2301.json", &[]).await.json();
    assert_eq!(view["orders"], json!([]));
}

#[tokio::test]
async fn a_browser_gets_a_page_that_runs_no_script_of_an_order() {
    let service = with_view().await;
    let id = new_id();
    let mut order = order(id);
    order["Notes"] = json!("</script><script>alert(1)</script>");
    service.client.put(&v3(id), &[], order.to_string()).await;
    let page = service.client.get("/pos/1501/2301", &[("accept", "text/html,*/*;q=0.8")]).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.header("content-security-policy").starts_with("default-src 'none'; script-src 'self'"));
    assert!(!page.body.contains("alert"));
    for (path, content_type) in [("/pos/page.js", "text/javascript"), ("/pos/page.css", "text/css")] {
        let asset = service.client.get(path, &[]).await;
        assert_eq!((asset.status, asset.header("content-type")), (200, content_type));
        // Values of orders are never inserted as HTML.
        assert!(!asset.body.contains("innerHTML"));
    }
    let json = service.client.get("/pos/1501/2301", &[("accept", "application/json")]).await;
    assert_eq!(json.header("content-type"), "application/json");
    assert_eq!(json.json()["orders"][0]["order"]["Notes"], order["Notes"]);
}

#[tokio::test]
async fn an_unknown_location_is_not_found() {
    let service = with_view().await;
    for path in ["/pos/1501/9", "/pos/9/2301.json", "/pos/x/y", "/pos/1501/-1", "/pos/1501/%FF"] {
        service.client.get(path, &[]).await.is_problem(404, "not-found");
    }
}
