//! A database server that can be down, for tests: a proxy before the real one.

use std::net::SocketAddr;

use tokio::net::{TcpListener, TcpStream};
use tokio::task::{JoinHandle, JoinSet};

/// Passes connections on to the database server until it is dropped. Then they are closed, and new ones
/// refused.
pub(crate) struct DatabaseProxy(JoinHandle<()>);

impl DatabaseProxy {
    /// Starts at the address of an earlier proxy, or at a free port.
    pub(crate) async fn start(address: Option<SocketAddr>, server: &str) -> (Self, SocketAddr) {
        // No other test listens on this address, so the port of an earlier proxy stays free.
        let own = if cfg!(target_os = "linux") { [127, 0, 0, 9] } else { [127, 0, 0, 1] };
        let address = address.unwrap_or(SocketAddr::from((own, 0)));
        let listener = TcpListener::bind(address).await.expect("the port is free");
        let (address, server) = (listener.local_addr().expect("an address"), server.to_owned());
        let accept = tokio::spawn(async move {
            let mut connections = JoinSet::new();
            loop {
                let (mut client, _) = listener.accept().await.expect("a connection");
                let server = server.clone();
                connections.spawn(async move {
                    let mut server = TcpStream::connect(server).await.expect("the server");
                    // An error ends the connection.
                    let _ = tokio::io::copy_bidirectional(&mut client, &mut server).await;
                });
            }
        });
        (Self(accept), address)
    }

    pub(crate) async fn stop(self) {
        self.0.abort();
        self.0.await.expect_err("it was running");
    }
}
