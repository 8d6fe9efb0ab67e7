//! The state that a relay reports for an order that it has stored, as JSON (D26).

use crate::closed_set::find;
use crate::guid::Guid;
use crate::json;

use super::RelayState;

/// A relay's state of an order.
pub(super) enum RelayOrder {
    /// It will be delivered, or is being delivered.
    Open,
    /// It is not sent any more.
    Stopped {
        state: RelayState,
        /// Whether the service may have it nevertheless.
        may_be_created: bool,
        /// Whether the service has another order with this Id.
        is_conflict: bool,
    },
}

/// Reads `{"orderId":…,"state":…,"outcome":…,"status":…}`, which may be problem details; returns `None` if it is not a relay's state of this
/// order.
pub(super) fn read_state(body: &str, id: Guid) -> Option<RelayOrder> {
    let raw = json::document(json::without_bom(body)).ok()?;
    let (mut order_id, mut state, mut outcome, mut status) = (None, None, None, "");
    let _ = json::members(raw, &mut |name, raw| {
        let member = match &*name {
            "orderId" => &mut order_id,
            "state" => &mut state,
            "outcome" => &mut outcome,
            "status" => return status = raw,
            _ => return,
        };
        *member = json::string(raw);
    });
    if Guid::read(&order_id?).ok() != Some(id) {
        return None;
    }
    let state = state?;
    if matches!(&*state, "waiting" | "sending") {
        return Some(RelayOrder::Open);
    }
    let state = find(RelayState::ALL, &state)?;
    let may_be_created = outcome.as_deref() != Some("not-created");
    let is_conflict = state == RelayState::Refused && status == "409";
    Some(RelayOrder::Stopped { state, may_be_created, is_conflict })
}
