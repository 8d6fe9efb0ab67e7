//! Clients that hold connections cannot keep others out, and their connections are closed in time.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{sleep, timeout};

use super::client::Client;
use super::database::Database;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{new_id, order, v3};

const GET: &str = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A connection over HTTP/2 that responds to pings.
struct Http2 {
    sender: SendRequest<Body>,
    connection: JoinHandle<hyper::Result<()>>,
}

impl Http2 {
    /// Connects with this initial window for responses, and sends a request.
    async fn connect(address: SocketAddr, window: u32, path: &str) -> (Self, hyper::Result<Incoming>) {
        let stream = TcpStream::connect(address).await.expect("a connection");
        let mut builder = Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.expect("HTTP/2");
        let connection = tokio::spawn(connection);
        let request = Request::get(format!("http://{address}{path}")).body(Body::empty()).expect("a request");
        let response = sender.send_request(request).await;
        (Self { sender, connection }, response.map(|response| response.into_body()))
    }

    async fn closed_within(self, time: Duration) {
        let closed = timeout(time, self.connection).await;
        closed.unwrap_or_else(|_| panic!("still open after {time:?}")).expect("no panic").ok();
        drop(self.sender);
    }
}

/// Sends requests over HTTP/1.1 until the service stops reading them, and never reads. Holds the connection.
async fn send_without_reading(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    // Small buffers, so that few requests are enough.
    socket.set_recv_buffer_size(4096).expect("set");
    let mut stream = socket.connect(address).await.expect("a connection");
    let requests = GET.repeat(20);
    // Stops when a write takes long, or fails because the connection has been closed.
    while let Ok(Ok(())) = timeout(Duration::from_millis(100), stream.write_all(requests.as_bytes())).await {}
    stream
}

/// Sends an order over a new connection. Returns how long it takes.
async fn put(process: &ServerProcess, registry: &RegistryFile) -> Duration {
    let client = Client::new(process.address, registry.token.reveal());
    let (id, started) = (new_id(), Instant::now());
    let path = v3(id);
    let response = timeout(Duration::from_secs(20), client.put(&path, &[], order(id).to_string()));
    assert_eq!(response.await.expect("a response in time").status, 201);
    started.elapsed()
}

/// Waits until the service has no more open files than at the start, and little memory.
async fn assert_recovers(process: &ServerProcess, files: Option<usize>) {
    let started = Instant::now();
    while process.open_files() > files {
        assert!(started.elapsed() < Duration::from_secs(20), "{:?} {files:?}", process.open_files());
        sleep(Duration::from_millis(50)).await;
    }
    assert!(process.memory().is_none_or(|memory| memory < 64), "{:?} MiB", process.memory());
}

