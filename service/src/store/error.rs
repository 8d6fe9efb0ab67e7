//! Errors of the database.

use std::fmt;

use rusqlite::ErrorCode;
use sqlx::migrate::MigrateError;

use super::retry;

/// An error of the database.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// The URL begins neither with `sqlite:` nor with `postgres:`.
    UnknownScheme,
    Sqlite(rusqlite::Error),
    Postgres(sqlx::Error),
    Migration(MigrateError),
    /// A later release has migrated the database.
    NewerSchema,
    /// Orders in this database would not survive a crash.
    NotDurable(&'static str),
    /// The database file, or its log, has been deleted or replaced since it was opened.
    FileLost,
    /// The commit that contained the order failed; the log contains the reason.
    CommitFailed,
    /// The location has used the last receipt number.
    NoReceiptNumber,
    /// The service is stopping.
    Closed,
}

impl StoreError {
    /// Returns true if the cause is the order or its location, so that the same order would fail again.
    pub(crate) fn is_permanent(&self) -> bool {
        match self {
            Self::NoReceiptNumber => true,
            Self::Sqlite(error) => matches!(
                error.sqlite_error_code(),
                Some(ErrorCode::ConstraintViolation | ErrorCode::TooBig | ErrorCode::TypeMismatch)
            ),
            Self::Postgres(error) => retry::is_permanent(error),
            Self::UnknownScheme
            | Self::Migration(_)
            | Self::NewerSchema
            | Self::NotDurable(_)
            | Self::FileLost
            | Self::CommitFailed
            | Self::Closed => false,
        }
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Postgres(error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Sqlite(error)
    }
}

impl From<MigrateError> for StoreError {
    fn from(error: MigrateError) -> Self {
        Self::Migration(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownScheme => f.write_str("the database must be sqlite:<file> or postgres://…"),
            Self::Sqlite(error) => write!(f, "SQLite: {error}"),
            Self::Postgres(error) => write!(f, "PostgreSQL: {error}"),
            Self::Migration(error) => write!(f, "the database cannot be migrated: {error}"),
            Self::NewerSchema => f.write_str("a later release of this program has migrated the database"),
            Self::NotDurable(reason) => write!(f, "orders would be lost in a crash: {reason}"),
            Self::FileLost => f.write_str(
                "the database file or its log was deleted or replaced while in use; no order is stored until the \
                 service is restarted with the right file",
            ),
            Self::CommitFailed => f.write_str("the commit failed"),
            Self::NoReceiptNumber => f.write_str("the location has no receipt number left"),
            Self::Closed => f.write_str("the database is closed"),
        }
    }
}
