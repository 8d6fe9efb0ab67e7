//! The paths besides the operations. tests/testing/behaviour.mjs has the tests of the operations.

use super::test_server::TestServer;

#[tokio::test]
async fn endpoints_take_only_get_and_head() {
    let service = TestServer::new().await;
    for path in ["/health/live", "/health/ready"] {
        assert_eq!(service.client.get(path, &[]).await.status, 204);
        let put = service.client.put(path, &[], "").await;
        assert_eq!(put.is_problem(405, "method-not-allowed").header("allow"), "GET, HEAD");
    }
}

#[tokio::test]
async fn endpoints_that_are_off_are_not_found() {
    let service = TestServer::new().await;
    for path in ["/", "/assets/app.js", "/demo.json", "/requests", "/pos/1501/2301", "/pos/page.js"] {
        service.client.get(path, &[]).await.is_problem(404, "not-found");
    }
}
