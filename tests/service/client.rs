//! A plain HTTP client: what it is given goes out, what comes back is kept as text.

use std::net::SocketAddr;

use axum::body::{self, Body};
use axum::http::{HeaderMap, Method, Request, Version};
use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::{self, Error};
use hyper_util::rt::TokioExecutor;
use serde_json::Value;

#[derive(Clone)]
pub(crate) struct Client {
    inner: legacy::Client<HttpConnector, Body>,
    base: String,
    token: String,
}

pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) version: Version,
    pub(crate) headers: HeaderMap,
    pub(crate) body: String,
}

impl Client {
    pub(crate) fn new(address: SocketAddr, token: &str) -> Self {
        Self::over(legacy::Client::builder(TokioExecutor::new()).build_http(), address, token)
    }

    /// One that speaks HTTP/2 from the first byte.
    pub(crate) fn http2(address: SocketAddr, token: &str) -> Self {
        let inner = legacy::Client::builder(TokioExecutor::new()).http2_only(true).build_http();
        Self::over(inner, address, token)
    }

    /// The same, speaking HTTP/2.
    pub(crate) fn over_http2(&self, address: SocketAddr) -> Self {
        Self::http2(address, &self.token)
    }

    fn over(inner: legacy::Client<HttpConnector, Body>, address: SocketAddr, token: &str) -> Self {
        Self { inner, base: format!("http://{address}"), token: token.to_owned() }
    }

    /// A PUT with the headers of §4; `headers` replace those of the same name, empty ones leave them out.
    pub(crate) async fn put(&self, path: &str, headers: &[(&str, &str)], body: impl Into<Body>) -> Answer {
        self.try_put(path, headers, body).await.expect("an answer")
    }

    pub(crate) async fn try_put(
        &self,
        path: &str,
        headers: &[(&str, &str)],
        body: impl Into<Body>,
    ) -> Result<Answer, Error> {
        let token = format!("Bearer {}", self.token);
        let usual = [
            ("authorization", token.as_str()),
            ("accept", "application/json"),
            ("content-type", "application/json"),
        ];
        let usual = usual.into_iter().filter(|(name, _)| headers.iter().all(|(other, _)| other != name));
        let headers: Vec<_> = usual.chain(headers.iter().copied()).collect();
        self.send(Method::PUT, path, &headers, body.into()).await
    }

    pub(crate) async fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send(Method::GET, path, headers, Body::empty()).await.expect("an answer")
    }

    pub(crate) async fn send(
        &self,
        method: Method,
        path: &str,
        headers: &[(&str, &str)],
        body: Body,
    ) -> Result<Answer, Error> {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in headers.iter().filter(|(_, value)| !value.is_empty()) {
            request = request.header(*name, *value);
        }
        let response = self.inner.request(request.body(body).expect("a request")).await?;
        let (head, body) = response.into_parts();
        let body = body::to_bytes(Body::new(body), usize::MAX).await.expect("a whole body");
        let body = String::from_utf8(body.into()).expect("UTF-8");
        Ok(Answer { status: head.status.as_u16(), version: head.version, headers: head.headers, body })
    }
}

impl Answer {
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().expect("ASCII"))
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// IssueCode and pointer of every entry of a problem's `errors`.
    pub(crate) fn errors(&self) -> Vec<String> {
        let json = self.json();
        let text = |error: &Value, member: &str| error[member].as_str().expect("text").to_owned();
        let errors = json["errors"].as_array().cloned().unwrap_or_default();
        errors.iter().map(|error| [text(error, "code"), text(error, "pointer")].join(" ")).collect()
    }

    /// Fails unless this is a problem of this status and type, as RFC 9457 has it (D29).
    pub(crate) fn is_problem(&self, status: u16, kind: &str) -> &Self {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(self.header("content-type"), "application/problem+json");
        let json = self.json();
        assert_eq!(json["type"], format!("urn:sales-order-intake:problem:{kind}"));
        assert_eq!(json["status"], status);
        assert!(["title", "detail"].iter().all(|member| json[member].is_string()), "{}", self.body);
        self
    }
}
