//! Logs and errors hold no token and nothing of a customer (D45).

use serde_json::json;

use super::database::Database;
use super::process::{Process, RegistryFile};
use super::running::{new_id, order, v3};

#[tokio::test]
async fn logs_and_errors_hold_no_token_and_nothing_of_a_customer() {
    let registry = RegistryFile::new("privacy");
    let database = Database::new().await;
    let process = Process::start(&registry, &database, &["--log", "sales_order_intake=trace,info"]).await;
    let (customer, another_token) = ("5e0d1c2b-3a49-4857-a665-748392a1b0cf", "soi_not-known-here");
    let private =
        [registry.token.reveal(), another_token, "Wilhelmina", "Quackenbush", customer, "gate code 4711"];

    let id = new_id();
    let mut sent = order(id);
    for (member, value) in [
        ("FirstName", "Wilhelmina"),
        ("LastName", "Quackenbush"),
        ("CustomerId", customer),
        ("Notes", "gate code 4711"),
    ] {
        sent[member] = json!(value);
    }
    let created = process.client.put(&v3(id), &[], sent.to_string()).await;
    assert_eq!(created.status, 201, "{}", created.body);
    let mut refused = Vec::new();
    sent["IsDelivery"] = json!("gate code 4711");
    refused.push(process.client.put(&v3(id), &[], sent.to_string()).await);
    sent["IsDelivery"] = json!(true);
    refused.push(process.client.put(&v3(id), &[], sent.to_string()).await);
    let half = sent.to_string().split_once("4711").expect("notes").0.to_owned();
    refused.push(process.client.put(&v3(id), &[], half).await);
    let token = format!("Bearer {another_token}");
    refused.push(process.client.put(&v3(id), &[("authorization", &token)], sent.to_string()).await);
    let statuses: Vec<_> = refused.iter().map(|answer| answer.status).collect();
    assert_eq!(statuses, [400, 409, 400, 401]);

    let said = process.terminate().await;
    assert!(said.contains(&id.to_string()), "the log tells of the order: {said}");
    for private in private {
        assert!(!said.contains(private), "the log holds {private}");
        for answer in &refused {
            assert!(!answer.body.contains(private), "an answer of {} holds {private}", answer.status);
        }
    }
}
