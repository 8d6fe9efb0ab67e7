//! Every status and media type of a response (§4, §5, D27 to D29, D40).

use axum::body::Body;
use axum::http::Method;
use sales_order_intake_service::Settings;
use serde_json::json;

use super::client::Client;
use super::test_server::{TestServer, new_id, order, settings, v3};

#[tokio::test]
async fn a_new_order_is_created_with_its_read_only_members() {
    let service = TestServer::new().await;
    let id = new_id();
    let mut order = order(id);
    order["EntityId"] = json!(2302);
    order["Notes"] = json!("Ring twice");
    let json = order.to_string().replace(":10}", ":\"10.50\"}");
    let created = service.client.put(&v3(id), &[], json).await;
    assert_eq!((created.status, created.header("content-type")), (201, "application/json"));
    let date = created.json()["DateCreatedUtc"].as_str().unwrap().to_owned();
    // Seven fraction digits and the offset of UTC (D41).
    let fraction = date.strip_suffix("+00:00").unwrap().split_once('.').unwrap().1;
    assert_eq!((date.len(), fraction.len()), (33, 7), "{date}");
    assert_eq!(
        created.body,
        format!(
            "{{\"Id\":\"{id}\",\"CompanyId\":1501,\"EntityId\":2302,\
            \"IntegratorId\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\",\
            \"Items\":[{{\"Name\":\"Pre-roll\",\"CatalogItemId\":\"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e\",\
            \"Quantity\":1,\"SellAtPricePerUnit\":10.50}}],\
            \"Notes\":\"Ring twice\",\"WasCreatedWithInventoryHold\":true,\"DateCreatedUtc\":\"{date}\",\
            \"OrderSource\":{{\"Id\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\",\"Name\":\"Storefront\"}},\
            \"ReceiptNumber\":\"1\"}}"
        )
    );
}

#[tokio::test]
async fn the_media_types_are_application_json_and_text_json() {
    let service = TestServer::new().await;
    for (content_type, accept, response_type) in [
        ("application/json", "application/json", "application/json"),
        ("text/json", "text/json", "text/json; charset=utf-8"),
        (
            "application/json; charset=utf-8",
            "text/json;q=0.9, application/json;q=0.1",
            "text/json; charset=utf-8",
        ),
        ("text/json; charset=UTF-8", "*/*", "application/json"),
        ("text/json", "", "application/json"),
    ] {
        let id = new_id();
        let headers = [("content-type", content_type), ("accept", accept)];
        let created = service.client.put(&v3(id), &headers, order(id).to_string()).await;
        assert_eq!((created.status, created.header("content-type")), (201, response_type), "{content_type}");
    }
    let id = new_id();
    for content_type in ["", "application/xml", "application/json; charset=utf-16", "multipart/form-data"] {
        let rejected =
            service.client.put(&v3(id), &[("content-type", content_type)], order(id).to_string()).await;
        rejected.is_problem(415, "unsupported-media-type");
    }
    let zipped = service.client.put(&v3(id), &[("content-encoding", "gzip")], order(id).to_string()).await;
    zipped.is_problem(415, "unsupported-media-type");
    for accept in ["text/html", "application/json;q=0", "application/xml, text/plain"] {
        let rejected = service.client.put(&v3(id), &[("accept", accept)], order(id).to_string()).await;
        rejected.is_problem(406, "not-acceptable");
    }
    assert_eq!(service.database.orders().await.len(), 5);
}

#[tokio::test]
async fn a_request_without_a_known_token_is_rejected() {
    let service = TestServer::new().await;
    let id = new_id();
    for authorization in ["", "Bearer", "Bearer ", "Bearer soi_0000", "Basic dXNlcjpwYXNz", "soi_0000"] {
        let rejected =
            service.client.put(&v3(id), &[("authorization", authorization)], order(id).to_string()).await;
        rejected.is_problem(401, "unauthenticated");
        assert_eq!(rejected.header("www-authenticate"), "Bearer");
        // The response contains neither the token nor the order (D45).
        assert!(!rejected.body.contains("soi_") && !rejected.body.contains("Pre-roll"), "{}", rejected.body);
    }
    assert!(service.database.orders().await.is_empty());
}

