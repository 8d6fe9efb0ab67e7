//! Orders in PostgreSQL, for more than one process or machine.

use std::str::FromStr as _;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{query_as, query_scalar};

use super::{Accepted, Kept, StoreError, Stored, kept, schema};

/// Counts and stores in one statement, so that one trip and one sync do. The row of the counter is locked until then:
/// the orders of a location stand in line, and no number is lost. Where another process stored the same id meanwhile
/// the statement fails as a whole, number and all.
const CREATE: &str = "
    WITH counted AS (
        INSERT INTO receipts AS r (company, entity, last)
        SELECT $2, $3, 1 WHERE NOT EXISTS (SELECT FROM orders WHERE id = $1)
        ON CONFLICT (company, entity) DO UPDATE SET last = r.last + 1
        RETURNING last
    )
    INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
    SELECT $1, $2, $3, last, $4, $5, $6, $7 || '\"' || last || '\"' || $8 FROM counted
    RETURNING receipt";

#[derive(Clone)]
pub(crate) struct Postgres {
    pool: PgPool,
}

impl Postgres {
    pub(super) async fn open(url: &str, connections: u32) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)?.application_name("sales-order-intake");
        let pool = PgPoolOptions::new().max_connections(connections).connect_with(options).await?;
        schema::postgres().run(&pool).await?;
        Ok(Self { pool })
    }

    pub(super) async fn put(&self, order: &Accepted) -> Result<Stored, StoreError> {
        let id = order.id.as_uuid().as_bytes().as_slice();
        let [before, after] = &order.body;
        let created = query_scalar(CREATE)
            .bind(id)
            .bind(signed(order.company)?)
            .bind(signed(order.entity)?)
            .bind(order.integrator.as_uuid().as_bytes().as_slice())
            .bind(order.version.name())
            .bind(order.digest.as_slice())
            .bind(before)
            .bind(after)
            .fetch_optional(&self.pool)
            .await;
        match created {
            Ok(Some(receipt)) => return Ok(Stored::Created(order.body_with(receipt))),
            Err(sqlx::Error::Database(error)) if error.is_unique_violation() => {}
            Err(error) => return Err(error.into()),
            Ok(None) => {}
        }
        let existing = query_as("SELECT digest, body FROM orders WHERE id = $1");
        let (digest, body): (Vec<u8>, String) = existing.bind(id).fetch_one(&self.pool).await?;
        Ok(order.beside(&digest, body))
    }

    pub(super) async fn latest(&self, company: u32, entity: u32, most: u32) -> Result<Vec<Kept>, StoreError> {
        let rows = query_as(
            "SELECT id, integrator, version, body FROM orders
             WHERE company = $1 AND entity = $2 ORDER BY receipt DESC LIMIT $3",
        );
        let rows = rows.bind(signed(company)?).bind(signed(entity)?).bind(i64::from(most));
        rows.fetch_all(&self.pool).await?.into_iter().map(kept).collect()
    }

    pub(super) async fn ready(&self) -> Result<(), StoreError> {
        let _: i32 = query_scalar("SELECT 1").fetch_one(&self.pool).await?;
        Ok(())
    }

    pub(super) async fn close(self) {
        self.pool.close().await;
    }
}

/// PostgreSQL has no unsigned integers; the ids of companies and locations fit (D4).
fn signed(id: u32) -> Result<i32, StoreError> {
    i32::try_from(id).map_err(|_| StoreError::Damaged)
}
