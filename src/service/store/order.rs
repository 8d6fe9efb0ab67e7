//! The orders that are written to the database and read from it.

use crate::guid::Guid;
use crate::options::{Records, Version};
use crate::service::canonical::OrderDigest;

use super::error::StoreError;

/// An order that can be stored. Only its receipt number is missing; the transaction that stores the order counts it.
#[derive(Clone)]
pub(crate) struct NewOrder {
    pub(crate) id: Guid,
    pub(crate) company: u32,
    pub(crate) entity: u32,
    pub(crate) integrator: Guid,
    pub(crate) version: Version,
    /// Distinguishes a replay from a different order with the same id (D28).
    pub(crate) digest: OrderDigest,
    /// How the Discount and Taxes records of the order were read.
    pub(crate) records: Records,
    /// The body of the created order, split where the receipt number goes.
    pub(crate) body: [String; 2],
}

/// A stored order, as the point of sale shows it.
pub(crate) struct StoredOrder {
    pub(crate) id: Guid,
    pub(crate) integrator: Option<Guid>,
    pub(crate) version: String,
    pub(crate) body: String,
}

/// The result of inserting an order.
#[derive(Debug)]
pub(super) enum Inserted {
    /// The order is new; its body, with the receipt number.
    New(String),
    /// The id is taken, by the same order or by another.
    Existing(Existing),
}

/// What decides between a replay and a conflict.
#[derive(Clone, Debug)]
pub(super) struct Existing {
    pub(super) company: u32,
    pub(super) digest: Vec<u8>,
    pub(super) body: String,
}

/// Id, integrator, version and body of a row of `orders`.
pub(super) type Row = (Vec<u8>, Vec<u8>, String, String);

impl NewOrder {
    /// Returns the body with this receipt number.
    pub(super) fn body_with_receipt(&self, receipt: i64) -> String {
        let [before, after] = &self.body;
        [before, "\"", &receipt.to_string(), "\"", after].concat()
    }
}

impl TryFrom<Row> for StoredOrder {
    type Error = StoreError;

    fn try_from((id, integrator, version, body): Row) -> Result<Self, StoreError> {
        let id = guid_from_bytes(&id).ok_or(StoreError::UnknownData)?;
        Ok(Self { id, integrator: guid_from_bytes(&integrator), version, body })
    }
}

pub(super) fn guid_from_bytes(bytes: &[u8]) -> Option<Guid> {
    uuid::Uuid::from_slice(bytes).ok().and_then(|value| Guid::try_from(value).ok())
}