#[tokio::test]
async fn a_token_covers_only_its_companies_and_integrators() {
    let service = TestServer::new().await;
    let id = new_id();
    for (member, value, named) in [
        ("CompanyId", json!(1502), "CompanyId"),
        ("CompanyId", json!(9), "CompanyId"),
        ("EntityId", json!(2304), "EntityId"),
        ("IntegratorId", json!("11111111-2222-4333-8444-555555555555"), "IntegratorId"),
        ("IntegratorId", json!("99999999-2222-4333-8444-555555555555"), "IntegratorId"),
    ] {
        let mut order = order(id);
        order[member] = value.clone();
        let rejected = service.client.put(&v3(id), &[], order.to_string()).await;
        rejected.is_problem(403, "forbidden");
        assert!(rejected.json()["detail"].as_str().unwrap().contains(named), "{member} {value}");
    }
}

#[tokio::test]
async fn an_order_for_a_tax_inclusive_location_is_rejected() {
    let service = TestServer::new().await;
    let id = new_id();
    let mut order = order(id);
    order["EntityId"] = json!(2303);
    let rejected = service.client.put(&v3(id), &[], order.to_string()).await;
    assert_eq!(rejected.is_problem(400, "invalid-order").errors(), ["location_tax_inclusive /EntityId"]);
}

#[tokio::test]
async fn all_issues_of_an_order_are_reported_with_code_and_pointer() {
    let service = TestServer::new().await;
    let id = new_id();
    let mut order = order(id);
    order.as_object_mut().unwrap().remove("Id");
    order["Items"][0]["Quantity"] = json!(0);
    order["Frobnicate"] = json!(true);
    let rejected = service.client.put(&v3(id), &[], order.to_string()).await;
    assert_eq!(
        rejected.is_problem(400, "invalid-order").errors(),
        ["missing /Id", "quantity_not_positive /Items/0/Quantity", "unknown_member /Frobnicate"]
    );
    assert_eq!(rejected.json()["errors"][1]["detail"], "Quantity must be greater than 0");
}

#[tokio::test]
async fn only_an_issue_whose_message_has_values_has_params() {
    let service = TestServer::new().await;
    let id = new_id();
    let mut order = order(id);
    order["CompanyId"] = json!(0);
    order["Items"][0]["Quantity"] = json!(0);
    let rejected = service.client.put(&v3(id), &[], order.to_string()).await;
    assert_eq!(
        rejected.is_problem(400, "invalid-order").json()["errors"],
        json!([
            {
                "pointer": "/CompanyId",
                "code": "integer_out_of_range",
                "detail": "CompanyId must be between 1 and 2147483647",
                "params": { "min": 1, "max": 2_147_483_647 },
            },
            {
                "pointer": "/Items/0/Quantity",
                "code": "quantity_not_positive",
                "detail": "Quantity must be greater than 0",
            },
        ])
    );
}

#[tokio::test]
async fn a_client_reads_each_message_without_its_hint() {
    let service = TestServer::new().await;
    let id = new_id();
    let mut order = order(id);
    order["EntityId"] = json!(2303);
    let rejected = service.client.put(&v3(id), &[], order.to_string()).await;
    let error = sales_order_intake::read_error(&rejected.body);
    let [issue] = &error.issues[..] else { panic!("{error:?}") };
    let hint = issue.hint.as_deref().expect("a hint");
    assert!(!issue.message.contains(hint), "{}", issue.message);
}

#[tokio::test]
async fn the_ids_of_body_and_path_are_equal_in_any_form() {
    let service = TestServer::new().await;
    let (id, other) = (new_id(), new_id());
    let rejected = service.client.put(&v3(other), &[], order(id).to_string()).await;
    assert_eq!(rejected.is_problem(400, "invalid-order").errors(), ["order_id_mismatch /Id"]);
    let plain = id.to_string();
    let digits = plain.replace('-', "");
    let paths = [
        format!("/v3/ServiceOrder({plain})"),
        format!("/v3/ServiceOrder({})", plain.to_uppercase()),
        format!("/v3/ServiceOrder({digits})"),
        format!("/v3/ServiceOrder(%7B{plain}%7D)"),
        format!("/v3/ServiceOrder(({plain}))"),
        format!("/v3/ServiceOrder%28{plain}%29"),
        format!("/v2/Service%4Frder({plain})?anything=1"),
    ];
    for (index, path) in paths.iter().enumerate() {
        let response = service.client.put(path, &[], order(id).to_string()).await;
        assert_eq!(response.status, if index == 0 { 201 } else { 200 }, "{path}: {}", response.body);
    }
}

