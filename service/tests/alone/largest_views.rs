//! Orders are accepted while many clients read the largest views of the point of sale.

use std::sync::Arc;

use serde_json::json;
use tokio::io::AsyncWriteExt as _;
use tokio::net::TcpStream;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use crate::database::Database;
use crate::server_process::{RegistryFile, ServerProcess};
use crate::stores::pos_pages::{MAX_BYTES, VIEW, store};
use crate::test_server::{new_id, order, v3};
use crate::waiting::within_limit;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn orders_are_accepted_while_many_read_the_largest_views() {
    let (registry, database) = (RegistryFile::new("views"), Database::new().await);
    let process = ServerProcess::start(&registry, &database, &["--point-of-sale"]).await;
    for number in 0..24 {
        // Too large to be shown, and the largest that are shown.
        store(&process.client, [840_000, 200_000][number % 2]).await;
    }
    let (mut readers, responses) = (JoinSet::new(), Arc::new(Semaphore::new(0)));
    for _ in 0..8 {
        let (client, responses) = (process.client.clone(), Arc::clone(&responses));
        readers.spawn(async move {
            let mut path = VIEW.to_owned();
            loop {
                // 503 if too many read at once.
                let response = client.get(&path, &[]).await;
                assert!(response.body.len() <= MAX_BYTES, "{}", response.body.len());
                let older = (response.status == 200).then(|| response.json()["older"].clone());
                path = older.and_then(|older| Some(older.as_str()?.to_owned())).unwrap_or(VIEW.to_owned());
                responses.add_permits(1);
            }
        });
    }
    // Peers that ask for the view and never read it.
    let mut silent = Vec::new();
    for _ in 0..50 {
        let mut stream = TcpStream::connect(process.address).await.expect("a connection");
        let request = format!("GET {VIEW} HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(20);
        stream.write_all(request.as_bytes()).await.expect("sent");
        silent.push(stream);
    }
    for _ in 0..5 {
        // The readers have got as many responses since the previous order.
        within_limit("responses to readers", responses.acquire_many(8)).await.expect("open").forget();
        let id = new_id();
        let mut order = order(id);
        order["EntityId"] = json!(2302);
        assert_eq!(process.client.put(&v3(id), &[], order.to_string()).await.status, 201);
    }
    readers.abort_all();
    if let Some(memory) = process.peak_memory() {
        assert!(memory < 64, "{memory} MiB");
    }
    drop(silent);
    process.terminate().await;
}
