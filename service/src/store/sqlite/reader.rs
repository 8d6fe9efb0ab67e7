//! A connection that only reads, on a thread that may block.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::task::spawn_blocking;

use super::file::DatabaseFile;
use super::identity::FileIdentity;
use crate::store::error::StoreError;

#[derive(Clone)]
pub(crate) struct Reader {
    file: DatabaseFile,
    identity: FileIdentity,
    /// `None` until the first read, and after one that failed.
    connection: Arc<Mutex<Option<Connection>>>,
}

impl Reader {
    pub(super) fn new(file: DatabaseFile, identity: FileIdentity) -> Self {
        Self { file, identity, connection: Arc::default() }
    }

    /// Runs `read` with the connection. Fails if the file that was read is lost.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let Self { file, identity, connection } = self.clone();
        let result = spawn_blocking(move || {
            let mut idle = connection.lock().unwrap_or_else(PoisonError::into_inner);
            let connection = idle.take().map_or_else(|| file.open_for_reading(), Ok)?;
            let result = read(&connection)?;
            let checked = identity.check_read(&connection);
            *idle = Some(connection);
            checked.map(|()| result)
        });
        // The only error of the task itself is a panic.
        result.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Closes the connection after running reads.
    pub(crate) async fn close(self) {
        let _ =
            spawn_blocking(move || *self.connection.lock().unwrap_or_else(PoisonError::into_inner) = None)
                .await;
    }
}
