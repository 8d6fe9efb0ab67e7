//! An item that no rule comments on.

use std::ops::Range;

use crate::order::item;

use super::amounts::Digits;
use super::body::{Body, MAX_BYTES, max_bytes};

/// The number of members of an item.
const MEMBERS: usize = 6;
const QUOTE: usize = 1;

/// What a plain item has.
pub(crate) struct PlainItem {
    pub(crate) quantity: Digits,
    pub(crate) price: Digits,
    /// The bytes of each value from the start of the item, in the order of the specification; empty if it is absent.
    pub(crate) values: [Range<usize>; MEMBERS],
    pub(crate) length: usize,
}

impl PlainItem {
    /// Reads an item at the start of some JSON; returns `None` if it may not be plain.
    ///
    /// The general path reads items with this too: what it accepts needs no check.
    pub(crate) fn parse(json: &str) -> Option<Self> {
        Self::read(&mut Body::new(json.as_bytes(), 0))
    }

    /// Reads an item. Not inlined: judge and parser share one copy.
    #[inline(never)]
    pub(super) fn read(body: &mut Body<'_>) -> Option<Self> {
        const QUANTITY_DIGITS: u32 = 3;
        const PRICE_DIGITS: u32 = 2;
        let start = body.left();
        let end = |body: &Body<'_>| start - body.left();
        body.key(b"{\"Name\":\"")?;
        let name = end(body) - QUOTE;
        body.string(max_bytes(&item::NAME))?;
        let name = name..end(body);
        body.key(b",\"CatalogItemId\":\"")?;
        let id = end(body) - QUOTE;
        body.guid()?;
        let id = id..end(body);
        body.key(b",\"Quantity\":")?;
        let digits = end(body);
        let quantity = body.decimal()?;
        let quantity_bytes = digits..end(body);
        body.key(b",\"SellAtPricePerUnit\":")?;
        let digits = end(body);
        let price = body.decimal()?;
        let price_bytes = digits..end(body);
        let (mut package_id, mut batch) = (0..0, 0..0);
        if body.has_key(b",\"PackageId\":\"") {
            package_id.start = end(body) - QUOTE;
            body.string(MAX_BYTES)?;
            package_id.end = end(body);
        }
        if body.has_key(b",\"Batch\":\"") {
            batch.start = end(body) - QUOTE;
            body.string(MAX_BYTES)?;
            batch.end = end(body);
        }
        if body.byte()? != b'}' {
            return None;
        }
        // A quantity of 0 is an error; a price of 0 and more digits are warnings (D6, D7).
        let is_quantity = quantity.units != 0 && quantity.scale <= QUANTITY_DIGITS;
        let is_price = price.units != 0 && price.scale <= PRICE_DIGITS;
        if !is_quantity || !is_price {
            return None;
        }
        let values = [name, id, quantity_bytes, price_bytes, package_id, batch];
        Some(Self { quantity, price, values, length: end(body) })
    }
}
