//! The judge: reads the body of a plain order part by part and computes its totals.

use crate::decimal::Rounding;
use crate::order::order;

use super::amounts::{Subtotal, plus, tax_units};
use super::body::{Body, MAX_BYTES, max_bytes};
use super::item::PlainItem;
use super::terms::sum_terms;

/// The number of supplied taxes that the judge compares with each other.
pub(crate) const MAX_TAXES: usize = 8;
/// The number of lines in one part whose prices are stored.
pub(crate) const MAX_LINES: usize = 128;
/// Fewer than the general path accepts.
const MAX_ITEMS: usize = 100_000;

/// The pairs of a body that the host did not write but was given as JSON: nothing is hidden in its strings.
pub(super) const ANY_PAIRS: u32 = u32::MAX;

/// What the judge knows after a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Progress {
    /// Plain so far; a part with more items follows.
    Partial,
    /// The order is complete and plain.
    Plain,
}

/// The state of one judgement, between its parts.
#[derive(Debug)]
pub(crate) struct Judge {
    scale: u32,
    rounding: Rounding,
    pairs: u32,
    items: usize,
    bytes: usize,
    subtotal: Subtotal,
    /// The prices of the items that the only item of the body represents.
    represented: Option<Subtotal>,
    /// The prices of the lines in the last part.
    pub(crate) lines: [u64; MAX_LINES],
    pub(crate) totals: PlainTotals,
}

/// The totals of a plain order in the smallest unit of the currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PlainTotals {
    pub(crate) subtotal: u64,
    /// The subtotals rounded half up, half even and half down, and the number of ties.
    pub(crate) sums: [u64; 4],
    /// Subtotal and tax.
    pub(crate) total: u64,
    /// The lowest total over the rounding modes (D19).
    pub(crate) min: u64,
    /// The highest total over the rounding modes (D19).
    pub(crate) max: u64,
    pub(crate) tax: u64,
    /// The total of the first line, which has all supplied taxes (§2.1).
    pub(crate) first_line: u64,
    /// The supplied taxes, the first `tax_count` of them.
    pub(crate) taxes: [u64; MAX_TAXES],
    pub(crate) tax_count: usize,
    pub(crate) has_id: bool,
    pub(crate) has_customer: bool,
    pub(crate) has_taxes: bool,
    pub(crate) has_null_taxes: bool,
}

impl PlainTotals {
    const fn zero() -> Self {
        Self {
            subtotal: 0,
            sums: [0; 4],
            total: 0,
            min: 0,
            max: 0,
            tax: 0,
            first_line: 0,
            taxes: [0; MAX_TAXES],
            tax_count: 0,
            has_id: false,
            has_customer: false,
            has_taxes: false,
            has_null_taxes: false,
        }
    }
}

impl Judge {
    pub(crate) const fn new() -> Self {
        Self {
            scale: 2,
            rounding: Rounding::HalfUp,
            pairs: 0,
            items: 0,
            bytes: 0,
            subtotal: Subtotal::zero(),
            represented: None,
            lines: [0; MAX_LINES],
            totals: PlainTotals::zero(),
        }
    }

    /// Judges the first part of an order: everything up to and including some whole items, or the whole order. `pairs` is
    /// the number of pairs of quotes that the writer of the whole order wrote, or [`ANY_PAIRS`]. Returns `None` if the
    /// order is not plain.
    pub(crate) fn first_part(
        &mut self,
        part: &[u8],
        pairs: u32,
        scale: u32,
        rounding: Rounding,
    ) -> Option<Progress> {
        self.begin(scale, rounding);
        let mut body = Body::new(part, 0);
        self.head(&mut body)?;
        self.items(&mut body, part.len(), pairs)
    }

    /// Checks an order whose single item represents several; the running totals of these come before the body (see
    /// [`sum_terms`]).
    pub(crate) fn rest(
        &mut self,
        part: &[u8],
        pairs: u32,
        scale: u32,
        rounding: Rounding,
    ) -> Option<Progress> {
        let mut body = Body::new(part, 0);
        let represented = sum_terms(&mut body)?;
        self.begin(scale, rounding);
        self.represented = Some(represented);
        self.head(&mut body)?;
        self.items(&mut body, part.len(), pairs)
    }

    /// Judges a later part: a comma and more items, up to and including some whole items, or the end.
    pub(crate) fn next_part(&mut self, part: &[u8], pairs: u32) -> Option<Progress> {
        let mut body = Body::new(part, self.pairs);
        if body.byte()? != b',' {
            return None;
        }
        self.items(&mut body, part.len(), pairs)
    }

    fn begin(&mut self, scale: u32, rounding: Rounding) {
        // Prices and taxes beyond the counts are not read.
        (self.scale, self.rounding, self.pairs, self.items, self.bytes) = (scale, rounding, 0, 0, 0);
        self.subtotal = Subtotal::zero();
        self.represented = None;
        (self.totals.tax, self.totals.tax_count) = (0, 0);
        (self.totals.has_taxes, self.totals.has_null_taxes) = (false, false);
    }

