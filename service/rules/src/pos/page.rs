//! Selects the orders of one response: the newest before a receipt number, within the limits.

use serde::Serialize;

use super::shown_order::{MAX_BODY_BYTES, MAX_SHOWN_BYTES, PosLocation, StoredHead};

/// The maximum number of orders of a response.
pub const MAX_ORDERS: u32 = 50;
/// The maximum size of the stored bodies that a response shows, which limits the time to prepare it.
const MAX_BODIES_BYTES: u64 = 2 * MAX_BODY_BYTES;

const NOTE: &str = "What a point of sale might show. Not part of the specified service. \
    It assumes that ValueType 1 of a discount is an amount and 2 a percentage.";

/// The orders of a response, the newest first. `Shown` is the JSON of one.
pub struct Page<Shown> {
    orders: Vec<Shown>,
    bodies: u64,
    bytes: usize,
    last: Option<i64>,
}

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

impl<Shown: AsRef<[u8]> + From<Vec<u8>>> Page<Shown> {
    /// Starts without an order.
    #[must_use]
    pub fn new() -> Self {
        Self { orders: Vec::new(), bodies: 0, bytes: 0, last: None }
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

    /// Composes the response in chunks: `orders`, newest first, and in `older` the path of the next ones, or
    /// null.
    #[must_use]
    pub fn into_chunks(self, pos: &PosLocation<'_>, has_older: bool) -> Vec<Shown> {
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
        let older = match self.last.filter(|_| has_older) {
            Some(last) => format!("\"/pos/{company}/{entity}.json?before={last}\""),
            None => "null".to_owned(),
        };
        let mut chunks = vec![Shown::from(head.into_bytes())];
        for (index, order) in self.orders.into_iter().enumerate() {
            if index > 0 {
                chunks.push(Shown::from(b",".to_vec()));
            }
            chunks.push(order);
        }
        chunks.push(Shown::from(format!("],\"older\":{older}}}").into_bytes()));
        chunks
    }
}

impl<Shown: AsRef<[u8]> + From<Vec<u8>>> Default for Page<Shown> {
    fn default() -> Self {
        Self::new()
    }
}
