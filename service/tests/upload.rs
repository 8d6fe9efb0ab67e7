//! A client that stops before the last byte of its body, so that its request is running until it goes on.

use std::net::SocketAddr;

use sales_order_intake::Guid;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;

use super::server_process::RegistryFile;
use super::test_server::{order, v3};
use super::waiting::within_limit;

pub(crate) struct Upload {
    stream: TcpStream,
    body: String,
}

impl Upload {
    /// Sends the head of an order and waits until the service has checked its token and asks for the body.
    pub(crate) async fn start(address: SocketAddr, registry: &RegistryFile, id: Guid) -> Self {
        let body = order(id).to_string();
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        let head = format!(
            "PUT {} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {}\r\nContent-Type: application/json\r\n\
            Content-Length: {}\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n",
            v3(id),
            registry.token.reveal(),
            body.len()
        );
        stream.write_all(head.as_bytes()).await.expect("sent");
        let expected = b"HTTP/1.1 100 Continue\r\n\r\n";
        let mut received = [0; 25];
        within_limit("the service to ask for a body", stream.read_exact(&mut received)).await.expect("100");
        assert_eq!(&received, expected, "{}", String::from_utf8_lossy(&received));
        Self { stream, body }
    }

    /// Sends the body. Returns the response; an empty string if the service has closed the connection.
    pub(crate) async fn finish(mut self) -> String {
        // Fails if the connection is closed.
        let _ = self.stream.write_all(self.body.as_bytes()).await;
        read_to_end(&mut self.stream).await
    }
}

/// Reads until the connection is closed; a reset closes it too.
pub(crate) async fn read_to_end(stream: &mut (impl tokio::io::AsyncRead + Unpin)) -> String {
    let mut bytes = Vec::new();
    let _ = within_limit("the end of a connection", stream.read_to_end(&mut bytes)).await;
    String::from_utf8(bytes).expect("UTF-8")
}