/// Holds all 256 connections that a service allows, and then more, while orders are sent over new ones. An order must take
/// less than a second; some may take longer, because the machine is busy with other tests.
async fn attack<F: Future<Output: Send> + Send + 'static>(name: &str, hold: impl Fn(SocketAddr) -> F) {
    let (registry, database) = (RegistryFile::new(name), Database::new().await);
    let flags = ["--max-connections", "256", "--max-connections-per-address", "256"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    put(&process, &registry).await;
    let files = process.open_files();
    let hold = |count: usize| (0..count).map(|_| hold(process.address)).collect::<JoinSet<_>>().join_all();
    let mut held = Vec::new();
    for _ in 0..4 {
        held.extend(hold(64).await);
    }
    let mut times = Vec::new();
    for _ in 0..7 {
        held.extend(hold(16).await);
        times.push(put(&process, &registry).await);
    }
    times.sort_unstable();
    assert!(times[3] < Duration::from_secs(1), "{times:?}");
    drop(held);
    assert_recovers(&process, files).await;
    process.terminate().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_never_read_do_not_keep_others_out() {
    attack("never-read", send_without_reading).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn http_2_clients_that_only_respond_to_pings_do_not_keep_others_out() {
    attack("only-pings", |address| async move { Http2::connect(address, 65_535, "/health/live").await.0 })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn clients_that_send_nothing_do_not_keep_others_out() {
    attack("nothing", |address| async move { TcpStream::connect(address).await.expect("a connection") })
        .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_client_that_does_not_read_is_disconnected() {
    let (registry, database) = (RegistryFile::new("not-read"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--write-seconds", "1"]).await;
    let files = process.open_files();
    let held = send_without_reading(process.address).await;
    assert_recovers(&process, files).await;
    drop(held);
    // Over HTTP/2, a client can also refuse a response by its window.
    let (refusing, body) = Http2::connect(process.address, 0, "/openapi.json").await;
    refusing.closed_within(Duration::from_secs(10)).await;
    drop(body);
    assert_recovers(&process, files).await;
    let metrics = process.client.get("/metrics", &[]).await.body;
    assert!(
        metrics.contains(r#"sales_order_intake_connections_closed_total{reason="not_read"} 2"#),
        "{metrics}"
    );
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_idle_connection_is_closed() {
    let (registry, database) = (RegistryFile::new("idle"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--idle-seconds", "1"]).await;
    let (idle, response) = Http2::connect(process.address, 65_535, "/health/live").await;
    drop(response.expect("a response"));
    idle.closed_within(Duration::from_secs(8)).await;
    let mut stream = TcpStream::connect(process.address).await.expect("a connection");
    stream.write_all(GET.as_bytes()).await.expect("sent");
    let mut response = Vec::new();
    let closed = timeout(Duration::from_secs(8), stream.read_to_end(&mut response)).await;
    closed.expect("it is closed").expect("a response");
    assert!(response.starts_with(b"HTTP/1.1 200 "));
    let metrics = process.client.get("/metrics", &[]).await.body;
    assert!(metrics.contains(r#"sales_order_intake_connections_closed_total{reason="idle"} 2"#), "{metrics}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_service_without_file_descriptors_closes_connections_that_send_nothing() {
    let (registry, database) = (RegistryFile::new("descriptors"), Database::new().await);
    let script = "ulimit -n 100; exec \"$0\" \"$@\"";
    let process = ServerProcess::start_by(script, &registry, &database, &[]).await;
    let mut held = Vec::new();
    for _ in 0..200 {
        held.push(TcpStream::connect(process.address).await.expect("a connection"));
    }
    let time = put(&process, &registry).await;
    assert!(time < Duration::from_secs(5), "{time:?}");
}

/// Connects from another address of this machine.
#[cfg(target_os = "linux")]
async fn connect_from(local: &str, to: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.bind(format!("{local}:0").parse().expect("an address")).expect("bound");
    socket.connect(to).await.expect("a connection")
}

/// Sends a request over a connection that stays open. Returns false if the connection has been closed.
#[cfg(target_os = "linux")]
async fn is_open(stream: &mut TcpStream, request: &str) -> bool {
    let mut buffer = [0; 4096];
    if stream.write_all(request.as_bytes()).await.is_err() {
        return false;
    }
    stream.read(&mut buffer).await.is_ok_and(|read| read > 0)
}

// Other systems have only one address for the machine itself.
#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_address_can_hold_only_its_share() {
    const LIVE: &str = "GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n";
    let (registry, database) = (RegistryFile::new("address"), Database::new().await);
    // Half of them for one address.
    let process = ServerProcess::start(&registry, &database, &["--max-connections", "8"]).await;
    let with_token = format!(
        "PUT {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\n\
        Content-Type: application/json\r\nContent-Length: 0\r\n\r\n",
        v3(new_id()),
        registry.token.reveal()
    );
    let mut authenticated = connect_from("127.0.0.2", process.address).await;
    assert!(is_open(&mut authenticated, &with_token).await);
    let mut other = connect_from("127.0.0.3", process.address).await;
    assert!(is_open(&mut other, LIVE).await);
    let mut many = Vec::new();
    for _ in 0..10 {
        let mut stream = connect_from("127.0.0.2", process.address).await;
        assert!(is_open(&mut stream, LIVE).await);
        many.push(stream);
    }
    let mut open = 0;
    for mut stream in many {
        open += u32::from(is_open(&mut stream, LIVE).await);
    }
    assert_eq!(open, 3, "three of the four are without a token");
    assert!(is_open(&mut authenticated, &with_token).await);
    assert!(is_open(&mut other, LIVE).await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn idle_connections_with_a_token_make_room_but_running_requests_do_not() {
    let (registry, database) = (RegistryFile::new("make-room"), Database::new().await);
    let flags = ["--max-connections", "4", "--max-connections-per-address", "4", "--faults"];
    let process = ServerProcess::start(&registry, &database, &flags).await;
    for latency in ["latency=0", "latency=2500"] {
        let mut running = JoinSet::new();
        for _ in 0..4 {
            let client = Client::new(process.address, registry.token.reveal());
            running.spawn(async move {
                let id = new_id();
                let response = client.put(&v3(id), &[("x-fault", latency)], order(id).to_string()).await;
                // Returns the client too, so that its connection stays open.
                (client, response.status)
            });
        }
        let mut idle = Vec::new();
        if latency == "latency=0" {
            idle = running.join_all().await;
            let time = put(&process, &registry).await;
            assert!(time < Duration::from_secs(5), "{time:?}");
        } else {
            put(&process, &registry).await;
            idle.extend(running.join_all().await);
        }
        assert!(idle.iter().all(|(_, status)| *status == 201));
    }
}
