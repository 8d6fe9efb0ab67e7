//! The receipt numbers of one transaction.

use std::collections::HashMap;

use rusqlite::{OptionalExtension as _, Transaction, params};

use crate::store::StoreCounters;
use crate::store::error::StoreError;
use service_rules::new_order::NewOrder;

/// The last receipt number of each location that a transaction uses.
pub(super) struct Receipts<'c> {
    last: HashMap<(u32, u32), i64>,
    counters: &'c StoreCounters,
}

impl<'c> Receipts<'c> {
    pub(super) fn new(counters: &'c StoreCounters) -> Self {
        Self { last: HashMap::new(), counters }
    }

    /// Returns the next number of the order's location. It is taken by [`advance`](Self::advance).
    pub(super) fn next(&self, transaction: &Transaction<'_>, order: &NewOrder) -> Result<i64, StoreError> {
        let last = match self.last.get(&(order.company, order.entity)) {
            Some(last) => *last,
            None => {
                let mut select = transaction
                    .prepare_cached("SELECT last FROM receipts WHERE company = ? AND entity = ?")?;
                let last = select.query_row([order.company, order.entity], |row| row.get(0)).optional()?;
                last.unwrap_or(0)
            }
        };
        last.checked_add(1).ok_or(StoreError::NoReceiptNumber)
    }

    /// Takes a number.
    pub(super) fn advance(&mut self, order: &NewOrder, receipt: i64) {
        self.last.insert((order.company, order.entity), receipt);
    }

    /// Raises a counter that lags behind the stored orders, as after a partial restore. Returns the next
    /// number.
    pub(super) fn repair(
        &mut self,
        transaction: &Transaction<'_>,
        order: &NewOrder,
    ) -> Result<i64, StoreError> {
        let (company, entity) = (order.company, order.entity);
        let mut select =
            transaction.prepare_cached("SELECT max(receipt) FROM orders WHERE company = ? AND entity = ?")?;
        let highest: Option<i64> = select.query_row([company, entity], |row| row.get(0))?;
        let last = highest.unwrap_or(0);
        self.last.insert((company, entity), last);
        self.counters.count_repair(company, entity, last);
        last.checked_add(1).ok_or(StoreError::NoReceiptNumber)
    }

    pub(super) fn write(self, transaction: &Transaction<'_>) -> Result<(), StoreError> {
        let mut write = transaction.prepare_cached(
            "INSERT INTO receipts (company, entity, last) VALUES (?, ?, ?)
             ON CONFLICT (company, entity) DO UPDATE SET last = excluded.last",
        )?;
        for ((company, entity), last) in self.last {
            write.execute(params![company, entity, last])?;
        }
        Ok(())
    }
}
