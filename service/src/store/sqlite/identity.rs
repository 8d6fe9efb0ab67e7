//! Notices that the database file has been deleted or replaced while it is open.
//!
//! The system keeps such a file until it is closed, and SQLite goes on writing to it; its orders would then
//! be lost. The write-ahead log contains the latest orders, so it is compared too.
//!
//! Our own code, because SQLite does not check this: without it, 100 of 100 orders that were sent after the
//! file had been deleted were acknowledged, and lost. It costs 3 % of the orders a second.

use std::fs::Metadata;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use crate::store::error::StoreError;

/// Which files the writer has open. Clones share it.
#[derive(Clone, Default)]
pub(super) struct FileIdentity(Arc<Mutex<Files>>);

#[derive(Default)]
struct Files {
    database: Option<FileId>,
    /// `None` until the first commit of a connection, which creates the log.
    log: Option<FileId>,
}

/// Device and number of a file, which a new file of the same name does not have.
type FileId = (u64, u64);

impl FileIdentity {
    /// Compares the files with those of earlier calls. Call it after every commit, before an order is
    /// acknowledged.
    pub(super) fn check(&self, connection: &Connection) -> Result<(), StoreError> {
        let path = connection.path().unwrap_or_default();
        let files = &mut *self.files();
        let same = is_same(&mut files.database, path) && is_same(&mut files.log, &[path, "-wal"].concat());
        if same { Ok(()) } else { Err(StoreError::FileLost) }
    }

    /// Compares the files with those that the writer has open. Call it after every read, before a stored
    /// order is returned.
    pub(super) fn check_read(&self, connection: &Connection) -> Result<(), StoreError> {
        let path = connection.path().unwrap_or_default();
        let Files { database, log } = &*self.files();
        let known = [(database, path.to_owned()), (log, [path, "-wal"].concat())];
        let same = known.into_iter().all(|(id, path)| id.is_none_or(|id| is_same(&mut Some(id), &path)));
        if same { Ok(()) } else { Err(StoreError::FileLost) }
    }

    /// Expects another log, because the last connection deletes it when it is closed.
    pub(super) fn forget_log(&self) {
        self.files().log = None;
    }

    fn files(&self) -> MutexGuard<'_, Files> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Remembers the file if none is known. Returns false if it is missing, or another one.
fn is_same(known: &mut Option<FileId>, path: &str) -> bool {
    std::fs::metadata(path).is_ok_and(|file| *known.get_or_insert(file_id(&file)) == file_id(&file))
}

#[cfg(unix)]
fn file_id(file: &Metadata) -> FileId {
    use std::os::unix::fs::MetadataExt as _;
    (file.dev(), file.ino())
}

/// Returns the same for all files: other systems do not let open files be deleted.
#[cfg(not(unix))]
fn file_id(_: &Metadata) -> FileId {
    (0, 0)
}
