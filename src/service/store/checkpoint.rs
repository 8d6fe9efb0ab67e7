//! Checkpoints of SQLite, which carry pages from the log to their place in the file, beside the commits.
//!
//! By itself SQLite does it in the commit that fills the log: for more than 10 ms nobody is answered. Here a connection
//! of its own carries most pages while commits go on, and the one that writes only those that came meanwhile; then
//! nothing is left in the log, and the next commit starts it anew. Without that turn it would grow while orders come.

use std::thread::{JoinHandle, spawn};

use rusqlite::{Connection, Result};

/// Pages in the log that make a checkpoint worth its while, some 16 MB. Ids are random, so that many commits write the
/// same pages of their index, of which only the last is carried: it should be seldom.
const PAGES: i64 = 4000;

/// The checkpoint that is under way, if any.
#[derive(Default)]
pub(super) struct Checkpoint(Option<JoinHandle<Result<()>>>);

impl Checkpoint {
    /// To be called after every commit, with the connection that writes and what opens another. An error is no order's:
    /// the log grows, and the next commit tries again.
    pub(super) fn attend(
        &mut self,
        writer: &Connection,
        open: impl FnOnce() -> Result<Connection> + Send + 'static,
    ) -> Result<()> {
        if let Some(most) = self.0.take_if(|most| most.is_finished()) {
            // A panic has been told of.
            most.join().unwrap_or(Ok(()))?;
            pages(writer, "PRAGMA wal_checkpoint(PASSIVE)")?;
        } else if self.0.is_none() {
            let (log, carried) = pages(writer, "PRAGMA wal_checkpoint(NOOP)")?;
            if log - carried >= PAGES {
                self.0 = Some(spawn(|| pages(&open()?, "PRAGMA wal_checkpoint(PASSIVE)").map(drop)));
            }
        }
        Ok(())
    }
}

/// How many pages are in the log, and how many of them in their place.
fn pages(connection: &Connection, checkpoint: &str) -> Result<(i64, i64)> {
    connection.prepare_cached(checkpoint)?.query_row([], |row| Ok((row.get(1)?, row.get(2)?)))
}
