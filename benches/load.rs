//! Load for a running service: new orders from many connections at once, as fast as they are answered.
//!
//! `load <base URL> <token> <connections> <seconds>` prints one line of JSON: orders a second and the time they took.
//! It is a process of its own, so that what it costs is not taken from the threads of the service.
#![expect(clippy::print_stdout, clippy::float_arithmetic, reason = "figures for people")]

use std::error::Error;
use std::time::{Duration, Instant};

use axum::body::{self, Body};
use axum::http::Request;
use hyper_util::client::legacy::Client;
use hyper_util::rt::TokioExecutor;
use sales_order_intake::Guid;
use tokio::task::JoinSet;

/// A usual order: three lines, a customer's name, notes.
const ORDER: &str = r#"{"Id":"{id}","CompanyId":1501,"EntityId":2301,"FirstName":"Ada","LastName":"Byron","IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Items":[{"Name":"Green tea, per gram","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":2.345,"SellAtPricePerUnit":12.50},{"Name":"Cups","CatalogItemId":"d4b2e1cf-7c63-4e29-8f58-2a3b4c5d6e7f","Quantity":4,"SellAtPricePerUnit":8.5},{"Name":"Tray","CatalogItemId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","Quantity":1,"SellAtPricePerUnit":30}],"Notes":"Ring twice"}"#;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [base, token, connections, seconds] = &*arguments else {
        return Err("usage: load <base URL> <token> <connections> <seconds>".into());
    };
    let connections: usize = connections.parse()?;
    let time = Duration::from_secs(seconds.parse()?);
    let started = Instant::now();
    let mut senders = JoinSet::new();
    for _ in 0..connections {
        senders.spawn(send(base.clone(), token.clone(), started + time));
    }
    let mut took = Vec::new();
    for sent in senders.join_all().await {
        took.extend(sent?);
    }
    let elapsed = started.elapsed();
    took.sort_unstable();
    let quantile = |percent: usize| {
        let at = took.len().saturating_sub(1) * percent / 100;
        took.get(at).map_or(0.0, |took: &Duration| took.as_secs_f64() * 1000.0)
    };
    let orders = u32::try_from(took.len())?;
    println!(
        "{{\"orders\":{orders},\"perSecond\":{:.0},\"p50Ms\":{:.2},\"p99Ms\":{:.2}}}",
        f64::from(orders) / elapsed.as_secs_f64(),
        quantile(50),
        quantile(99)
    );
    Ok(())
}

/// One connection: an order, its answer, the next.
async fn send(base: String, token: String, until: Instant) -> Result<Vec<Duration>, Failure> {
    let client = Client::builder(TokioExecutor::new()).build_http();
    let authorization = format!("Bearer {token}");
    let mut took = Vec::new();
    while Instant::now() < until {
        let id = Guid::new_random()?.to_string();
        let request = Request::put(format!("{base}/v3/ServiceOrder({id})"))
            .header("Authorization", &authorization)
            .header("Accept", "application/json")
            .header("Content-Type", "application/json")
            .body(Body::from(ORDER.replace("{id}", &id)))?;
        let sent = Instant::now();
        let response = client.request(request).await?;
        let status = response.status();
        let body = body::to_bytes(Body::new(response.into_body()), usize::MAX).await?;
        took.push(sent.elapsed());
        if status != 201 {
            return Err(format!("{status}: {}", String::from_utf8_lossy(&body)).into());
        }
    }
    Ok(took)
}
