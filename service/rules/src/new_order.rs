//! An order that is to be stored, and what the store returns for it.

use sales_order_intake::{Guid, Version};
use serde::{Deserialize, Serialize};

use crate::replay::{OrderDigest, SentOrder, StoredOrder};

/// An order that can be stored. Only its receipt number is missing; the transaction that stores the order
/// counts it.
#[derive(Clone, Deserialize, Serialize)]
pub struct NewOrder {
    /// The Id of the order.
    pub id: Guid,
    /// Its CompanyId.
    pub company: u32,
    /// Its EntityId.
    pub entity: u32,
    /// Its IntegratorId.
    pub integrator: Guid,
    /// The version of the operation that it was sent to.
    pub version: Version,
    /// Recognizes the order when it is sent again (D28).
    pub digest: OrderDigest,
    /// The body of the created order, split where the receipt number goes.
    pub body: [String; 2],
}

/// The result of inserting an order.
#[derive(Debug)]
pub enum Inserted {
    /// The order is new; its body, with the receipt number.
    New(String),
    /// The id is taken, by the same order or by another.
    Existing(StoredOrder),
}

impl NewOrder {
    /// Returns what is compared with a stored order that has the same id.
    pub fn sent(&self) -> SentOrder {
        SentOrder { company: self.company, digest: self.digest }
    }

    /// Returns the body with this receipt number.
    #[must_use]
    pub fn body_with_receipt(&self, receipt: i64) -> String {
        let [before, after] = &self.body;
        [before, "\"", &receipt.to_string(), "\"", after].concat()
    }
}
