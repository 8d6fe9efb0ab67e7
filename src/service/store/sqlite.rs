//! Orders in one SQLite file: WAL, synced at every commit, and many orders in one commit.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::path::{Path, PathBuf};
use std::str::FromStr as _;
use std::time::{Duration, Instant};

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqlitePool, SqlitePoolOptions,
};
use sqlx::{ConnectOptions as _, Connection as _, query_as, query_scalar};
use tokio::time::sleep;

use super::checkpoint::Checkpoint;
use super::group::{Commit, Group};
use super::{Accepted, Kept, StoreError, Stored, kept, schema};

/// How long is waited for another process that writes to the same file.
const PATIENCE: Duration = Duration::from_secs(10);

#[derive(Clone)]
pub(crate) struct Sqlite {
    readers: SqlitePool,
    group: Group,
}

impl Sqlite {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str(url)?.create_if_missing(true).busy_timeout(PATIENCE);
        prepare(&options).await?;
        let file = options.get_filename().to_owned();
        let writer = Writer::open(file)?;
        let readers =
            SqlitePoolOptions::new().max_connections(4).connect_with(options.read_only(true)).await?;
        Ok(Self { readers, group: Group::new(writer) })
    }

    pub(super) async fn put(&self, order: Accepted) -> Result<Stored, StoreError> {
        self.group.put(order).await
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
        if self.group.takes_orders() { Ok(()) } else { Err(StoreError::Closed) }
    }

    pub(super) async fn close(self) {
        self.group.close().await;
        self.readers.close().await;
    }
}

/// Makes the file what the service needs.
///
/// Turning its log on takes the file alone, for which SQLite does not wait by itself: processes that start together
/// would fail.
async fn prepare(options: &SqliteConnectOptions) -> Result<(), StoreError> {
    let started = Instant::now();
    loop {
        match prepare_at_once(options).await {
            Err(StoreError::Database(error)) if is_locked(&error) && started.elapsed() < PATIENCE => {
                sleep(Duration::from_millis(20)).await;
            }
            result => return result,
        }
    }
}

async fn prepare_at_once(options: &SqliteConnectOptions) -> Result<(), StoreError> {
    let mut first = options.clone().journal_mode(SqliteJournalMode::Wal).connect().await?;
    migrate(&mut first).await?;
    first.close().await?;
    Ok(())
}

/// SQLITE_BUSY in any of its extended forms.
fn is_locked(error: &sqlx::Error) -> bool {
    let code = error.as_database_error().and_then(|error| error.code()?.parse::<u32>().ok());
    code.is_some_and(|code| code & 0xFF == 5)
}

/// Brings the schema up to date, all of it in one transaction: of processes that start together one does.
async fn migrate(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    schema::sqlite().run(&mut *transaction).await?;
    transaction.commit().await?;
    Ok(())
}

/// The connection that writes is rusqlite's, on the same SQLite: it runs where it is called, whereas sqlx hands every
/// statement to a thread of its own and waits, which cost more than all else that an order takes.
struct Writer {
    file: PathBuf,
    /// None where the last commit failed; then it is opened anew.
    connection: Option<Connection>,
    checkpoint: Checkpoint,
}

impl Writer {
    fn open(file: PathBuf) -> rusqlite::Result<Self> {
        Ok(Self { connection: Some(open_for_writing(&file)?), file, checkpoint: Checkpoint::default() })
    }
}

impl Commit for Writer {
    async fn commit(&mut self, orders: Vec<Accepted>) -> Result<Vec<Stored>, StoreError> {
        let mut connection = self.connection.take().map_or_else(|| open_for_writing(&self.file), Ok)?;
        let stored = commit(&mut connection, &orders)?;
        let file = self.file.clone();
        if let Err(error) = self.checkpoint.attend(&connection, move || open_for_writing(&file)) {
            tracing::warn!(%error, "a checkpoint failed");
        }
        self.connection = Some(connection);
        Ok(stored)
    }
}

fn open_for_writing(file: &Path) -> rusqlite::Result<Connection> {
    let connection = Connection::open(file)?;
    connection.busy_timeout(PATIENCE)?;
    // With WAL only FULL syncs at every commit: an order is answered when it is durable.
    connection.pragma_update(None, "synchronous", "FULL")?;
    // Only where the checkpoints beside the commits should fail (checkpoint.rs): a log of some 64 MB.
    connection.pragma_update(None, "wal_autocheckpoint", 16_000)?;
    Ok(connection)
}

