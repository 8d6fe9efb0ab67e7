//! Runs SQLite's checkpoints, which copy pages from the write-ahead log to the database file, beside the commits.
//!
//! On its own, SQLite runs a checkpoint in the commit that fills the log, which blocks all requests for more than 10 ms.
//! Here, a second connection copies most pages while commits continue; then the writer copies the few that were added
//! meanwhile. That empties the log, so the next commit starts it again. Without the second step it would grow as long as
//! orders keep coming.

use std::thread::{JoinHandle, spawn};

use rusqlite::{Connection, Result};

/// Pages in the log that start a checkpoint, about 16 MB. Ids are random, and many commits write the same pages of the
/// index; only the last version is copied, so rare checkpoints copy less.
const PAGES: i64 = 4000;

/// The background checkpoint, if one is running.
#[derive(Default)]
pub(super) struct Checkpoint(Option<JoinHandle<Result<()>>>);

impl Checkpoint {
    /// Starts or finishes a checkpoint if necessary; call it after every commit. An error affects no order: the log
    /// grows, and the next call tries again.
    pub(super) fn after_commit(
        &mut self,
        writer: &Connection,
        open: impl FnOnce() -> Result<Connection> + Send + 'static,
    ) -> Result<()> {
        if let Some(background) = self.0.take_if(|background| background.is_finished()) {
            // A panic is on standard error already.
            background.join().unwrap_or(Ok(()))?;
            checkpoint(writer, "PRAGMA wal_checkpoint(PASSIVE)")?;
        } else if self.0.is_none() {
            let (in_log, copied) = checkpoint(writer, "PRAGMA wal_checkpoint(NOOP)")?;
            if in_log - copied >= PAGES {
                self.0 = Some(spawn(|| checkpoint(&open()?, "PRAGMA wal_checkpoint(PASSIVE)").map(drop)));
            }
        }
        Ok(())
    }
}

/// Runs the pragma; returns the number of pages in the log, and how many of them have been copied.
fn checkpoint(connection: &Connection, pragma: &str) -> Result<(i64, i64)> {
    connection.prepare_cached(pragma)?.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))
}
