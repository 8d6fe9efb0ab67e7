//! Errors of the database.

use rusqlite::ErrorCode;
use thiserror::Error;

use super::retry;

/// An error of the database.
#[derive(Debug, Error)]
pub(crate) enum StoreError {
    #[error("the database must be sqlite:<file> or postgres://…")]
    UnknownScheme,
    #[error("SQLite: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("PostgreSQL: {0}")]
    Postgres(#[from] sqlx::Error),
    #[error("orders would be lost in a crash: {0}")]
    NotDurable(&'static str),
    #[error(
        "the database file or its log was deleted or replaced while in use; no order is stored until the service is \
         restarted with the right file"
    )]
    FileLost,
    /// The log contains the reason.
    #[error("the commit failed")]
    CommitFailed,
    /// The service is stopping.
    #[error("the database is closed")]
    Closed,
}

impl StoreError {
    /// Returns true if the cause is the order or its location, so that the same order would fail again.
    pub(crate) fn is_permanent(&self) -> bool {
        match self {
            Self::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig | ErrorCode::TypeMismatch)
            ),
            Self::Postgres(error) => retry::is_permanent(error),
            Self::UnknownScheme
            | Self::NotDurable(_)
            | Self::FileLost
            | Self::CommitFailed
            | Self::Closed => false,
        }
    }
}
