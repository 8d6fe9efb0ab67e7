//! SIGHUP reloads the registry; tokens can expire and be disabled.

use sales_order_intake_service::Token;

use super::client::Client;
use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{TestServer, new_id, order, registry, settings, v3};
use super::waiting::until;

fn new_token() -> Token {
    Token::new_random().expect("a random source")
}

async fn put(client: &Client) -> u16 {
    let id = new_id();
    client.put(&v3(id), &[], order(id).to_string()).await.status
}

async fn wait_for(client: &Client, status: u16) {
    until(&format!("an order gets {status}"), async || put(client).await == status).await;
}

#[cfg(unix)]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_hangup_replaces_the_registry_unless_the_file_has_errors() {
    let (file, database) = (RegistryFile::new("reload"), Database::new().await);
    let mut process = ServerProcess::start(&file, &database, &["--log", "sales_order_intake=info"]).await;
    let (first, token) = (process.client.clone(), new_token());
    let second = Client::new(process.address, token.reveal());
    assert_eq!((put(&first).await, put(&second).await), (201, 401));
    file.write(&registry(&token));
    // Only a signal reloads it.
    assert_eq!(put(&first).await, 201);
    process.signal("HUP").await;
    wait_for(&second, 201).await;
    assert_eq!(put(&first).await, 401);

    for (bad, error) in [
        (
            registry(&new_token()).replace("id = 2301", "id = -1"),
            "companies[0].locations[0].id must be from 1 to 2147483647",
        ),
        ("[[companies".to_owned(), "TOML parse error"),
        // A file that is being written is empty at first.
        (String::new(), "contains no tokens"),
    ] {
        file.write(&bad);
        process.signal("HUP").await;
        process.wait_for_log(error).await;
        assert_eq!(put(&second).await, 201);
    }
    file.write(&registry(&file.token));
    process.signal("HUP").await;
    wait_for(&first, 201).await;
    assert_eq!(put(&second).await, 401);
    let log = process.terminate().await;
    assert_eq!(log.matches("the previous one stays in force").count(), 3, "{log}");
    assert_eq!(log.matches("registry reloaded").count(), 2, "{log}");
}

#[tokio::test]
async fn an_expired_or_disabled_token_is_rejected() {
    let entry = |token: &Token, more: &str| {
        let text = registry(token).replace("companies = [1501] }", &format!("companies = [1501], {more} }}"));
        assert!(text.contains(more));
        text
    };
    for (more, detail) in [
        ("expires = 2020-01-31T18:00:00Z", "The token has expired."),
        ("expires = 2020-01-31 18:00:00+02:00", "The token has expired."),
        ("disabled = true", "The token is disabled."),
        ("expires = 2999-01-31T18:00:00Z, disabled = false", ""),
    ] {
        let token = new_token();
        let service =
            TestServer::with_registry(settings(), &entry(&token, more), &token, Database::new().await).await;
        let id = new_id();
        let response = service.client.put(&v3(id), &[], order(id).to_string()).await;
        if detail.is_empty() {
            assert_eq!(response.status, 201, "{}", response.body);
        } else {
            response.is_problem(401, "unauthenticated");
            assert_eq!(response.json()["detail"], detail);
        }
    }
}
