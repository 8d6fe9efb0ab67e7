//! The orders that are read from the database.

use sales_order_intake::Guid;
use sales_order_intake::uuid::Uuid;
use service_rules::pos::StoredHead;

/// Receipt number, id, integrator, version and size of the body of a row of `orders`.
pub(super) type Row = (i64, Vec<u8>, Vec<u8>, String, i64);

/// Reads a row that another release may have written.
pub(super) fn stored_head((receipt, id, integrator, version, body_bytes): Row) -> StoredHead {
    let (id, integrator) = (guid_from_bytes(&id), guid_from_bytes(&integrator));
    StoredHead { receipt, id, integrator, version, body_bytes: body_bytes.try_into().unwrap_or(u64::MAX) }
}

pub(super) fn guid_from_bytes(bytes: &[u8]) -> Option<Guid> {
    Uuid::from_slice(bytes).ok().and_then(|value| Guid::try_from(value).ok())
}