    fn head(&mut self, body: &mut Body<'_>) -> Option<()> {
        self.totals.has_id = body.has_rare_key(b"{\"Id\":\"");
        if self.totals.has_id {
            body.guid()?;
        }
        let company: &[u8] = if self.totals.has_id { b",\"CompanyId\":" } else { b"{\"CompanyId\":" };
        rare_key(body, company)?;
        body.integer()?;
        rare_key(body, b",\"EntityId\":")?;
        body.integer()?;
        body.optional_string(b",\"FirstName\":", max_bytes(&order::FIRST_NAME), true)?;
        body.optional_string(b",\"LastName\":", max_bytes(&order::LAST_NAME), true)?;
        self.totals.has_customer = body.has_rare_key(b",\"CustomerId\":") && !body.has(b"null");
        if self.totals.has_customer {
            if body.byte()? != b'"' {
                return None;
            }
            body.guid()?;
        }
        rare_key(body, b",\"IntegratorId\":\"")?;
        body.guid()?;
        rare_key(body, b",\"Items\":[")
    }

    /// Reads items to the end of the part, and what follows the last item of the order.
    fn items(&mut self, body: &mut Body<'_>, bytes: usize, pairs: u32) -> Option<Progress> {
        self.bytes += bytes;
        if self.bytes > MAX_BYTES {
            return None;
        }
        let mut count = 0;
        loop {
            let price = self.item(body)?;
            if self.items == 0 && count == 0 {
                self.totals.first_line = price;
            }
            if let Some(line) = self.lines.get_mut(count) {
                *line = price;
            }
            count += 1;
            match body.byte() {
                Some(b',') => {}
                Some(b']') => break,
                None => {
                    self.items += count;
                    self.pairs = body.pairs;
                    return Some(Progress::Partial);
                }
                _ => return None,
            }
        }
        self.items += count;
        self.tail(body)?;
        let is_whole = body.byte()? == b'}' && body.is_at_end();
        let is_intended = body.pairs == pairs || pairs == ANY_PAIRS;
        (is_whole && is_intended && self.items <= MAX_ITEMS).then_some(())?;
        self.sum()
    }

    /// Reads an item; returns its extended price.
    #[inline(always)]
    fn item(&mut self, body: &mut Body<'_>) -> Option<u64> {
        let item = PlainItem::read(body)?;
        self.subtotal.add(item.quantity, item.price, self.scale, self.rounding)
    }

    fn tail(&mut self, body: &mut Body<'_>) -> Option<()> {
        if body.has_rare_key(b",\"Discount\":") && !body.has(b"null") {
            return None;
        }
        if body.has_rare_key(b",\"IsDelivery\":") && !body.has(b"true") && !body.has(b"false") {
            return None;
        }
        if body.has_rare_key(b",\"Taxes\":") {
            self.totals.has_null_taxes = body.has(b"null");
            if !self.totals.has_null_taxes {
                self.taxes(body)?;
            } else if self.totals.has_customer {
                // Both have an issue, and the order of these depends on the order of the members that the caller wrote.
                return None;
            }
        }
        body.optional_string(b",\"Notes\":", max_bytes(&order::NOTES), false)?;
        body.optional_string(
            b",\"TimeSlotDisplayString\":",
            max_bytes(&order::TIME_SLOT_DISPLAY_STRING),
            false,
        )
    }

    /// Reads supplied taxes: at least one, and each only once (D9, D10).
    fn taxes(&mut self, body: &mut Body<'_>) -> Option<()> {
        let totals = &mut self.totals;
        totals.has_taxes = true;
        let mut ids = [None; MAX_TAXES];
        let mut separator = body.byte()?;
        let mut expected = b'[';
        while separator == expected {
            rare_key(body, b"{\"TaxId\":\"")?;
            let id = Some(body.guid()?);
            rare_key(body, b",\"TaxAmount\":")?;
            let amount = tax_units(body.decimal()?, self.scale)?;
            if body.byte()? != b'}' || ids.contains(&id) {
                return None;
            }
            *ids.get_mut(totals.tax_count)? = id;
            *totals.taxes.get_mut(totals.tax_count)? = amount;
            totals.tax_count += 1;
            totals.tax = plus(totals.tax, amount)?;
            separator = body.byte()?;
            expected = b',';
        }
        (separator == b']' && totals.tax_count > 0).then_some(())
    }

    fn sum(&mut self) -> Option<Progress> {
        if let Some(represented) = self.represented {
            self.subtotal = represented;
        }
        if !self.subtotal.fits() {
            return None;
        }
        let total = |rounding| plus(self.subtotal.rounded(rounding), self.totals.tax);
        let (total, min, max) = (total(self.rounding)?, total(Rounding::HalfDown)?, total(Rounding::HalfUp)?);
        let subtotal = self.subtotal.rounded(self.rounding);
        let first_line = plus(self.totals.first_line, self.totals.tax)?;
        let sums = self.subtotal.sums();
        self.totals = PlainTotals { subtotal, total, min, max, first_line, sums, ..self.totals };
        Some(Progress::Plain)
    }
}

fn rare_key(body: &mut Body<'_>, key: &[u8]) -> Option<()> {
    body.has_rare_key(key).then_some(())
}
