//! Orders in one SQLite file: WAL, synced at every commit, and many orders in one commit.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};
use sqlx::{SqliteConnection, query, query_as, query_scalar};
use tokio::sync::{Mutex, Notify, mpsc, oneshot};
use tokio::task::JoinHandle;

use super::{Accepted, Kept, StoreError, Stored, kept, schema};

/// Orders that are committed together at most. A sync takes far longer than that many inserts.
const MOST_IN_A_COMMIT: usize = 256;
/// Orders that wait for the next commit at most; beyond that requests wait for a place.
const MOST_WAITING: usize = 4096;

#[derive(Clone)]
pub(crate) struct Sqlite {
    readers: SqlitePool,
    waiting: mpsc::Sender<Waiting>,
    closing: Arc<Notify>,
    /// Whoever closes waits for it.
    writer: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// An order, and who waits for it.
struct Waiting {
    order: Accepted,
    answer: oneshot::Sender<Result<Stored, StoreError>>,
}

impl Sqlite {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str(url)?
            .create_if_missing(true)
            .journal_mode(SqliteJournalMode::Wal)
            // With WAL only FULL syncs at every commit: an order is answered when it is durable.
            .synchronous(SqliteSynchronous::Full)
            // Another process may be writing to the same file.
            .busy_timeout(Duration::from_secs(10));
        // One connection writes; it is opened anew if it fails.
        let writers = SqlitePoolOptions::new().max_connections(1).connect_with(options.clone()).await?;
        schema::sqlite().run(&writers).await?;
        let readers =
            SqlitePoolOptions::new().max_connections(4).connect_with(options.read_only(true)).await?;
        let (waiting, queue) = mpsc::channel(MOST_WAITING);
        let closing = Arc::new(Notify::new());
        let writer = tokio::spawn(write(writers, queue, Arc::clone(&closing)));
        Ok(Self { readers, waiting, closing, writer: Arc::new(Mutex::new(Some(writer))) })
    }

    pub(super) async fn put(&self, order: Accepted) -> Result<Stored, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.waiting.send(Waiting { order, answer }).await.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    pub(super) async fn latest(&self, company: u32, entity: u32, most: u32) -> Result<Vec<Kept>, StoreError> {
        let rows = query_as(
            "SELECT id, integrator, version, body FROM orders
             WHERE company = ? AND entity = ? ORDER BY receipt DESC LIMIT ?",
        );
        let rows = rows.bind(company).bind(entity).bind(most).fetch_all(&self.readers).await?;
        rows.into_iter().map(kept).collect()
    }

    pub(super) async fn ready(&self) -> Result<(), StoreError> {
        let _: i64 = query_scalar("SELECT 1").fetch_one(&self.readers).await?;
        Ok(())
    }

    pub(super) async fn close(self) {
        self.closing.notify_one();
        if let Some(writer) = self.writer.lock().await.take() {
            // It can only have failed by a panic, which has been told of.
            let _ = writer.await;
        }
        self.readers.close().await;
    }
}

/// Takes whatever waits, commits it together, answers, and again.
async fn write(writers: SqlitePool, mut queue: mpsc::Receiver<Waiting>, closing: Arc<Notify>) {
    let mut batch = Vec::with_capacity(MOST_IN_A_COMMIT);
    loop {
        tokio::select! {
            // What waits is still written; then there is nothing more to receive.
            () = closing.notified() => queue.close(),
            taken = queue.recv_many(&mut batch, MOST_IN_A_COMMIT) => if taken == 0 { break },
        }
        if batch.is_empty() {
            continue;
        }
        let orders: Vec<_> = batch.iter().map(|waiting| &waiting.order).collect();
        match commit(&writers, &orders).await {
            Ok(stored) => {
                for (waiting, stored) in batch.drain(..).zip(stored) {
                    // Who has gone away will send the order again, and find it.
                    let _ = waiting.answer.send(Ok(stored));
                }
            }
            Err(error) => {
                tracing::error!(orders = batch.len(), %error, "a commit failed");
                for waiting in batch.drain(..) {
                    let _ = waiting.answer.send(Err(StoreError::NotCommitted));
                }
            }
        }
    }
    writers.close().await;
}

/// Stores orders in one transaction.
async fn commit(writers: &SqlitePool, orders: &[&Accepted]) -> Result<Vec<Stored>, StoreError> {
    // IMMEDIATE: the numbers read below can't be changed by another process before they are written.
    let mut transaction = writers.begin_with("BEGIN IMMEDIATE").await?;
    let mut receipts = Receipts::default();
    let mut stored = Vec::with_capacity(orders.len());
    for order in orders {
        let receipt = receipts.next(&mut transaction, order).await?;
        let body = order.body_with(*receipt);
        let inserted = query(
            "INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
        )
        .bind(order.id.as_uuid().as_bytes().as_slice())
        .bind(order.company)
        .bind(order.entity)
        .bind(*receipt)
        .bind(order.integrator.as_uuid().as_bytes().as_slice())
        .bind(order.version.name())
        .bind(order.digest.as_slice())
        .bind(&body)
        .execute(&mut *transaction)
        .await?;
        if inserted.rows_affected() == 1 {
            *receipt += 1;
            stored.push(Stored::Created(body));
        } else {
            let existing = query_as("SELECT digest, body FROM orders WHERE id = ?");
            let existing = existing.bind(order.id.as_uuid().as_bytes().as_slice());
            let (digest, body): (Vec<u8>, String) = existing.fetch_one(&mut *transaction).await?;
            stored.push(order.beside(&digest, body));
        }
    }
    receipts.write(&mut transaction).await?;
    transaction.commit().await?;
    Ok(stored)
}

/// The next receipt number of each location that a transaction has to do with.
#[derive(Default)]
struct Receipts(HashMap<(u32, u32), i64>);

impl Receipts {
    async fn next(
        &mut self,
        connection: &mut SqliteConnection,
        order: &Accepted,
    ) -> Result<&mut i64, StoreError> {
        match self.0.entry((order.company, order.entity)) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                let last = query_scalar("SELECT last FROM receipts WHERE company = ? AND entity = ?");
                let last: Option<i64> =
                    last.bind(order.company).bind(order.entity).fetch_optional(connection).await?;
                Ok(unknown.insert(last.unwrap_or(0) + 1))
            }
        }
    }

    async fn write(self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        for ((company, entity), next) in self.0 {
            query(
                "INSERT INTO receipts (company, entity, last) VALUES (?, ?, ?)
                 ON CONFLICT (company, entity) DO UPDATE SET last = excluded.last",
            )
            .bind(company)
            .bind(entity)
            .bind(next - 1)
            .execute(&mut *connection)
            .await?;
        }
        Ok(())
    }
}
