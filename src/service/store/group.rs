//! Orders that arrive together are committed together: a sync takes far longer than many inserts.
//!
//! While one commit is on its way to the disk the next orders gather, so nobody waits for company that may not come.
//! Committing has a thread of its own: requests are read and answered beside it.

use std::sync::Arc;

use tokio::runtime::Handle;
use tokio::sync::{Mutex, Notify, mpsc, oneshot};
use tokio::task::{JoinHandle, spawn_blocking};

use super::{Accepted, StoreError, Stored};

/// Orders that are committed together at most. Of more nobody would be read or answered while all wait for one commit;
/// the sync is shared by enough of them as it is.
const MOST_IN_A_COMMIT: usize = 64;
/// Orders that wait for the next commit at most; beyond that requests wait for a place.
const MOST_WAITING: usize = 4096;

/// Stores orders in one transaction, on a thread that it may block; what it gives back is durable, and stands in the
/// order of what it took.
pub(super) trait Commit: Send + 'static {
    fn commit(
        &mut self,
        orders: Vec<Accepted>,
    ) -> impl Future<Output = Result<Vec<Stored>, StoreError>> + Send;
}

/// The way to the one thread that commits.
#[derive(Clone)]
pub(crate) struct Group {
    waiting: mpsc::Sender<Waiting>,
    closing: Arc<Notify>,
    /// Whoever closes waits for it.
    writer: Arc<Mutex<Option<JoinHandle<()>>>>,
}

/// An order, and who waits for it.
struct Waiting {
    order: Accepted,
    answer: oneshot::Sender<Result<Stored, StoreError>>,
}

impl Group {
    pub(super) fn new(writer: impl Commit) -> Self {
        let (waiting, queue) = mpsc::channel(MOST_WAITING);
        let closing = Arc::new(Notify::new());
        let runtime = Handle::current();
        let write = write(writer, queue, Arc::clone(&closing));
        let writer = spawn_blocking(move || runtime.block_on(write));
        Self { waiting, closing, writer: Arc::new(Mutex::new(Some(writer))) }
    }

    pub(super) async fn put(&self, order: Accepted) -> Result<Stored, StoreError> {
        let (answer, answered) = oneshot::channel();
        self.waiting.send(Waiting { order, answer }).await.map_err(|_| StoreError::Closed)?;
        answered.await.map_err(|_| StoreError::Closed)?
    }

    /// False once nothing is committed any more: it was closed, or the thread has failed.
    pub(super) fn takes_orders(&self) -> bool {
        !self.waiting.is_closed()
    }

    /// Commits what waits, and takes nothing more.
    pub(super) async fn close(self) {
        self.closing.notify_one();
        if let Some(writer) = self.writer.lock().await.take() {
            // It can only have failed by a panic, which has been told of.
            let _ = writer.await;
        }
    }
}

/// Takes whatever waits, commits it together, answers, and again.
async fn write(mut writer: impl Commit, mut queue: mpsc::Receiver<Waiting>, closing: Arc<Notify>) {
    let mut taken = Vec::with_capacity(MOST_IN_A_COMMIT);
    loop {
        tokio::select! {
            // What waits is still written; then there is nothing more to receive.
            () = closing.notified() => queue.close(),
            count = queue.recv_many(&mut taken, MOST_IN_A_COMMIT) => if count == 0 { break },
        }
        if taken.is_empty() {
            continue;
        }
        let (orders, answers): (Vec<_>, Vec<_>) =
            taken.drain(..).map(|Waiting { order, answer }| (order, answer)).unzip();
        match writer.commit(orders).await {
            Ok(stored) => {
                for (answer, stored) in answers.into_iter().zip(stored) {
                    // Who has gone away will send the order again, and find it.
                    let _ = answer.send(Ok(stored));
                }
            }
            Err(error) => {
                tracing::error!(orders = answers.len(), %error, "a commit failed");
                for answer in answers {
                    let _ = answer.send(Err(StoreError::NotCommitted));
                }
            }
        }
    }
}
