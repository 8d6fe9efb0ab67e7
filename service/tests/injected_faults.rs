//! Faults at random, and faults that are off. tests/testing/behaviour.mjs has the tests of requested faults.

use sales_order_intake_service::{FaultSettings, Settings};

use super::test_server::{TestServer, new_id, order, settings, v3};

#[tokio::test]
async fn a_fault_can_happen_at_random() {
    let rates = vec![("503".parse().unwrap(), "0.5".parse().unwrap())];
    let faults = Some(FaultSettings::with_rates(rates).unwrap());
    let service = TestServer::with(Settings { faults, ..settings() }).await;
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
