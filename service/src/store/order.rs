//! The orders that are written to the database and read from it.

use crate::replay::{OrderDigest, SentOrder, StoredOrder};
use sales_order_intake::Guid;
use sales_order_intake::Version;
use sales_order_intake::uuid::Uuid;

/// An order that can be stored. Only its receipt number is missing; the transaction that stores the order counts it.
#[derive(Clone)]
pub(crate) struct NewOrder {
    pub(crate) id: Guid,
    pub(crate) company: u32,
    pub(crate) entity: u32,
    pub(crate) integrator: Guid,
    pub(crate) version: Version,
    /// Recognizes the order when it is sent again (D28).
    pub(crate) digest: OrderDigest,
    /// The body of the created order, split where the receipt number goes.
    pub(crate) body: [String; 2],
}

/// A stored order without its body. Members that this service did not write are `None` or unknown strings.
pub(crate) struct ListedOrder {
    pub(crate) receipt: i64,
    pub(crate) id: Option<Guid>,
    pub(crate) integrator: Option<Guid>,
    pub(crate) version: String,
    /// The size of the body.
    pub(crate) body_bytes: u64,
}

/// The result of inserting an order.
#[derive(Debug)]
pub(crate) enum Inserted {
    /// The order is new; its body, with the receipt number.
    New(String),
    /// The id is taken, by the same order or by another.
    Existing(StoredOrder),
}

/// Receipt number, id, integrator, version and size of the body of a row of `orders`.
pub(super) type Row = (i64, Vec<u8>, Vec<u8>, String, i64);

impl NewOrder {
    /// Returns what is compared with a stored order that has the same id.
    pub(crate) fn sent(&self) -> SentOrder {
        SentOrder { company: self.company, digest: self.digest }
    }

    /// Returns the body with this receipt number.
    pub(super) fn body_with_receipt(&self, receipt: i64) -> String {
        let [before, after] = &self.body;
        [before, "\"", &receipt.to_string(), "\"", after].concat()
    }
}

impl From<Row> for ListedOrder {
    fn from((receipt, id, integrator, version, body_bytes): Row) -> Self {
        let (id, integrator) = (guid_from_bytes(&id), guid_from_bytes(&integrator));
        Self { receipt, id, integrator, version, body_bytes: body_bytes.try_into().unwrap_or(u64::MAX) }
    }
}

pub(super) fn guid_from_bytes(bytes: &[u8]) -> Option<Guid> {
    Uuid::from_slice(bytes).ok().and_then(|value| Guid::try_from(value).ok())
}
