//! Orders in one SQLite file, with a write-ahead log that is synced at every commit.

mod checkpoint;
mod file;
mod identity;
mod readers;
mod writer;

use tokio::task::spawn_blocking;

use super::error::StoreError;
use super::group_commit::GroupCommit;
use super::order::{Inserted, NewOrder, Row, StoredOrder};
use file::DatabaseFile;
use readers::Readers;
use writer::Writer;

#[derive(Clone)]
pub(crate) struct Sqlite {
    readers: Readers,
    commits: GroupCommit,
}

impl Sqlite {
    pub(super) async fn open(url: &str) -> Result<Self, StoreError> {
        let file = DatabaseFile::from_url(url);
        let readers = Readers::new(file.clone());
        let writer = spawn_blocking(move || {
            file.prepare()?;
            Writer::open(file)
        });
        // The only error of the task itself is a panic.
        let writer = writer.await.unwrap_or(Err(StoreError::Closed))?;
        Ok(Self { readers, commits: GroupCommit::start(writer) })
    }

    pub(super) async fn put(&self, order: NewOrder) -> Result<Inserted, StoreError> {
        self.commits.put(order).await
    }

    pub(super) async fn latest(
        &self,
        company: u32,
        entity: u32,
        limit: u32,
    ) -> Result<Vec<StoredOrder>, StoreError> {
        let rows = self.readers.read(move |connection| {
            let mut select = connection.prepare_cached(
                "SELECT id, integrator, version, body FROM orders
                 WHERE company = ? AND entity = ? ORDER BY receipt DESC LIMIT ?",
            )?;
            let row = |row: &rusqlite::Row<'_>| -> rusqlite::Result<Row> {
                Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
            };
            select.query_map([company, entity, limit], row)?.collect::<rusqlite::Result<Vec<_>>>()
        });
        rows.await?.into_iter().map(StoredOrder::try_from).collect()
    }

    pub(super) fn commits(&self) -> &GroupCommit {
        &self.commits
    }

    pub(super) async fn close(self) {
        self.commits.close().await;
        self.readers.close().await;
    }
}
