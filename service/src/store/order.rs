//! The orders that are read from the database.

use sales_order_intake::Guid;
use sales_order_intake::uuid::Uuid;

/// A stored order without its body. Members that this service did not write are `None` or unknown strings.
pub(crate) struct ListedOrder {
    pub(crate) receipt: i64,
    pub(crate) id: Option<Guid>,
    pub(crate) integrator: Option<Guid>,
    pub(crate) version: String,
    /// The size of the body.
    pub(crate) body_bytes: u64,
}

/// Receipt number, id, integrator, version and size of the body of a row of `orders`.
pub(super) type Row = (i64, Vec<u8>, Vec<u8>, String, i64);

impl From<Row> for ListedOrder {
    fn from((receipt, id, integrator, version, body_bytes): Row) -> Self {
        let (id, integrator) = (guid_from_bytes(&id), guid_from_bytes(&integrator));
        Self { receipt, id, integrator, version, body_bytes: body_bytes.try_into().unwrap_or(u64::MAX) }
    }
}

pub(super) fn guid_from_bytes(bytes: &[u8]) -> Option<Guid> {
    Uuid::from_slice(bytes).ok().and_then(|value| Guid::try_from(value).ok())
}
