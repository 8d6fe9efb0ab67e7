//! Orders in PostgreSQL, for more than one process or machine. A group of orders is one statement, so one
//! commit.

mod writer;

use std::str::FromStr as _;
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{query, query_as, query_scalar, raw_sql};

use super::error::StoreError;
use super::group_commit::GroupCommit;
use super::{Database, LISTED, LISTED_BYTES, LocationIds, Row, Store, listed_order};
use sales_order_intake::Guid;
use service_rules::pos::ListedOrder;
use service_rules::replay::StoredOrder;
use writer::{Writer, bytes, existing};

/// Makes commits wait until they are durable, whatever the server, database or user is set to. Preserves the
/// one setting that waits longer.
const SYNC_COMMITS: &str = "
    SELECT set_config('synchronous_commit', 'on', false)
    WHERE current_setting('synchronous_commit') <> 'remote_apply'";

/// How long a commit waits for a connection. A caller that gives up first does not learn that nothing was
/// stored.
const CONNECTION_TIME: Duration = Duration::from_secs(5);

/// The connections that read, which the writer shares.
#[derive(Clone)]
pub(super) struct Postgres(PgPool);

pub(super) async fn open(url: &str, connections: u32) -> Result<Store, StoreError> {
    let options = PgConnectOptions::from_str(url)?.application_name("sales-order-intake");
    let pool = PgPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(CONNECTION_TIME)
        .after_connect(|connection, _| {
            Box::pin(async { query(SYNC_COMMITS).execute(connection).await.map(drop) })
        })
        .connect_with(options)
        .await?;
    let mut transaction = pool.begin().await?;
    raw_sql(include_str!("postgres/schema.sql")).execute(&mut *transaction).await?;
    transaction.commit().await?;
    check_durability(&pool).await?;
    let commits = GroupCommit::start(Writer(pool.clone()));
    Ok(Store { commits, database: Database::Postgres(Postgres(pool)) })
}

impl Postgres {
    pub(super) async fn find(&self, id: Guid) -> Result<Option<StoredOrder>, StoreError> {
        Ok(existing(&self.0, vec![bytes(id)]).await?.remove(&id))
    }

    pub(super) async fn list(&self, ids: LocationIds, before: i64) -> Result<Vec<ListedOrder>, StoreError> {
        let (company, entity) = ids;
        let rows = query_as(
            "SELECT receipt, id, integrator, version, CASE WHEN octet_length(body) <= $4 THEN body END FROM orders
             WHERE company = $1 AND entity = $2 AND receipt < $3 ORDER BY receipt DESC LIMIT $5",
        );
        let rows = rows.bind(company.cast_signed()).bind(entity.cast_signed()).bind(before);
        let rows = rows.bind(LISTED_BYTES).bind(LISTED);
        let rows: Vec<Row> = rows.fetch_all(&self.0).await?;
        Ok(rows.into_iter().filter_map(listed_order).collect())
    }

    pub(super) async fn close(self) {
        self.0.close().await;
    }
}

/// Checks that a committed order survives a crash of the server.
async fn check_durability(pool: &PgPool) -> Result<(), StoreError> {
    let fsync: String = query_scalar("SELECT current_setting('fsync')").fetch_one(pool).await?;
    if fsync == "off" {
        return Err(StoreError::NotDurable("PostgreSQL runs with fsync = off"));
    }
    let logged = "SELECT bool_and(relpersistence = 'p') FROM pg_class
                  WHERE oid IN ('orders'::regclass, 'receipts'::regclass)";
    match query_scalar(logged).fetch_one(pool).await? {
        true => Ok(()),
        false => Err(StoreError::NotDurable("a table is unlogged")),
    }
}
