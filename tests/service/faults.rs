//! Faults on demand, for those who test their client.

use std::time::{Duration, Instant};

use sales_order_intake::service::{FaultSettings, Settings};

use super::running::{Running, new_id, order, short, v3};

async fn with_faults(faults: FaultSettings) -> Running {
    Running::with(Settings { faults: Some(faults), limits: short(), ..Settings::default() }).await
}

#[tokio::test]
async fn a_fault_happens_to_the_request_that_asks_for_it() {
    let service = with_faults(FaultSettings::default()).await;
    let id = new_id();
    for (fault, status, kind, retry_after) in
        [("429", 429, "rate-limited", "1"), ("500", 500, "internal", ""), ("503", 503, "unavailable", "1")]
    {
        let answer = service.client.put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
        answer.is_problem(status, kind);
        assert_eq!(answer.header("retry-after"), retry_after);
    }
    let started = Instant::now();
    let late = service.client.put(&v3(id), &[("x-fault", "latency=300")], order(id).to_string()).await;
    assert!(started.elapsed() >= Duration::from_millis(300));
    // None of the faults before had stored it.
    assert_eq!(late.status, 201);
}

#[tokio::test]
async fn a_dropped_connection_leaves_the_fate_of_the_order_open() {
    let service = with_faults(FaultSettings::default()).await;
    let (before, after) = (new_id(), new_id());
    for (fault, id) in [("drop", before), ("drop-after", after)] {
        let answer = service.client.try_put(&v3(id), &[("x-fault", fault)], order(id).to_string()).await;
        assert!(answer.is_err(), "{fault}");
    }
    for (id, status) in [(before, 201), (after, 200)] {
        assert_eq!(service.client.put(&v3(id), &[], order(id).to_string()).await.status, status);
    }
}

#[tokio::test]
async fn a_fault_can_happen_by_chance() {
    let rates = vec![("503".parse().unwrap(), 500)];
    let service = with_faults(FaultSettings { rates }).await;
    let mut unavailable = 0;
    for _ in 0..200 {
        let id = new_id();
        let answer = service.client.put(&v3(id), &[], order(id).to_string()).await;
        assert!([201, 503].contains(&answer.status), "{}", answer.body);
        unavailable += u32::from(answer.status == 503);
    }
    // Half of 200, give or take seven standard deviations.
    assert!((50..=150).contains(&unavailable), "{unavailable}");
}

#[tokio::test]
async fn nobody_can_ask_for_a_fault_unless_the_service_says_so() {
    let service = Running::new().await;
    let id = new_id();
    let answer = service.client.put(&v3(id), &[("x-fault", "500")], order(id).to_string()).await;
    assert_eq!(answer.status, 201);
}