/// Stores orders in one transaction.
fn commit(connection: &mut Connection, orders: &[Accepted]) -> Result<Vec<Stored>, StoreError> {
    // IMMEDIATE: the numbers read below can't be changed by another process before they are written.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let stored = write(&transaction, orders)?;
    transaction.commit()?;
    Ok(stored)
}

fn write(transaction: &Transaction<'_>, orders: &[Accepted]) -> Result<Vec<Stored>, StoreError> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    let mut receipts = Receipts::default();
    let mut stored = Vec::with_capacity(orders.len());
    for order in orders {
        let id = order.id.as_uuid().as_bytes();
        let receipt = receipts.next(transaction, order)?;
        let body = order.body_with(*receipt);
        let inserted = insert.execute(params![
            id,
            order.company,
            order.entity,
            *receipt,
            order.integrator.as_uuid().as_bytes(),
            order.version.as_str(),
            order.digest,
            body,
        ])?;
        if inserted == 1 {
            *receipt += 1;
            stored.push(Stored::Created(body));
        } else {
            let mut existing = transaction.prepare_cached("SELECT digest, body FROM orders WHERE id = ?")?;
            let (digest, body): (Vec<u8>, String) =
                existing.query_row([id], |row| Ok((row.get(0)?, row.get(1)?)))?;
            stored.push(order.beside(&digest, body));
        }
    }
    receipts.write(transaction)?;
    Ok(stored)
}

/// The next receipt number of each location that a transaction has to do with.
#[derive(Default)]
struct Receipts(HashMap<(u32, u32), i64>);

impl Receipts {
    fn next(&mut self, transaction: &Transaction<'_>, order: &Accepted) -> Result<&mut i64, StoreError> {
        match self.0.entry((order.company, order.entity)) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                let mut last = transaction
                    .prepare_cached("SELECT last FROM receipts WHERE company = ? AND entity = ?")?;
                let last: Option<i64> =
                    last.query_row([order.company, order.entity], |row| row.get(0)).optional()?;
                Ok(unknown.insert(last.unwrap_or(0) + 1))
            }
        }
    }

    fn write(self, transaction: &Transaction<'_>) -> Result<(), StoreError> {
        let mut write = transaction.prepare_cached(
            "INSERT INTO receipts (company, entity, last) VALUES (?, ?, ?)
             ON CONFLICT (company, entity) DO UPDATE SET last = excluded.last",
        )?;
        for ((company, entity), next) in self.0 {
            write.execute(params![company, entity, next - 1])?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Accepted, Commit as _, Writer, migrate, open_for_writing};
    use crate::guid::Guid;
    use crate::options::Version;
    use sqlx::ConnectOptions as _;
    use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode};

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("orders-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn every_commit_is_synced() {
        let folder = folder("synced");
        let connection = open_for_writing(&folder.join("orders.sqlite")).unwrap();
        let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!(synchronous, 2, "FULL");
        drop(connection);
        std::fs::remove_dir_all(folder).unwrap();
    }

    fn order() -> Accepted {
        let id = Guid::new_random().unwrap();
        let body = ["x".repeat(1000), String::new()];
        Accepted { id, company: 1, entity: 1, integrator: id, version: Version::V3, digest: [0; 32], body }
    }

    #[tokio::test]
    async fn the_log_starts_anew_while_orders_keep_coming() {
        let folder = folder("log");
        let (file, log) = (folder.join("orders.sqlite"), folder.join("orders.sqlite-wal"));
        let options = SqliteConnectOptions::new().filename(&file).create_if_missing(true);
        migrate(&mut options.journal_mode(SqliteJournalMode::Wal).connect().await.unwrap()).await.unwrap();
        let mut writer = Writer::open(file).unwrap();
        for _ in 0..500 {
            writer.commit((0..64).map(|_| order()).collect()).await.unwrap();
        }
        // All that was written is some three times as much.
        assert!(log.metadata().unwrap().len() < 60 << 20, "{}", log.metadata().unwrap().len());
        drop(writer);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
