//! Logs and errors contain no token and no data of a customer (D45).

use serde_json::json;

use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{new_id, order, v3};

#[tokio::test]
async fn logs_and_errors_contain_no_token_and_no_customer_data() {
    let registry = RegistryFile::new("privacy");
    let database = Database::new().await;
    let process =
        ServerProcess::start(&registry, &database, &["--log", "sales_order_intake=trace,info"]).await;
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
    let mut rejected = Vec::new();
    sent["IsDelivery"] = json!("gate code 4711");
    rejected.push(process.client.put(&v3(id), &[], sent.to_string()).await);
    sent["IsDelivery"] = json!(true);
    rejected.push(process.client.put(&v3(id), &[], sent.to_string()).await);
    let half = sent.to_string().split_once("4711").expect("notes").0.to_owned();
    rejected.push(process.client.put(&v3(id), &[], half).await);
    let token = format!("Bearer {another_token}");
    rejected.push(process.client.put(&v3(id), &[("authorization", &token)], sent.to_string()).await);
    let statuses: Vec<_> = rejected.iter().map(|response| response.status).collect();
    assert_eq!(statuses, [400, 409, 400, 401]);

    let log = process.terminate().await;
    assert!(log.contains(&id.to_string()), "the log mentions the order: {log}");
    for private in private {
        assert!(!log.contains(private), "the log contains {private}");
        for response in &rejected {
            assert!(
                !response.body.contains(private),
                "a response with status {} contains {private}",
                response.status
            );
        }
    }
}
