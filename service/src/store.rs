//! Stores orders and counts receipt numbers, in SQLite or PostgreSQL.
//!
//! [`GroupCommit::put`] returns once the order is durable, or the order that has its id. The receipt number is
//! counted in the transaction that stores the order: per location, without gaps or duplicates, also if
//! several processes share the database.

mod error;
mod group_commit;
mod postgres;
mod retry;
mod sqlite;

pub(crate) use error::StoreError;

use group_commit::GroupCommit;
use postgres::Postgres;
use sales_order_intake::Guid;
use sales_order_intake::uuid::Uuid;
use service_rules::pos::{ListedOrder, MAX_BODY_BYTES, MAX_ORDERS};
use service_rules::replay::StoredOrder;
use sqlite::Reader;

/// An open database.
#[derive(Clone)]
pub(crate) struct Store {
    pub(crate) commits: GroupCommit,
    database: Database,
}

/// The ids of a company and of one of its locations.
pub(crate) type LocationIds = (u32, u32);

/// How many orders are listed: one more shows that there are older ones.
const LISTED: i64 = MAX_ORDERS as i64 + 1;
/// The size up to which their bodies are read.
const LISTED_BYTES: i64 = MAX_BODY_BYTES as i64;

#[derive(Clone)]
enum Database {
    Sqlite(Reader),
    Postgres(Postgres),
}

impl Store {
    /// Opens the database, and creates its tables if they are missing.
    pub(crate) async fn open(url: &str, connections: u32) -> Result<Self, StoreError> {
        match url.split_once(':') {
            Some(("sqlite", _)) => sqlite::open(url).await,
            Some(("postgres" | "postgresql", _)) => postgres::open(url, connections).await,
            _ => Err(StoreError::UnknownScheme),
        }
    }

    /// Returns the order with this id, which is durable, or `None` if it is free.
    pub(crate) async fn find(&self, id: Guid) -> Result<Option<StoredOrder>, StoreError> {
        match &self.database {
            Database::Sqlite(reader) => reader.find(id).await,
            Database::Postgres(postgres) => postgres.find(id).await,
        }
    }

    /// Returns the latest orders of a location that have a lower receipt number than `before`, newest first: one
    /// more than a response may have.
    pub(crate) async fn list(&self, ids: LocationIds, before: i64) -> Result<Vec<ListedOrder>, StoreError> {
        match &self.database {
            Database::Sqlite(reader) => reader.list(ids, before).await,
            Database::Postgres(postgres) => postgres.list(ids, before).await,
        }
    }

    /// Finishes pending commits, then closes the database.
    pub(crate) async fn close(self) {
        self.commits.close().await;
        match self.database {
            Database::Sqlite(reader) => reader.close().await,
            Database::Postgres(postgres) => postgres.close().await,
        }
    }
}

/// Receipt number, id, integrator, version and body of a row of `orders`.
type Row = (i64, Vec<u8>, Vec<u8>, String, Option<String>);

/// Reads a row. Returns `None` if another program has written it.
fn listed_order((receipt, id, integrator, version, body): Row) -> Option<ListedOrder> {
    let (order_id, integrator) = (guid_from_bytes(&id)?, guid_from_bytes(&integrator)?);
    Some(ListedOrder { receipt, order_id, integrator, version: version.parse().ok()?, body })
}

fn guid_from_bytes(bytes: &[u8]) -> Option<Guid> {
    Uuid::from_slice(bytes).ok().and_then(|value| Guid::try_from(value).ok())
}
