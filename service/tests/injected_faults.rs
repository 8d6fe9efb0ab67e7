//! Faults on request and at random.

use std::time::{Duration, Instant};

use sales_order_intake_service::{FaultSettings, Settings};
use tokio::select;

use super::test_server::{TestServer, new_id, order, settings, v3};
use super::waiting::until;

async fn with_faults(faults: FaultSettings) -> TestServer {
    TestServer::with(Settings { faults: Some(faults), ..settings() }).await
}

#[tokio::test]
async fn a_requested_fault_happens() {
    let service = with_faults(FaultSettings::default()).await;
    let id = new_id();
    for (fault, status, problem_type, retry_after) in [
        ("401", 401, "unauthenticated", ""),
        ("403", 403, "forbidden", ""),
        ("404", 404, "not-found", ""),
        ("409", 409, "conflict", ""),
        ("429", 429, "rate-limited", "1"),
        ("500", 500, "internal", ""),
        ("503", 503, "unavailable", "1"),
    ] {
        let response = service.client.put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
        response.is_problem(status, problem_type);
        assert_eq!(response.header("retry-after"), retry_after);
    }
    let started = Instant::now();
    let delayed = service.client.put(&v3(id), &[("x-fault", "latency=50")], order(id).to_string()).await;
    assert!(started.elapsed() >= Duration::from_millis(50));
    // None of the faults above stored the order.
    assert_eq!(delayed.status, 201);
}

#[tokio::test]
async fn a_client_that_does_not_wait_until_the_latency_has_passed_has_its_order_stored() {
    let service = with_faults(FaultSettings::default()).await;
    let id = new_id();
    let put = async |fault| service.client.put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
    select! {
        response = put("latency=300000") => panic!("there was a response: {}", response.status),
        () = until("the order is stored", async || !service.database.orders().await.is_empty()) => {}
    }
    assert_eq!(put("latency=0").await.status, 200);
}

#[tokio::test]
async fn the_service_is_down_until_the_outage_is_ended() {
    let service = with_faults(FaultSettings::default()).await;
    let id = new_id();
    let put =
        async |fault: &str| service.client.put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
    for fault in ["down-until=86400", "", "500"] {
        let down = put(fault).await;
        down.is_problem(503, "unavailable");
        let retry_after: u64 = down.header("retry-after").parse().unwrap();
        assert!((1..=86_400).contains(&retry_after), "{retry_after}");
    }
    assert_eq!(service.client.get("/health/live", &[]).await.status, 204);
    assert_eq!(put("down-until=0").await.status, 201);
    assert_eq!(put("").await.status, 200);
}

#[tokio::test]
async fn after_a_dropped_connection_the_order_can_be_sent_again() {
    let service = with_faults(FaultSettings::default()).await;
    let (before, after) = (new_id(), new_id());
    for (fault, id) in [("drop", before), ("drop-after", after)] {
        let response = service.client.try_put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
        assert!(response.is_err(), "{fault}");
    }
    for (id, status) in [(before, 201), (after, 200)] {
        assert_eq!(service.client.put(&v3(id), &[], order(id).to_string()).await.status, status);
    }
}

#[tokio::test]
async fn a_fault_can_happen_at_random() {
    let rates = vec![("503".parse().unwrap(), "0.5".parse().unwrap())];
    let service = with_faults(FaultSettings::with_rates(rates).unwrap()).await;
    let mut unavailable = 0;
    for _ in 0..200 {
        let id = new_id();
        let response = service.client.put(&v3(id), &[], order(id).to_string()).await;
        assert!([201, 503].contains(&response.status), "{}", response.body);
        unavailable += u32::from(response.status == 503);
    }
    // Half of 200, within seven standard deviations.
    assert!((50..=150).contains(&unavailable), "{unavailable}");
}

#[tokio::test]
async fn a_requested_fault_is_ignored_unless_faults_are_on() {
    let service = TestServer::new().await;
    let id = new_id();
    let response = service.client.put(&v3(id), &[("x-fault", "500")], order(id).to_string()).await;
    assert_eq!(response.status, 201);
}

#[tokio::test]
async fn an_unknown_fault_is_rejected_with_the_valid_ones() {
    let service = with_faults(FaultSettings::default()).await;
    let id = new_id();
    for fault in
        ["418", "dorp", "latency=300001", "latency 5", "drop\u{e4}", "down-until=86401", "down-until="]
    {
        let rejected = service.client.put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
        rejected.is_problem(400, "unknown-fault");
        let detail = rejected.json()["detail"].as_str().unwrap().to_owned();
        for valid in
            ["latency=", "401", "403", "404", "409", "429", "500", "503", "drop", "drop-after", "down-until="]
        {
            assert!(detail.contains(valid), "{detail}");
        }
    }
    assert!(service.database.orders().await.is_empty());
}

#[tokio::test]
async fn a_request_without_a_valid_token_gets_no_fault() {
    let rates = vec![("503".parse().unwrap(), "1".parse().unwrap())];
    for faults in [FaultSettings::default(), FaultSettings::with_rates(rates).expect("at most 1")] {
        let service = with_faults(faults).await;
        let id = new_id();
        for fault in ["latency=60000", "500", "drop", "unknown"] {
            let headers = [("x-fault", fault), ("authorization", "Bearer soi_unknown")];
            let response = service.client.put(&v3(id), &headers, order(id).to_string()).await;
            response.is_problem(401, "unauthenticated");
            let elsewhere = service.client.put("/v4/Order", &[("x-fault", fault)], "").await;
            elsewhere.is_problem(404, "not-found");
        }
    }
}
