//! Stores groups of orders, each in one transaction.

use rusqlite::{Connection, OptionalExtension as _, Transaction, TransactionBehavior, params};

use super::file::DatabaseFile;
use super::find;
use super::identity::FileIdentity;
use crate::store::error::StoreError;
use crate::store::group_commit::{Commit, Results};
use service_rules::new_order::{Inserted, NewOrder};

/// The size of the order that a probe writes: more than nearly every order has.
const PROBE_BYTES: u32 = 64 << 10;

/// The only connection of this process that writes.
pub(super) struct Writer {
    file: DatabaseFile,
    /// `None` after a failed commit; the next one opens a new connection.
    connection: Option<Connection>,
    identity: FileIdentity,
}

impl Writer {
    /// Opens the file and checks that it can be written.
    pub(super) fn open(file: DatabaseFile, identity: FileIdentity) -> Result<Self, StoreError> {
        let mut writer = Self { file, connection: None, identity };
        writer.try_probe()?;
        Ok(writer)
    }

    /// Runs `write` with the connection, then checks that what it has committed is in the right file.
    fn write<T>(
        &mut self,
        write: impl FnOnce(&mut Connection) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        let mut connection = match self.connection.take() {
            Some(connection) => connection,
            None => self.file.open_for_writing()?,
        };
        let written = write(&mut connection).inspect_err(|_| self.identity.forget_log())?;
        let checked = self.identity.check(&connection);
        // Even if the file is lost: its content can be recovered as long as it is open.
        self.connection = Some(connection);
        checked.map(|()| written)
    }

    /// Writes an order to the log and undoes it, then commits the first page with the same content, which is
    /// synced like an order.
    fn try_probe(&mut self) -> Result<(), StoreError> {
        self.write(|connection| {
            write_and_undo(connection)?;
            let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let version: i64 = transaction.pragma_query_value(None, "user_version", |row| row.get(0))?;
            transaction.pragma_update(None, "user_version", version)?;
            Ok(transaction.commit()?)
        })
    }
}

impl Commit for Writer {
    async fn commit(&mut self, orders: Vec<NewOrder>) -> Result<Results, StoreError> {
        self.write(|connection| commit(connection, &orders))
    }

    async fn probe(&mut self) -> Result<(), StoreError> {
        self.try_probe()
    }
}

/// Writes the pages of an order to the log, then undoes them: the next transaction overwrites them there. If
/// there is space for the probe, there is space for an order, because the probe uses up none of it.
fn write_and_undo(connection: &mut Connection) -> rusqlite::Result<()> {
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    // No order has this id, company or location (D1, D4).
    transaction.execute(
        "INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
         VALUES (zeroblob(16), 0, 0, 0, zeroblob(16), '', zeroblob(32), printf('%.*c', ?, 'x'))",
        [PROBE_BYTES],
    )?;
    transaction.cache_flush()?;
    transaction.rollback()
}

fn commit(connection: &mut Connection, orders: &[NewOrder]) -> Result<Results, StoreError> {
    // IMMEDIATE: no other process can store an order between reading the last receipt number and using it.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
    let mut results = Vec::with_capacity(orders.len());
    for order in orders {
        let result = insert(&transaction, order);
        match result {
            Err(error) if !affects_one_order(&error, &transaction) => return Err(error),
            result => results.push(result),
        }
    }
    transaction.commit()?;
    Ok(results)
}

/// Returns true if SQLite undid only the statement, so the transaction still contains the other orders.
fn affects_one_order(error: &StoreError, transaction: &Transaction<'_>) -> bool {
    error.is_permanent() && !transaction.is_autocommit()
}

/// Stores an order with the next receipt number of its location.
fn insert(transaction: &Transaction<'_>, order: &NewOrder) -> Result<Inserted, StoreError> {
    let receipt = last_receipt(transaction, order)?.saturating_add(1);
    let body = order.body_with_receipt(receipt);
    let mut insert = transaction.prepare_cached(
        "INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING",
    )?;
    let inserted = insert.execute(params![
        order.id.as_uuid().as_bytes(),
        order.company,
        order.entity,
        receipt,
        order.integrator.as_uuid().as_bytes(),
        order.version.as_str(),
        order.digest,
        body,
    ])?;
    if inserted == 1 { Ok(Inserted::New(body)) } else { Ok(Inserted::Existing(find(transaction, order.id)?)) }
}

/// Returns the last receipt number of the order's location. Unlike `max`, `LIMIT` finds it by the index.
fn last_receipt(transaction: &Transaction<'_>, order: &NewOrder) -> rusqlite::Result<i64> {
    let mut select = transaction.prepare_cached(
        "SELECT receipt FROM orders WHERE company = ? AND entity = ? ORDER BY receipt DESC LIMIT 1",
    )?;
    let last = select.query_row([order.company, order.entity], |row| row.get(0)).optional()?;
    Ok(last.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{Commit as _, DatabaseFile, NewOrder, Writer};
    use sales_order_intake::Guid;
    use sales_order_intake::Version;

    fn order() -> NewOrder {
        let id = Guid::new_random().unwrap();
        let body = ["x".repeat(1000), String::new()];
        let version = Version::V3;
        NewOrder { id, company: 1, entity: 1, integrator: id, version, digest: [0; 32], body }
    }

    #[tokio::test]
    async fn the_log_does_not_grow_while_orders_keep_coming() {
        let folder = std::env::temp_dir().join(format!("orders-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("orders.sqlite");
        let database = DatabaseFile::from_url(&format!("sqlite:{}", file.display()));
        database.prepare().unwrap();
        let mut writer = Writer::open(database, Default::default()).unwrap();
        for _ in 0..500 {
            writer.commit((0..64).map(|_| order()).collect()).await.unwrap();
        }
        // Many times as much was written.
        let log = folder.join("orders.sqlite-wal").metadata().unwrap().len();
        assert!(log < 20 << 20, "{log}");
        drop(writer);
        std::fs::remove_dir_all(folder).unwrap();
    }
}
