//! Load for a running service: sends new orders over many connections at once, each after the previous
//! response.
//!
//! `load <base URL> <token> <connections> <seconds>` prints one line of JSON: orders per second and
//! latencies.
//!
//! It is a separate process, so that it does not use the threads of the service. It runs on the same cores,
//! so it does little: one thread, requests that are built once and get a new id in place, persistent HTTP/1.1
//! connections with one request at a time, and only status and length of a response are read.
#![expect(clippy::print_stdout, clippy::float_arithmetic, reason = "prints figures")]

use std::error::Error;
use std::time::{Duration, Instant};

use sales_order_intake::Guid;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// A typical order: three lines, a customer's name, notes.
const ORDER: &str = r#"{"Id":"{id}","CompanyId":1501,"EntityId":2301,"FirstName":"Ada","LastName":"Byron","IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Items":[{"Name":"Green tea, per gram","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":2.345,"SellAtPricePerUnit":12.50},{"Name":"Cups","CatalogItemId":"d4b2e1cf-7c63-4e29-8f58-2a3b4c5d6e7f","Quantity":4,"SellAtPricePerUnit":8.5},{"Name":"Tray","CatalogItemId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","Quantity":1,"SellAtPricePerUnit":30}],"Notes":"Ring twice"}"#;

type Failure = Box<dyn Error + Send + Sync>;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    let [base, token, connections, seconds] = &*arguments else {
        return Err("usage: load <base URL> <token> <connections> <seconds>".into());
    };
    let host = base.strip_prefix("http://").ok_or("the base URL must be http://<host>:<port>")?;
    let connections: usize = connections.parse()?;
    let time = Duration::from_secs(seconds.parse()?);
    let started = Instant::now();
    let mut senders = JoinSet::new();
    for _ in 0..connections {
        senders.spawn(send(host.to_owned(), token.clone(), started + time));
    }
    let mut latencies = Vec::new();
    for sent in senders.join_all().await {
        latencies.extend(sent?);
    }
    let elapsed = started.elapsed();
    latencies.sort_unstable();
    let quantile = |percent: usize| {
        let index = latencies.len().saturating_sub(1) * percent / 100;
        latencies.get(index).map_or(0.0, |latency: &Duration| latency.as_secs_f64() * 1000.0)
    };
    let orders = u32::try_from(latencies.len())?;
    println!(
        "{{\"orders\":{orders},\"perSecond\":{:.0},\"p50Ms\":{:.2},\"p99Ms\":{:.2}}}",
        f64::from(orders) / elapsed.as_secs_f64(),
        quantile(50),
        quantile(99)
    );
    Ok(())
}

/// Sends orders over one connection. Returns the latency of each.
async fn send(host: String, token: String, until: Instant) -> Result<Vec<Duration>, Failure> {
    let mut stream = TcpStream::connect(&host).await?;
    stream.set_nodelay(true)?;
    let mut request = Request::new(&host, &token);
    let mut response = Vec::with_capacity(16 << 10);
    let mut latencies = Vec::new();
    while Instant::now() < until {
        let bytes = request.next()?;
        let sent = Instant::now();
        stream.write_all(bytes).await?;
        response.clear();
        while !is_complete(&response)? {
            if stream.read_buf(&mut response).await? == 0 {
                return Err("the connection was closed".into());
            }
        }
        latencies.push(sent.elapsed());
        // 201, or 202 of the relay.
        if !response.starts_with(b"HTTP/1.1 20") {
            return Err(String::from_utf8_lossy(&response).into());
        }
    }
    Ok(latencies)
}

/// The bytes of a request, built once.
struct Request {
    bytes: Vec<u8>,
    /// The positions of the id: in the path and in the body.
    ids: [usize; 2],
}

impl Request {
    fn new(host: &str, token: &str) -> Self {
        let length = ORDER.len() - "{id}".len() + 36;
        let text = format!(
            "PUT /v3/ServiceOrder({{id}}) HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\n\
            Accept: application/json\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{ORDER}"
        );
        let zeros = "0".repeat(36);
        let text = text.replace("{id}", &zeros);
        let path = text.find(&zeros).unwrap_or_default();
        let body = text.rfind(&zeros).unwrap_or_default();
        Self { bytes: text.into_bytes(), ids: [path, body] }
    }

    /// Returns the request with a new id.
    fn next(&mut self) -> Result<&[u8], Failure> {
        let id = Guid::new_random()?.to_string();
        for at in self.ids {
            let slot = self.bytes.get_mut(at..at + id.len()).ok_or("the request has no id")?;
            slot.copy_from_slice(id.as_bytes());
        }
        Ok(&self.bytes)
    }
}

/// Returns true if the response has its head and whole body. All measured services send a Content-Length.
fn is_complete(response: &[u8]) -> Result<bool, Failure> {
    let Some(end) = response.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return Ok(false) };
    let (head, body) = response.split_at(end + 4);
    let head = std::str::from_utf8(head)?;
    let mut headers = head.lines().filter_map(|line| line.split_once(": "));
    let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let (_, length) = length.ok_or_else(|| format!("no Content-Length: {head}"))?;
    Ok(body.len() >= length.parse()?)
}
