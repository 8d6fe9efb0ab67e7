//! A plain HTTP client: sends exactly what it is given and returns the response as a string.

use std::net::SocketAddr;

use axum::body::{self, Body};
use axum::http::{HeaderMap, Method, Request, Version};
use hyper_util::client::legacy;
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

use super::waiting::within_limit;

/// The reason why there is no response, or not a whole one.
pub(crate) type Error = Box<dyn std::error::Error + Send + Sync>;

#[derive(Clone)]
pub(crate) struct Client {
    inner: legacy::Client<HttpConnector, Body>,
    base: String,
    token: String,
}

pub(crate) struct TestResponse {
    pub(crate) status: u16,
    pub(crate) version: Version,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Client {
    pub(crate) fn new(address: SocketAddr, token: &str) -> Self {
        Self::over(legacy::Client::builder(TokioExecutor::new()).build_http(), address, token)
    }

    /// Returns a client that uses HTTP/2 without an upgrade.
    pub(crate) fn http2(address: SocketAddr, token: &str) -> Self {
        let inner = legacy::Client::builder(TokioExecutor::new()).http2_only(true).build_http();
        Self::over(inner, address, token)
    }

    /// Returns a client with the same token that uses HTTP/2.
    pub(crate) fn over_http2(&self, address: SocketAddr) -> Self {
        Self::http2(address, &self.token)
    }

    fn over(inner: legacy::Client<HttpConnector, Body>, address: SocketAddr, token: &str) -> Self {
        Self { inner, base: format!("http://{address}"), token: token.to_owned() }
    }

    /// Sends a PUT with the headers of §4. `headers` replace those of the same name; an empty value removes
    /// the header.
    pub(crate) async fn put(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> TestResponse {
        self.try_put(path, headers, body).await.expect("a response")
    }

    pub(crate) async fn try_put(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Result<TestResponse, Error> {
        let token = format!("Bearer {}", self.token);
        let defaults = [
            ("authorization", token.as_str()),
            ("accept", "application/json"),
            ("content-type", "application/json"),
        ];
        let defaults =
            defaults.into_iter().filter(|(name, _)| headers.iter().all(|(other, _)| other != name));
        let headers: Vec<_> = defaults.chain(headers.iter().copied()).collect();
        self.send(Method::PUT, path, &headers, body.into()).await
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> TestResponse {
        self.send(Method::GET, path, headers, Body::empty()).await.expect("a response")
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Result<TestResponse, Error> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let request = request.body(body).expect("a request");
        let (head, body) = within_limit("a response", async {
            let (head, body) = self.inner.request(request).await?.into_parts();
            Ok::<_, Error>((head, body::to_bytes(Body::new(body), usize::MAX).await?))
        })
        .await?;
        let body = String::from_utf8(body.into()).expect("UTF-8");
        Ok(TestResponse { status: head.status.as_u16(), version: head.version, headers: head.headers, body })
    }
}

impl TestResponse {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// Returns code and pointer of every entry of a problem's `errors`.
    pub(crate) fn errors(&self) -> Vec<String> {
        let json = self.json();
        let member = |error: &Value, name: &str| error[name].as_str().expect("a string").to_owned();
        let errors = json["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| [member(error, "code"), member(error, "pointer")].join(" ")).collect()
    }

    /// Asserts that this is a problem of this status and type (RFC 9457, D29).
    pub(crate) fn is_problem(&self, status: u16, problem_type: &str) -> &Self {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let json = self.json();
        assert_eq!(json["type"], format!("urn:sales-order-intake:problem:{problem_type}"));
        assert_eq!(json["status"], status);
        assert!(["title", "detail"].iter().all(|member| json[member].is_string()), "{}", self.body);
        self
    }
}