#[tokio::test]
async fn other_paths_are_not_found() {
    let service = TestServer::new().await;
    let id = new_id();
    for path in [
        "/".to_owned(),
        format!("/v1/ServiceOrder({id})"),
        format!("/V3/ServiceOrder({id})"),
        format!("/v3/serviceorder({id})"),
        format!("/v3/ServiceOrder({id})/"),
        format!("/v3/ServiceOrder/{id}"),
        format!("/v3/ServiceOrder('{id}')"),
        format!("/v3/ServiceOrder({id}"),
        "/v3/ServiceOrder()".to_owned(),
        "/v3/ServiceOrder(00000000-0000-0000-0000-000000000000)".to_owned(),
        "/v3/ServiceOrder(%FF%FE)".to_owned(),
        "/pos/1501/2301".to_owned(),
    ] {
        service.client.put(&path, &[], order(id).to_string()).await.is_problem(404, "not-found");
    }
}

#[tokio::test]
async fn other_methods_are_not_allowed() {
    let service = TestServer::new().await;
    let id = new_id();
    for method in [Method::GET, Method::POST, Method::DELETE, Method::PATCH, Method::OPTIONS] {
        let rejected = service.client.send(method, &v3(id), &[], Body::empty()).await.unwrap();
        rejected.is_problem(405, "method-not-allowed");
        assert_eq!(rejected.header("allow"), "PUT");
    }
    let head = service.client.send(Method::HEAD, &v3(id), &[], Body::empty()).await.unwrap();
    assert_eq!((head.status, head.header("allow")), (405, "PUT"));
    let put = service.client.put("/health/live", &[], "").await;
    assert_eq!(put.is_problem(405, "method-not-allowed").header("allow"), "GET, HEAD");
}

#[tokio::test]
async fn operations_can_have_a_base_path() {
    let settings = Settings { base_path: "/covaorderintake".to_owned(), ..settings() };
    let service = TestServer::with(settings).await;
    let id = new_id();
    let path = format!("/covaorderintake{}", v3(id));
    assert_eq!(service.client.put(&path, &[], order(id).to_string()).await.status, 201);
    service.client.put(&v3(id), &[], order(id).to_string()).await.is_problem(404, "not-found");
}

#[tokio::test]
async fn http_1_and_http_2_are_supported() {
    let service = TestServer::new().await;
    let token = service.client.clone();
    let rejected = Client::http2(service.address, "nobody").put(&v3(new_id()), &[], "{}").await;
    assert_eq!((rejected.status, rejected.version), (401, axum::http::Version::HTTP_2));
    assert_eq!(token.get("/health/live", &[]).await.version, axum::http::Version::HTTP_11);
}

#[tokio::test]
async fn every_entry_of_a_repeated_header_counts() {
    let service = TestServer::new().await;
    let id = new_id();
    for headers in [
        [("content-encoding", "identity"), ("content-encoding", "gzip")],
        [("content-encoding", "gzip"), ("content-encoding", "identity")],
        [("content-encoding", "identity, gzip"), ("x-other", "1")],
        [("content-type", "application/json"), ("content-type", "application/xml")],
        [("content-type", "application/xml"), ("content-type", "application/json")],
        [("content-type", "application/json; x=1, application/xml"), ("x-other", "1")],
    ] {
        let response = service.client.put(&v3(id), &headers, order(id).to_string()).await;
        response.is_problem(415, "unsupported-media-type");
    }
    let headers = [
        ("content-encoding", "identity"),
        ("content-encoding", "Identity,"),
        ("content-type", "application/json"),
        ("content-type", "text/json"),
    ];
    assert_eq!(service.client.put(&v3(id), &headers, order(id).to_string()).await.status, 201);
}
