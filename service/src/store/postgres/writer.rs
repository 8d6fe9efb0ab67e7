//! Stores groups of orders, each with one statement.

use std::collections::{HashMap, HashSet};

use sqlx::postgres::PgPool;
use sqlx::{query, query_as};
use tokio::time::sleep;

use crate::store::error::StoreError;
use crate::store::group_commit::{Commit, Results};
use crate::store::guid_from_bytes;
use crate::store::retry::{has_class, is_permanent, pause, reason};
use sales_order_intake::Guid;
use service_rules::new_order::{Inserted, NewOrder};
use service_rules::replay::StoredOrder;

/// Counts receipt numbers and stores the orders that are new, with one round trip and one sync. The counters
/// of their locations stay locked until the commit, so orders of one location are stored one after the other
/// and no number is lost. A counter that lags behind the stored orders, as after a partial restore, is raised.
/// If another process stores one of the ids meanwhile, the whole statement fails and counts nothing.
const CREATE: &str = "
    WITH new AS (
        SELECT sent.*, row_number() OVER (PARTITION BY company, entity ORDER BY place) AS nth
        FROM unnest($1::bytea[], $2::int[], $3::int[], $4::bytea[], $5::text[], $6::bytea[], $7::text[], $8::text[])
            WITH ORDINALITY AS sent (id, company, entity, integrator, version, digest, before, after, place)
        WHERE NOT EXISTS (SELECT FROM orders WHERE orders.id = sent.id)
    ), counts AS (
        SELECT company, entity, count(*) AS count,
            (SELECT coalesce(max(receipt), 0) FROM orders
             WHERE (orders.company, orders.entity) = (new.company, new.entity)) AS highest
        FROM new GROUP BY company, entity
    ), counted AS (
        INSERT INTO receipts AS r (company, entity, last)
        SELECT company, entity, highest + count FROM counts ORDER BY company, entity
        ON CONFLICT (company, entity) DO UPDATE SET last = greatest(excluded.last, r.last + (
            SELECT count FROM counts WHERE (counts.company, counts.entity) = (r.company, r.entity)))
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

pub(super) struct Writer(pub(super) PgPool);

/// The receipt number of each new order, or the error that affects only this order.
type Receipts = HashMap<Guid, Result<i64, StoreError>>;

impl Commit for Writer {
    async fn commit(&mut self, orders: Vec<NewOrder>) -> Result<Results, StoreError> {
        let mut ids = HashSet::new();
        // If a group contains an id twice, the second order finds the first below.
        let distinct: Vec<_> = orders.iter().filter(|order| ids.insert(order.id)).collect();
        let mut created = self.create(&distinct).await?;
        let receipts: Vec<_> = orders.iter().map(|order| created.remove(&order.id)).collect();
        let others = orders.iter().zip(&receipts).filter(|(_, receipt)| receipt.is_none());
        let existing = existing(&self.0, others.map(|(order, _)| bytes(order.id)).collect()).await?;
        let results = orders.iter().zip(receipts).map(|(order, receipt)| match receipt {
            Some(receipt) => Ok(Inserted::New(order.body_with_receipt(receipt?))),
            None => {
                // Missing if the first order with this id failed.
                let existing = existing.get(&order.id).ok_or(StoreError::CommitFailed)?;
                Ok(Inserted::Existing(existing.clone()))
            }
        });
        Ok(results.collect())
    }

    /// Commits a transaction that changes no row, but needs the locks, the rights and the sync of one that
    /// does.
    async fn probe(&mut self) -> Result<(), StoreError> {
        let mut transaction = self.0.begin().await?;
        // Gives up before readiness does, so that the connection remains usable.
        query("SET LOCAL statement_timeout = '1500ms'").execute(&mut *transaction).await?;
        query(PROBE).execute(&mut *transaction).await?;
        transaction.commit().await?;
        Ok(())
    }
}

impl Writer {
    /// Stores the orders that are new: together, or one by one if one of them may have made the statement fail.
    async fn create(&self, orders: &[&NewOrder]) -> Result<Receipts, StoreError> {
        match self.create_together(orders).await {
            Err(error) if affects_one_order(&error) => {
                tracing::warn!(orders = orders.len(), %error, "commit failed; storing its orders one by one");
            }
            created => return Ok(created?),
        }
        let mut receipts = Receipts::new();
        for order in orders {
            match self.create_together(&[order]).await {
                Err(error) if affects_one_order(&error) => {
                    receipts.insert(order.id, Err(error.into()));
                }
                // If it fails now, the orders that are stored already are found when they are sent again.
                created => receipts.extend(created?),
            }
        }
        Ok(receipts)
    }

    /// Stores the orders that are new with one statement, which is repeated a limited number of times.
    async fn create_together(&self, orders: &[&NewOrder]) -> Result<Receipts, sqlx::Error> {
        let mut attempt = 1;
        loop {
            let error = match self.try_create(orders).await {
                Ok(rows) => {
                    let receipt = |(id, receipt): (Vec<u8>, i64)| Some((guid_from_bytes(&id)?, Ok(receipt)));
                    return Ok(rows.into_iter().filter_map(receipt).collect());
                }
                Err(error) => error,
            };
            let (Some(reason), Some(pause)) = (reason(&error), pause(attempt)) else { return Err(error) };
            tracing::warn!(orders = orders.len(), attempt, reason, "commit is repeated");
            sleep(pause).await;
            attempt += 1;
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
            .fetch_all(&self.0)
            .await
    }
}

/// Returns the stored orders with these ids.
pub(super) async fn existing(
    pool: &PgPool,
    ids: Vec<Vec<u8>>,
) -> Result<HashMap<Guid, StoredOrder>, StoreError> {
    if ids.is_empty() {
        return Ok(HashMap::new());
    }
    let rows = query_as("SELECT id, company, digest, body FROM orders WHERE id = ANY($1)").bind(ids);
    let rows: Vec<(Vec<u8>, i32, Vec<u8>, String)> = rows.fetch_all(pool).await?;
    let existing = |(id, company, digest, body): (Vec<u8>, i32, _, _)| {
        Some((guid_from_bytes(&id)?, StoredOrder { company: company.cast_unsigned(), digest, body }))
    };
    Ok(rows.into_iter().filter_map(existing).collect())
}

/// Returns true if the values of an order can be the cause: the others may succeed without it.
fn affects_one_order(error: &sqlx::Error) -> bool {
    // 40: rolled-back transactions.
    is_permanent(error) || reason(error).is_some() || has_class(error, &["40"])
}

pub(super) fn bytes(id: Guid) -> Vec<u8> {
    id.as_uuid().as_bytes().to_vec()
}
