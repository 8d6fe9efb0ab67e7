//! Orders in PostgreSQL, for more than one process or machine; many orders in one statement, and so in one commit.

use std::collections::{HashMap, HashSet};
use std::str::FromStr as _;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{query_as, query_scalar};

use crate::guid::Guid;

use super::group::{Commit, Group};
use super::{Accepted, Kept, StoreError, Stored, guid, kept, schema};

/// Counts and stores the orders that are new, so that one trip and one sync do for all of them. The counters of their
/// locations are locked until then: the orders of a location stand in line, and no number is lost. Where another
/// process stored one of the ids meanwhile the statement fails as a whole, numbers and all.
const CREATE: &str = "
    WITH new AS (
        SELECT sent.*, row_number() OVER (PARTITION BY company, entity ORDER BY place) AS nth
        FROM unnest($1::bytea[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::bytea[], $7::text[], $8::text[])
            WITH ORDINALITY AS sent (id, company, entity, integrator, version, digest, before, after, place)
        WHERE NOT EXISTS (SELECT FROM orders WHERE orders.id = sent.id)
    ), counts AS (
        SELECT company, entity, count(*) AS count FROM new GROUP BY company, entity
    ), counted AS (
        INSERT INTO receipts AS r (company, entity, last)
        SELECT company, entity, count FROM counts ORDER BY company, entity
        ON CONFLICT (company, entity) DO UPDATE SET last = r.last + excluded.last
        RETURNING company, entity, last
    ), numbered AS (
        SELECT new.*, last - count + nth AS receipt
        FROM new JOIN counts USING (company, entity) JOIN counted USING (company, entity)
    )
    INSERT INTO orders (id, company, entity, receipt, integrator, version, digest, body)
    SELECT id, company, entity, receipt, integrator, version, digest, before || '\"' || receipt || '\"' || after
    FROM numbered
    RETURNING id, receipt";

/// Two processes that store the same ids at several locations can wait for each other; PostgreSQL lets one of them fail.
const DEADLOCK: &str = "40P01";

#[derive(Clone)]
pub(crate) struct Postgres {
    pool: PgPool,
    group: Group,
}

impl Postgres {
    pub(super) async fn open(url: &str, connections: u32) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)?.application_name("sales-order-intake");
        let pool = PgPoolOptions::new().max_connections(connections).connect_with(options).await?;
        schema::postgres().run(&pool).await?;
        let group = Group::new(Writer { pool: pool.clone() });
        Ok(Self { pool, group })
    }

    pub(super) async fn put(&self, order: Accepted) -> Result<Stored, StoreError> {
        self.group.put(order).await
    }

    pub(super) async fn latest(&self, company: u32, entity: u32, most: u32) -> Result<Vec<Kept>, StoreError> {
        let rows = query_as(
            "SELECT id, integrator, version, body FROM orders
             WHERE company = $1 AND entity = $2 ORDER BY receipt DESC LIMIT $3",
        );
        let rows = rows.bind(signed(company)).bind(signed(entity)).bind(i64::from(most));
        rows.fetch_all(&self.pool).await?.into_iter().map(kept).collect()
    }

    pub(super) async fn ready(&self) -> Result<(), StoreError> {
        let _: i32 = query_scalar("SELECT 1").fetch_one(&self.pool).await?;
        if self.group.takes_orders() { Ok(()) } else { Err(StoreError::Closed) }
    }

    pub(super) async fn close(self) {
        self.group.close().await;
        self.pool.close().await;
    }
}

struct Writer {
    pool: PgPool,
}

impl Commit for Writer {
    async fn commit(&mut self, orders: Vec<Accepted>) -> Result<Vec<Stored>, StoreError> {
        let mut ids = HashSet::new();
        // The same id may have been sent twice at once; the second finds the first below.
        let firsts: Vec<_> = orders.iter().filter(|order| ids.insert(order.id)).collect();
        let mut receipts = self.create(&firsts).await?;
        let created = orders.iter().map(|order| receipts.remove(&order.id));
        let created: Vec<_> = created.collect();
        let others = orders.iter().zip(&created).filter(|(_, receipt)| receipt.is_none());
        let existing = self.existing(others.map(|(order, _)| bytes(order.id)).collect()).await?;
        let stored = orders.iter().zip(created).map(|(order, receipt)| match receipt {
            Some(receipt) => Ok(Stored::Created(order.body_with(receipt))),
            None => {
                let (digest, body) = existing.get(&order.id).ok_or(StoreError::Damaged)?;
                Ok(order.beside(digest, body.clone()))
            }
        });
        stored.collect()
    }
}

impl Writer {
    /// Stores those that are new, and gives their receipt numbers.
    async fn create(&self, orders: &[&Accepted]) -> Result<HashMap<Guid, i64>, StoreError> {
        loop {
            match self.try_create(orders).await {
                // Then one more of the ids is another process's by now, so this ends.
                Err(sqlx::Error::Database(error))
                    if error.is_unique_violation() || error.code().is_some_and(|code| code == DEADLOCK) => {}
                Err(error) => return Err(error.into()),
                Ok(rows) => {
                    let receipt = |(id, receipt): (Vec<u8>, i64)| Some((guid(&id)?, receipt));
                    return Ok(rows.into_iter().filter_map(receipt).collect());
                }
            }
        }
    }

    async fn try_create(&self, orders: &[&Accepted]) -> Result<Vec<(Vec<u8>, i64)>, sqlx::Error> {
        let all = orders.iter();
        let [befores, afters] = [0, 1].map(|half| all.clone().filter_map(move |order| order.body.get(half)));
        query_as(CREATE)
            .bind(all.clone().map(|order| bytes(order.id)).collect::<Vec<_>>())
            .bind(all.clone().map(|order| signed(order.company)).collect::<Vec<_>>())
            .bind(all.clone().map(|order| signed(order.entity)).collect::<Vec<_>>())
            .bind(all.clone().map(|order| bytes(order.integrator)).collect::<Vec<_>>())
            .bind(all.clone().map(|order| order.version.as_str()).collect::<Vec<_>>())
            .bind(all.clone().map(|order| order.digest.as_slice()).collect::<Vec<_>>())
            .bind(befores.collect::<Vec<_>>())
            .bind(afters.collect::<Vec<_>>())
            .fetch_all(&self.pool)
            .await
    }

    /// Digest and body of the orders that are there already.
    async fn existing(&self, ids: Vec<Vec<u8>>) -> Result<HashMap<Guid, (Vec<u8>, String)>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = query_as("SELECT id, digest, body FROM orders WHERE id = ANY($1)").bind(ids);
        let rows: Vec<(Vec<u8>, Vec<u8>, String)> = rows.fetch_all(&self.pool).await?;
        let order = |(id, digest, body): (Vec<u8>, _, _)| Some((guid(&id)?, (digest, body)));
        Ok(rows.into_iter().filter_map(order).collect())
    }
}

fn bytes(id: Guid) -> Vec<u8> {
    id.as_uuid().as_bytes().to_vec()
}

/// PostgreSQL has no unsigned integers; the ids of companies and locations fit (D4).
fn signed(id: u32) -> i32 {
    id.cast_signed()
}
