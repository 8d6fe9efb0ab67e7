//! Orders in PostgreSQL, for more than one process or machine. A group of orders is one statement, so one commit.

use std::collections::{HashMap, HashSet};
use std::str::FromStr as _;

use sqlx::postgres::{PgConnectOptions, PgPool, PgPoolOptions};
use sqlx::{query, query_as, query_scalar};

use crate::guid::Guid;

use super::error::StoreError;
use super::group_commit::{Commit, GroupCommit};
use super::migrations;
use super::order::{Existing, Inserted, NewOrder, Row, StoredOrder, guid_from_bytes};

/// Counts receipt numbers and stores the orders that are new, with one round trip and one sync. The counters of their
/// locations stay locked until the commit, so orders of one location are stored one after the other and no number is
/// lost. If another process stores one of the ids meanwhile, the whole statement fails and counts nothing.
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

/// Changes no row. Without a transaction id, nothing would be synced.
const PROBE: &str = "
    WITH in_orders AS (UPDATE orders SET receipt = receipt WHERE false),
        in_receipts AS (UPDATE receipts SET last = last WHERE false)
    SELECT txid_current()";

/// The code of a deadlock: two processes can wait for each other if they store the same ids at several locations.
/// PostgreSQL then fails one of the statements.
const DEADLOCK: &str = "40P01";

#[derive(Clone)]
pub(crate) struct Postgres {
    pool: PgPool,
    commits: GroupCommit,
}

impl Postgres {
    pub(super) async fn open(url: &str, connections: u32) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)?.application_name("sales-order-intake");
        let pool = PgPoolOptions::new().max_connections(connections).connect_with(options).await?;
        migrations::postgres().run(&pool).await?;
        check_durability(&pool).await?;
        let commits = GroupCommit::start(Writer { pool: pool.clone() });
        Ok(Self { pool, commits })
    }

    pub(super) async fn put(&self, order: NewOrder) -> Result<Inserted, StoreError> {
        self.commits.put(order).await
    }

    pub(super) async fn latest(
        &self,
        company: u32,
        entity: u32,
        limit: u32,
    ) -> Result<Vec<StoredOrder>, StoreError> {
        let rows = query_as(
            "SELECT id, integrator, version, body FROM orders
             WHERE company = $1 AND entity = $2 ORDER BY receipt DESC LIMIT $3",
        );
        let rows = rows.bind(company.cast_signed()).bind(entity.cast_signed()).bind(i64::from(limit));
        let rows: Vec<Row> = rows.fetch_all(&self.pool).await?;
        rows.into_iter().map(StoredOrder::try_from).collect()
    }

    pub(super) fn commits(&self) -> &GroupCommit {
        &self.commits
    }

    pub(super) async fn close(self) {
        self.commits.close().await;
        self.pool.close().await;
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

struct Writer {
    pool: PgPool,
}

impl Commit for Writer {
    async fn commit(&mut self, orders: Vec<NewOrder>) -> Result<Vec<Inserted>, StoreError> {
        let mut ids = HashSet::new();
        // If a group contains an id twice, the second order finds the first below.
        let distinct: Vec<_> = orders.iter().filter(|order| ids.insert(order.id)).collect();
        let mut created = self.create(&distinct).await?;
        let receipts: Vec<_> = orders.iter().map(|order| created.remove(&order.id)).collect();
        let others = orders.iter().zip(&receipts).filter(|(_, receipt)| receipt.is_none());
        let existing = self.existing(others.map(|(order, _)| bytes(order.id)).collect()).await?;
        let inserted = orders.iter().zip(receipts).map(|(order, receipt)| match receipt {
            Some(receipt) => Ok(Inserted::New(order.body_with_receipt(receipt))),
            None => {
                let existing = existing.get(&order.id).ok_or(StoreError::UnknownData)?;
                Ok(Inserted::Existing(existing.clone()))
            }
        });
        inserted.collect()
    }

    /// Commits a transaction that changes no row, but needs the locks, the rights and the sync of one that does.
    async fn probe(&mut self) -> Result<(), StoreError> {
        let mut transaction = self.pool.begin().await?;
        // Gives up before readiness does, so that the connection remains usable.
        query("SET LOCAL statement_timeout = '1500ms'").execute(&mut *transaction).await?;
        query(PROBE).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }
}

impl Writer {
    /// Stores the orders that are new and returns their receipt numbers.
    async fn create(&self, orders: &[&NewOrder]) -> Result<HashMap<Guid, i64>, StoreError> {
        loop {
            match self.try_create(orders).await {
                // Another process has stored at least one of the ids since, so this loop ends.
                Err(sqlx::Error::Database(error))
                    if error.is_unique_violation() || error.code().is_some_and(|code| code == DEADLOCK) => {}
                Err(error) => return Err(error.into()),
                Ok(rows) => {
                    let receipt = |(id, receipt): (Vec<u8>, i64)| Some((guid_from_bytes(&id)?, receipt));
                    return Ok(rows.into_iter().filter_map(receipt).collect());
                }
            }
        }
    }

    async fn try_create(&self, orders: &[&NewOrder]) -> Result<Vec<(Vec<u8>, i64)>, sqlx::Error> {
        let all = orders.iter();
        let [befores, afters] = [0, 1].map(|half| all.clone().filter_map(move |order| order.body.get(half)));
        // PostgreSQL has no unsigned integers; company and location ids fit into its signed ones (D4).
        query_as(CREATE)
            .bind(all.clone().map(|order| bytes(order.id)).collect::<Vec<_>>())
            .bind(all.clone().map(|order| order.company.cast_signed()).collect::<Vec<_>>())
            .bind(all.clone().map(|order| order.entity.cast_signed()).collect::<Vec<_>>())
            .bind(all.clone().map(|order| bytes(order.integrator)).collect::<Vec<_>>())
            .bind(all.clone().map(|order| order.version.as_str()).collect::<Vec<_>>())
            .bind(all.clone().map(|order| order.digest.as_slice()).collect::<Vec<_>>())
            .bind(befores.collect::<Vec<_>>())
            .bind(afters.collect::<Vec<_>>())
            .fetch_all(&self.pool)
            .await
    }

    async fn existing(&self, ids: Vec<Vec<u8>>) -> Result<HashMap<Guid, Existing>, StoreError> {
        if ids.is_empty() {
            return Ok(HashMap::new());
        }
        let rows = query_as("SELECT id, digest, body FROM orders WHERE id = ANY($1)").bind(ids);
        let rows: Vec<(Vec<u8>, Vec<u8>, String)> = rows.fetch_all(&self.pool).await?;
        let existing =
            |(id, digest, body): (Vec<u8>, _, _)| Some((guid_from_bytes(&id)?, Existing { digest, body }));
        Ok(rows.into_iter().filter_map(existing).collect())
    }
}

fn bytes(id: Guid) -> Vec<u8> {
    id.as_uuid().as_bytes().to_vec()
}
