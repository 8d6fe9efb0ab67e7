//! Clients that hold a connection of the service.

use std::net::SocketAddr;

use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::client::conn::http2::{Builder, SendRequest};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::io::AsyncWriteExt as _;
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinHandle;

use super::client::Client;
use super::server_process::{RegistryFile, ServerProcess};
use super::test_server::{new_id, order, v3};
use super::waiting::{until, within_limit};

pub(crate) const GET: &str = "GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A connection over HTTP/2 that responds to pings.
pub(crate) struct Http2 {
    sender: SendRequest<Body>,
    connection: JoinHandle<hyper::Result<()>>,
}

impl Http2 {
    /// Connects with this initial window for responses, and sends a request.
    pub(crate) async fn connect(
        address: SocketAddr,
        window: u32,
        path: &str,
    ) -> (Self, hyper::Result<Incoming>) {
        let stream = TcpStream::connect(address).await.expect("a connection");
        let mut builder = Builder::new(TokioExecutor::new());
        builder.initial_stream_window_size(window);
        let (mut sender, connection) = builder.handshake(TokioIo::new(stream)).await.expect("HTTP/2");
        let connection = tokio::spawn(connection);
        let request = Request::get(format!("http://{address}{path}")).body(Body::empty()).expect("a request");
        let response = sender.send_request(request).await;
        (Self { sender, connection }, response.map(|response| response.into_body()))
    }

    /// Waits until the service closes the connection.
    pub(crate) async fn closed(self) {
        let closed = within_limit("the service to close a connection over HTTP/2", self.connection).await;
        // A reset closes it too.
        closed.expect("no panic").ok();
        drop(self.sender);
    }
}

/// Connects with a small buffer for responses, so that few of them fill it.
pub(crate) async fn connect_to_not_read(address: SocketAddr) -> TcpStream {
    let socket = TcpSocket::new_v4().expect("a socket");
    socket.set_recv_buffer_size(4096).expect("set");
    socket.connect(address).await.expect("a connection")
}

/// Requests more than the system buffers, and reads nothing. Returns the connection.
pub(crate) async fn request_without_reading(address: SocketAddr) -> TcpStream {
    let mut stream = connect_to_not_read(address).await;
    // The responses are 8 MB. Fails if the connection has been closed.
    let _ = stream.write_all(GET.repeat(400).as_bytes()).await;
    stream
}

/// Sends an order over a new connection.
pub(crate) async fn put(process: &ServerProcess, registry: &RegistryFile) {
    let client = Client::new(process.address, registry.token.reveal());
    let id = new_id();
    assert_eq!(client.put(&v3(id), &[], order(id).to_string()).await.status, 201);
}

/// Waits until the service has no more open files than at the start. Asserts that it has little memory.
pub(crate) async fn assert_recovers(process: &ServerProcess, files: Option<usize>) {
    until("the service has no more open files than before", async || process.open_files() <= files).await;
    assert!(process.memory().is_none_or(|memory| memory < 64), "{:?} MiB", process.memory());
}
