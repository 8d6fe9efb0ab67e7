//! Tokens can expire and be disabled.

use sales_order_intake_service::Token;

use super::database::Database;
use super::test_server::{TestServer, new_id, order, registry, settings, v3};

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
        let token = Token::new_random().expect("a random source");
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
