//! Load for a running service: new orders from many connections at once, as fast as they are answered.
//!
//! `load <base URL> <token> <connections> <seconds>` prints one line of JSON: orders a second, and the time they
//! took. It is a process of its own, so that what it costs is not taken from the threads of
//! the service; and since it is on the same cores, it costs as little as it can: one thread, requests that are made
//! once and get a new id in place, HTTP/1.1 over connections that are kept, one request at a time on each, and of an
//! answer only status and length are read.
#![expect(clippy::print_stdout, clippy::float_arithmetic, reason = "figures for people")]

use std::error::Error;
use std::time::{Duration, Instant};

use sales_order_intake::Guid;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
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
    let host = base.strip_prefix("http://").ok_or("the base URL must be http://<host>:<port>")?;
    let connections: usize = connections.parse()?;
    let time = Duration::from_secs(seconds.parse()?);
    let started = Instant::now();
    let mut senders = JoinSet::new();
    for _ in 0..connections {
        senders.spawn(send(host.to_owned(), token.clone(), started + time));
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
async fn send(host: String, token: String, until: Instant) -> Result<Vec<Duration>, Failure> {
    let mut stream = TcpStream::connect(&host).await?;
    stream.set_nodelay(true)?;
    let mut request = Request::new(&host, &token);
    let mut answer = Vec::with_capacity(16 << 10);
    let mut took = Vec::new();
    while Instant::now() < until {
        let bytes = request.next()?;
        let sent = Instant::now();
        stream.write_all(bytes).await?;
        answer.clear();
        while !is_whole(&answer)? {
            if stream.read_buf(&mut answer).await? == 0 {
                return Err("the connection was closed".into());
            }
        }
        took.push(sent.elapsed());
        if !answer.starts_with(b"HTTP/1.1 201 ") {
            return Err(String::from_utf8_lossy(&answer).into());
        }
    }
    Ok(took)
}

/// The bytes of a request, made once.
struct Request {
    bytes: Vec<u8>,
    /// Where the id stands: in the path and in the body.
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

    /// The request with a new id.
    fn next(&mut self) -> Result<&[u8], Failure> {
        let id = Guid::new_random()?.to_string();
        for at in self.ids {
            let place = self.bytes.get_mut(at..at + id.len()).ok_or("the request has no place for an id")?;
            place.copy_from_slice(id.as_bytes());
        }
        Ok(&self.bytes)
    }
}

/// Whether head and body are there; answers without a Content-Length are of no service that is measured here.
fn is_whole(answer: &[u8]) -> Result<bool, Failure> {
    let Some(end) = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n") else { return Ok(false) };
    let (head, body) = answer.split_at(end + 4);
    let head = std::str::from_utf8(head)?;
    let mut headers = head.lines().filter_map(|line| line.split_once(": "));
    let length = headers.find(|(name, _)| name.eq_ignore_ascii_case("content-length"));
    let (_, length) = length.ok_or_else(|| format!("no Content-Length: {head}"))?;
    Ok(body.len() >= length.parse()?)
}
