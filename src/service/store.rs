//! Orders and receipt numbers that outlive the process.
//!
//! An order is given back only once it is durable, and its receipt number is counted in the transaction that stores it:
//! per location without gap or double, also when several processes share the database.

mod checkpoint;
mod group;
mod postgres;
mod schema;
mod sqlite;

use std::fmt;

use sqlx::migrate::MigrateError;

use crate::guid::Guid;

use super::intake::Accepted;
use postgres::Postgres;
use sqlite::Sqlite;

/// Where orders are kept.
#[derive(Clone)]
pub(crate) enum Store {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// What came of an order.
#[derive(Debug)]
pub(crate) enum Stored {
    /// It is new; this is its body.
    Created(String),
    /// The same order was there already (D28); this is the body it had.
    Same(String),
    /// Another order has its id.
    Other,
}

/// A stored order, as a location reads it back.
pub(crate) struct Kept {
    pub(crate) id: Guid,
    pub(crate) integrator: Option<Guid>,
    pub(crate) version: String,
    pub(crate) body: String,
}

/// Why the database did not do what it should.
#[derive(Debug)]
pub(crate) enum StoreError {
    /// Neither `sqlite:` nor `postgres:`.
    UnknownScheme,
    Database(sqlx::Error),
    Writer(rusqlite::Error),
    Schema(MigrateError),
    /// What is stored is not what was stored here.
    Damaged,
    /// The commit that the order was in failed; the log has why.
    NotCommitted,
    /// The service is stopping.
    Closed,
}

impl Store {
    /// Opens the database, and brings its schema up to date.
    pub(crate) async fn open(url: &str, connections: u32) -> Result<Self, StoreError> {
        match url.split_once(':') {
            Some(("sqlite", _)) => Sqlite::open(url).await.map(Self::Sqlite),
            Some(("postgres" | "postgresql", _)) => {
                Postgres::open(url, connections).await.map(Self::Postgres)
            }
            _ => Err(StoreError::UnknownScheme),
        }
    }

    /// Stores an order; whatever comes back is durable.
    pub(crate) async fn put(&self, order: Accepted) -> Result<Stored, StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.put(order).await,
            Self::Postgres(postgres) => postgres.put(order).await,
        }
    }

    /// The latest orders of a location, the last one first.
    pub(crate) async fn latest(&self, company: u32, entity: u32, most: u32) -> Result<Vec<Kept>, StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.latest(company, entity, most).await,
            Self::Postgres(postgres) => postgres.latest(company, entity, most).await,
        }
    }

    /// Whether the database answers.
    pub(crate) async fn ready(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(sqlite) => sqlite.ready().await,
            Self::Postgres(postgres) => postgres.ready().await,
        }
    }

    /// Waits for what is being written, then closes.
    pub(crate) async fn close(self) {
        match self {
            Self::Sqlite(sqlite) => sqlite.close().await,
            Self::Postgres(postgres) => postgres.close().await,
        }
    }
}

impl Accepted {
    /// The body with this receipt number, as it is stored and answered.
    fn body_with(&self, receipt: i64) -> String {
        let [before, after] = &self.body;
        [before, "\"", &receipt.to_string(), "\"", after].concat()
    }

    /// What came of it where an order with its id is there already.
    fn beside(&self, digest: &[u8], body: String) -> Stored {
        if digest == self.digest { Stored::Same(body) } else { Stored::Other }
    }
}

fn guid(bytes: &[u8]) -> Option<Guid> {
    uuid::Uuid::from_slice(bytes).ok().and_then(|value| Guid::try_from(value).ok())
}

fn kept((id, integrator, version, body): (Vec<u8>, Vec<u8>, String, String)) -> Result<Kept, StoreError> {
    let id = guid(&id).ok_or(StoreError::Damaged)?;
    Ok(Kept { id, integrator: guid(&integrator), version, body })
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<rusqlite::Error> for StoreError {
    fn from(error: rusqlite::Error) -> Self {
        Self::Writer(error)
    }
}

impl From<MigrateError> for StoreError {
    fn from(error: MigrateError) -> Self {
        Self::Schema(error)
    }
}

impl fmt::Display for StoreError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownScheme => f.write_str("the database must be sqlite:<file> or postgres://…"),
            Self::Database(error) => write!(f, "the database: {error}"),
            Self::Writer(error) => write!(f, "the database: {error}"),
            Self::Schema(error) => write!(f, "the schema of the database: {error}"),
            Self::Damaged => f.write_str("the database holds what was not stored by this service"),
            Self::NotCommitted => f.write_str("the commit failed"),
            Self::Closed => f.write_str("the database is being closed"),
        }
    }
}
