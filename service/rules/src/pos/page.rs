//! Selects the orders of one response: the newest before a receipt number, within the limits.

use http::header::{CACHE_CONTROL, CONTENT_TYPE, VARY};
use http::{Response, StatusCode};
use serde_json::json;

use super::shown_order::{MAX_BODY_BYTES, MAX_SHOWN_BYTES, PosLocation, StoredHead};
use crate::http_response::respond;

/// The maximum number of orders of a response.
pub const MAX_ORDERS: u32 = 50;
/// The maximum size of the stored bodies that a response shows, which limits the time to prepare it.
const MAX_BODIES_BYTES: u64 = 2 * MAX_BODY_BYTES;

const NOTE: &str = "What a point of sale might show. Not part of the specified service. \
    It assumes that ValueType 1 of a discount is an amount and 2 a percentage.";

/// The orders of a response, the newest first. `Shown` is the JSON of one.
pub struct Page<'l, Shown> {
    pos: &'l PosLocation<'l>,
    orders: Vec<Shown>,
    bodies: u64,
    bytes: usize,
    last: Option<i64>,
}

impl<'l, Shown: AsRef<[u8]> + From<String>> Page<'l, Shown> {
    /// Starts without an order.
    #[must_use]
    pub fn new(pos: &'l PosLocation<'l>) -> Self {
        Self { pos, orders: Vec::new(), bodies: 0, bytes: 0, last: None }
    }

    /// Returns true if there is room for another order, whose body is then read. One order is always within
    /// the limits.
    pub fn has_room_for(&mut self, stored: &StoredHead) -> bool {
        if stored.body_bytes <= MAX_BODY_BYTES {
            self.bodies += stored.body_bytes;
        }
        self.orders.len() < usize::try_from(MAX_ORDERS).unwrap_or(usize::MAX)
            && self.bodies <= MAX_BODIES_BYTES
    }

    /// Adds an order. Returns false if it is too large to be on this page.
    pub fn add(&mut self, receipt: i64, shown: Shown) -> bool {
        self.bytes += shown.as_ref().len() + 1;
        if self.bytes > MAX_SHOWN_BYTES && self.last.is_some() {
            return false;
        }
        self.orders.push(shown);
        self.last = Some(receipt);
        true
    }

    /// Returns the response in chunks: `orders`, newest first, and in `older` the path of the next ones, or
    /// null.
    #[must_use]
    pub fn response(self, has_older: bool) -> Response<Vec<Shown>> {
        let PosLocation { location, company, entity, .. } = *self.pos;
        let last = self.last.filter(|_| has_older);
        let others = json!({
            "note": NOTE,
            "company": { "id": company, "name": location.company_name },
            "location": { "id": entity, "name": location.name },
            "older": last.map(|last| format!("/pos/{company}/{entity}.json?before={last}")),
        });
        let mut head = others.to_string();
        head.pop();
        head.push_str(",\"orders\":[");
        let mut chunks = vec![Shown::from(head)];
        for (index, order) in self.orders.into_iter().enumerate() {
            if index > 0 {
                chunks.push(",".to_owned().into());
            }
            chunks.push(order);
        }
        chunks.push("]}".to_owned().into());
        let headers = [(CONTENT_TYPE, "application/json"), (VARY, "Accept"), (CACHE_CONTROL, "no-store")];
        respond(StatusCode::OK, headers, chunks)
    }
}
