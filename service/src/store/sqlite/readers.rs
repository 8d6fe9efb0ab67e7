//! A few connections that only read, each used on a thread that may block.

use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::file::DatabaseFile;
use super::identity::FileIdentity;
use crate::store::error::StoreError;

/// The maximum number of reads at the same time; more wait.
const MAX_READERS: usize = 4;

#[derive(Clone)]
pub(crate) struct Readers {
    file: DatabaseFile,
    identity: FileIdentity,
    permits: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(file: DatabaseFile, identity: FileIdentity) -> Self {
        Self { file, identity, permits: Arc::new(Semaphore::new(MAX_READERS)), idle: Arc::default() }
    }

    /// Runs `read` with a connection, which is opened if none is idle. Fails if the file that was read is
    /// lost.
    pub(super) async fn read<T: Send + 'static>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let permit = Arc::clone(&self.permits).acquire_owned().await.map_err(|_| StoreError::Closed)?;
        let (file, identity, idle) = (self.file.clone(), self.identity.clone(), Arc::clone(&self.idle));
        let result = spawn_blocking(move || {
            let connection = idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
            let connection = connection.map_or_else(|| file.open_for_reading(), Ok)?;
            let result = read(&connection)?;
            let checked = identity.check_read(&connection);
            idle.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
            drop(permit);
            checked.map(|()| result)
        });
        // The only error of the task itself is a panic.
        result.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Waits for running reads, then closes the connections.
    pub(crate) async fn close(self) {
        let permits = self.permits.acquire_many(u32::try_from(MAX_READERS).unwrap_or(u32::MAX)).await;
        self.permits.close();
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).clear();
        drop(permits);
    }
}
