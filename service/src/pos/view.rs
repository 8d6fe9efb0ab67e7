//! Selects the orders of one response: the newest before a receipt number, within the limits.

use axum::body::Bytes;
use serde::Serialize;

use super::chunks::Chunks;
use super::shown_order::{MAX_BODY_BYTES, MAX_SHOWN_BYTES, PosLocation, show};
use crate::state::AppState;
use crate::store::StoreError;

/// The maximum number of orders of a response.
const MAX_ORDERS: u32 = 50;
/// The maximum size of the stored bodies that a response shows, which limits the time to prepare it.
const MAX_BODIES_BYTES: u64 = 2 * MAX_BODY_BYTES;

const NOTE: &str = "What a point of sale might show. Not part of the specified service. \
    It assumes that ValueType 1 of a discount is an amount and 2 a percentage.";

/// The response without its orders.
#[derive(Serialize)]
struct Head<'v> {
    note: &'static str,
    company: Named<'v>,
    location: Named<'v>,
}

#[derive(Serialize)]
struct Named<'v> {
    id: u32,
    name: &'v str,
}

/// Returns the response: `orders`, newest first, and in `older` the path of the next ones, or null.
pub(super) async fn view(app: &AppState, pos: &PosLocation<'_>, before: i64) -> Result<Chunks, StoreError> {
    let listed = app.store.list(pos.company, pos.entity, before, MAX_ORDERS + 1).await?;
    let mut orders = Vec::new();
    let (mut bodies, mut bytes, mut last) = (0, 0, None);
    let mut rest = listed.into_iter();
    for order in rest.by_ref().take(usize::try_from(MAX_ORDERS).unwrap_or(usize::MAX)) {
        let receipt = order.receipt;
        if order.body_bytes <= MAX_BODY_BYTES {
            bodies += order.body_bytes;
        }
        // One order is always within both limits.
        if bodies > MAX_BODIES_BYTES {
            return Ok(chunks(pos, orders, last));
        }
        let shown = show(app, pos, order).await;
        bytes += shown.len() + 1;
        if bytes > MAX_SHOWN_BYTES && last.is_some() {
            return Ok(chunks(pos, orders, last));
        }
        orders.push(shown);
        last = Some(receipt);
    }
    let last = last.filter(|_| rest.next().is_some());
    Ok(chunks(pos, orders, last))
}

/// Composes the response. `last` is the lowest receipt number if there are older orders.
fn chunks(pos: &PosLocation<'_>, orders: Vec<Bytes>, last: Option<i64>) -> Chunks {
    let PosLocation { location, company, entity, .. } = *pos;
    let head = Head {
        note: NOTE,
        company: Named { id: company, name: &location.company_name },
        location: Named { id: entity, name: &location.name },
    };
    // Serializing strings and numbers cannot fail.
    let mut head = serde_json::to_string(&head).unwrap_or_default();
    head.pop();
    head.push_str(",\"orders\":[");
    let older = match last {
        Some(last) => format!("\"/pos/{company}/{entity}.json?before={last}\""),
        None => "null".to_owned(),
    };
    let mut chunks = Chunks::default();
    chunks.push(head.into());
    for (index, order) in orders.into_iter().enumerate() {
        if index > 0 {
            chunks.push(Bytes::from_static(b","));
        }
        chunks.push(order);
    }
    chunks.push(format!("],\"older\":{older}}}").into());
    chunks
}
