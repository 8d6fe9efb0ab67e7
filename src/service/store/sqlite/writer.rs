//! Stores groups of orders, each in one transaction.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::checkpoint::Checkpoint;
use super::file::DatabaseFile;
use super::identity::FileIdentity;
use crate::service::store::error::StoreError;
use crate::service::store::group_commit::Commit;
use crate::service::store::order::{Existing, Inserted, NewOrder};

/// The only connection of this process that writes.
pub(super) struct Writer {
    file: DatabaseFile,
    /// `None` after a failed commit; the next one opens a new connection.
    connection: Option<Connection>,
    identity: FileIdentity,
    checkpoint: Checkpoint,
}

impl Writer {
    /// Opens the file and checks that it can be written.
    pub(super) fn open(file: DatabaseFile) -> Result<Self, StoreError> {
        let (identity, checkpoint) = (FileIdentity::default(), Checkpoint::default());
        let mut writer = Self { file, connection: None, identity, checkpoint };
        writer.try_probe()?;
        Ok(writer)
    }

    fn take_connection(&mut self) -> Result<Connection, StoreError> {
        match self.connection.take() {
            Some(connection) => Ok(connection),
            None => {
                self.identity.forget_log();
                Ok(self.file.open_for_writing()?)
            }
        }
    }

    /// Checks that what the connection has committed is in the right file, and keeps the connection.
    fn put_back(&mut self, connection: Connection) -> Result<(), StoreError> {
        let checked = self.identity.check(&connection);
        // Also if the file is lost: what it contains could still be recovered while it is open.
        self.connection = Some(connection);
        checked
    }

    /// Commits a change of the first page that leaves it as it is, which is synced like an order.
    fn try_probe(&mut self) -> Result<(), StoreError> {
        let mut connection = self.take_connection()?;
        let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
        transaction.pragma_update(None, "user_version", version)?;
        transaction.commit()?;
        self.put_back(connection)
    }
}

impl Commit for Writer {
    async fn commit(&mut self, orders: Vec<NewOrder>) -> Result<Vec<Inserted>, StoreError> {
        let mut connection = self.take_connection()?;
        let inserted = commit(&mut connection, &orders)?;
        self.put_back(connection)?;
        let file = self.file.clone();
        if let Some(connection) = &self.connection
            && let Err(error) = self.checkpoint.after_commit(connection, move || file.open_for_writing())
        {
            tracing::warn!(%error, "checkpoint failed");
        }
        Ok(inserted)
    }

    async fn probe(&mut self) -> Result<(), StoreError> {
        self.try_probe()
    }
}

fn commit(connection: &mut Connection, orders: &[NewOrder]) -> Result<Vec<Inserted>, StoreError> {
    // IMMEDIATE: no other process can change the receipt numbers between reading and writing them.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let inserted = insert(&transaction, orders)?;
    transaction.commit()?;
    Ok(inserted)
}

fn insert(transaction: &Transaction<'_>, orders: &[NewOrder]) -> Result<Vec<Inserted>, StoreError> {
    let mut insert = transaction.prepare_cached(
        "INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    let mut receipts = Receipts::default();
    let mut results = Vec::with_capacity(orders.len());
    for order in orders {
        let id = order.id.as_uuid().as_bytes();
        let receipt = receipts.next(transaction, order)?;
        let body = order.body_with_receipt(*receipt);
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
        results.push(if inserted == 1 {
            *receipt += 1;
            Inserted::New(body)
        } else {
            let mut select = transaction.prepare_cached("SELECT digest, body FROM orders WHERE id = ?")?;
            let existing =
                select.query_row([id], |row| Ok(Existing { digest: row.get(0)?, body: row.get(1)? }))?;
            Inserted::Existing(existing)
        });
    }
    receipts.write(transaction)?;
    Ok(results)
}

/// The next receipt number of each location that a transaction uses.
#[derive(Default)]
struct Receipts(HashMap<(u32, u32), i64>);

impl Receipts {
    fn next(&mut self, transaction: &Transaction<'_>, order: &NewOrder) -> Result<&mut i64, StoreError> {
        match self.0.entry((order.company, order.entity)) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(unknown) => {
                let mut select = transaction
                    .prepare_cached("SELECT last FROM receipts WHERE company = ? AND entity = ?")?;
                let last: Option<i64> =
                    select.query_row([order.company, order.entity], |row| row.get(0)).optional()?;
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
    use super::{Commit as _, DatabaseFile, NewOrder, Writer};
    use crate::guid::Guid;
    use crate::options::{Records, Version};

    fn order() -> NewOrder {
        let id = Guid::new_random().unwrap();
        let body = ["x".repeat(1000), String::new()];
        let (version, records) = (Version::V3, Records::Strict);
        NewOrder { id, company: 1, entity: 1, integrator: id, version, digest: [0; 33], records, body }
    }

    #[tokio::test]
    async fn the_log_does_not_grow_while_orders_keep_coming() {
        let folder = std::env::temp_dir().join(format!("orders-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("orders.sqlite");
        let database = DatabaseFile::from_url(&format!("sqlite:{}", file.display()));
        database.prepare().unwrap();
        let mut writer = Writer::open(database).unwrap();
        for _ in 0..500 {
            writer.commit((0..64).map(|_| order()).collect()).await.unwrap();
        }
        // About three times as much was written.
        let log = folder.join("orders.sqlite-wal").metadata().unwrap().len();
        assert!(log < 60 << 20, "{log}");
        drop(writer);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
