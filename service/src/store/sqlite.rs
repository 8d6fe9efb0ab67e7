//! Orders in one SQLite file, with a write-ahead log that is synced at every commit.

mod file;
mod identity;
mod reader;
mod writer;

use rusqlite::{Connection, OptionalExtension as _, params};
use sales_order_intake::Guid;
use tokio::task::spawn_blocking;

use super::error::StoreError;
use super::group_commit::GroupCommit;
use super::{Database, LISTED, LISTED_BYTES, LocationIds, Row, Store, listed_order};
use file::DatabaseFile;
use identity::FileIdentity;
pub(crate) use reader::Reader;
use service_rules::pos::ListedOrder;
use service_rules::replay::StoredOrder;
use writer::Writer;

pub(super) async fn open(url: &str) -> Result<Store, StoreError> {
    let file = DatabaseFile::from_url(url);
    let identity = FileIdentity::default();
    let reader = Reader::new(file.clone(), identity.clone());
    let writer = spawn_blocking(move || {
        file.prepare()?;
        Writer::open(file, identity)
    });
    // The only error of the task itself is a panic.
    let writer = writer.await.unwrap_or(Err(StoreError::Closed))?;
    Ok(Store { commits: GroupCommit::start(writer), database: Database::Sqlite(reader) })
}

impl Reader {
    pub(super) async fn find(&self, id: Guid) -> Result<Option<StoredOrder>, StoreError> {
        // It sees only what has been synced.
        self.read(move |connection| find(connection, id).optional()).await
    }

    pub(super) async fn list(&self, ids: LocationIds, before: i64) -> Result<Vec<ListedOrder>, StoreError> {
        let (company, entity) = ids;
        let rows = self.read(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT receipt, id, integrator, version, CASE WHEN octet_length(body) <= ? THEN body END FROM orders
                 WHERE company = ? AND entity = ? AND receipt < ? ORDER BY receipt DESC LIMIT ?",
            )?;
            let row = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Row> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?))
            };
            select.query_map(params![LISTED_BYTES, company, entity, before, LISTED], row)?.collect()
        });
        let rows: Vec<Row> = rows.await?;
        Ok(rows.into_iter().filter_map(listed_order).collect())
    }
}

/// Returns the order with this id.
fn find(connection: &Connection, id: Guid) -> rusqlite::Result<StoredOrder> {
    let mut select = connection.prepare_cached("SELECT company, digest, body FROM orders WHERE id = ?")?;
    select.query_row([id.as_uuid().as_bytes()], |row| {
        Ok(StoredOrder { company: row.get(0)?, digest: row.get(1)?, body: row.get(2)? })
    })
}
