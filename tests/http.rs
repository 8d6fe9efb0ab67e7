//! The feature `http`: the request as a value of the crate `http`.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use http::HeaderMap;
use sales_order_intake::{HEADERS, PreparedRequest, RuleOptions, ToHttpError, prepare_request};

const ORDER: &str = r#"{
    "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1501, "EntityId": 2301,
    "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "Items": [{ "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": "3.50", "SellAtPricePerUnit": 10 }]
}"#;

fn prepared() -> PreparedRequest {
    prepare_request(ORDER, &RuleOptions::default()).unwrap()
}

#[test]
fn a_request_has_method_headers_and_body_of_the_operation() {
    let prepared = prepared();
    let request = prepared.to_http("https://x.example", "a-token").unwrap();
    assert_eq!(request.method(), PreparedRequest::METHOD);
    assert_eq!(request.body(), &prepared.body);
    let mut expected = HeaderMap::new();
    for (name, value) in HEADERS {
        expected.insert(name, value.parse().unwrap());
    }
    expected.insert("authorization", "Bearer a-token".parse().unwrap());
    assert_eq!(request.headers(), &expected);
}

#[test]
fn a_request_is_sent_below_the_base_url() {
    for (base_url, base) in [
        ("https://x.example", "https://x.example/"),
        ("https://x.example/", "https://x.example/"),
        ("https://x.example/a/b", "https://x.example/a/b/"),
        ("https://x.example/a/b/", "https://x.example/a/b/"),
        ("https://x.example:8443/a%20b//", "https://x.example:8443/a%20b/"),
        ("HTTPS://x.example/Intake", "https://x.example/Intake/"),
        ("http://localhost:3000/a", "http://localhost:3000/a/"),
        ("http://LOCALHOST", "http://LOCALHOST/"),
        ("http://api.localhost", "http://api.localhost/"),
        ("http://127.9.9.9", "http://127.9.9.9/"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080/"),
        ("http://[::1]:8080/a", "http://[::1]:8080/a/"),
        ("https://[2001:db8::1]", "https://[2001:db8::1]/"),
    ] {
        let request = prepared().to_http(base_url, "a-token").unwrap();
        let url = format!("{base}v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
        assert_eq!(request.uri().to_string(), url);
    }
}

#[test]
fn a_base_url_that_could_show_the_token_or_is_none_is_refused() {
    use ToHttpError::{HasCredentials, HasQuery, NotAUrl, NotSecure};
    let too_long = format!("https://x.example/{}", "a".repeat(70_000));
    for (base_url, error) in [
        ("", NotAUrl),
        ("/intake", NotAUrl),
        ("x.example", NotAUrl),
        ("x.example/a", NotAUrl),
        ("https://", NotAUrl),
        ("https:///a", NotAUrl),
        ("https://:443/a", NotAUrl),
        ("https://x.example:99999", NotAUrl),
        ("https://x.example/a b", NotAUrl),
        ("https://x.example/\r\nHost: y", NotAUrl),
        (&too_long, NotAUrl),
        ("http://x.example", NotSecure),
        ("http://localhost.x.example", NotSecure),
        ("http://127.0.0.1.x.example", NotSecure),
        ("http://10.0.0.1", NotSecure),
        ("http://[::2]", NotSecure),
        ("http://0.0.0.0", NotSecure),
        ("ftp://x.example", NotSecure),
        ("https://me:s3cret@x.example", HasCredentials),
        ("https://s3cret@x.example", HasCredentials),
        ("http://localhost@x.example", HasCredentials),
        ("https://x.example?key=s3cret", HasQuery),
        ("https://x.example#s3cret", HasQuery),
    ] {
        let found = prepared().to_http(base_url, "a-token").unwrap_err();
        assert_eq!(found, error, "{base_url}");
        assert!(!format!("{found} {found:?}").contains("s3cret"), "{found}");
    }
}

#[test]
fn a_token_is_never_printed_and_must_be_one() {
    let request = prepared().to_http("https://x.example", "s3cret").unwrap();
    assert!(request.headers()["authorization"].is_sensitive());
    assert!(!format!("{request:?}").contains("s3cret"));
    for token in ["", "Bearer s3cret", "s3cret\r\nX: y", "s3crét", "s3cret "] {
        let error = prepared().to_http("https://x.example", token).unwrap_err();
        assert_eq!(error, ToHttpError::NotAToken);
        assert!(!format!("{error} {error:?}").contains("s3cr"), "{error}");
    }
}
