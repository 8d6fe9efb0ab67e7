//! The judge: reads the body of a plain order part by part and computes its totals.

use crate::date::parse_date;
use crate::decimal::Rounding;
use crate::order::order;
use crate::parse::MAX_ENTRIES;

use super::amounts::{Subtotal, plus, tax_units};
use super::body::{Body, MAX_BYTES, max_bytes};
use super::item::Item;
use super::remarks::{
    COMPANY_OUT_OF_RANGE, INTEGRATOR_NOT_A_GUID, LOCATION_OUT_OF_RANGE, RemarkList, Remarks,
};
use super::terms::sum_terms;
use super::totals::{MAX_TAXES, PlainTotals};

/// The number of lines in one part whose prices are stored.
pub const MAX_LINES: usize = 128;

/// The pairs of a body that the host did not write but was given as JSON: nothing is hidden in its strings.
pub(super) const ANY_PAIRS: u32 = u32::MAX;

/// What the judge knows after a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// Plain so far; a part with more items follows.
    Partial,
    /// The order is complete and plain.
    Plain,
}

/// The state of one judgement, between its parts.
#[derive(Debug)]
pub struct Judge {
    scale: u32,
    rounding: Rounding,
    pairs: u32,
    items: usize,
    bytes: usize,
    subtotal: Subtotal,
    /// The prices of the items that the only item of the body represents.
    represented: Option<Subtotal>,
    /// Read-only members are accepted.
    is_response: bool,
    /// The prices of the lines in the last part.
    pub lines: [u64; MAX_LINES],
    /// On the records that have some.
    pub remarks: RemarkList,
    /// The amounts, valid once the last part is judged.
    pub totals: PlainTotals,
}

impl Judge {
    /// Returns a judge that has judged nothing.
    #[expect(clippy::new_without_default, reason = "made once, as a constant")]
    pub const fn new() -> Self {
        Self {
            scale: 2,
            rounding: Rounding::HalfUp,
            pairs: 0,
            items: 0,
            bytes: 0,
            subtotal: Subtotal::zero(),
            represented: None,
            is_response: false,
            lines: [0; MAX_LINES],
            remarks: RemarkList::empty(),
            totals: PlainTotals::zero(),
        }
    }

    /// Judges the first part of an order: everything up to and including some whole items, or the whole order. `pairs` is
    /// the number of pairs of quotes that the writer of the whole order wrote, or [`ANY_PAIRS`]. Returns `None` if the
    /// order is not plain.
    pub fn first_part(
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

    /// Checks an order whose single item, which must have no remarks, represents several; the running totals of these come
    /// before the body (see [`sum_terms`]).
    pub fn rest(&mut self, part: &[u8], pairs: u32, scale: u32, rounding: Rounding) -> Option<Progress> {
        let mut body = Body::new(part, 0);
        let represented = sum_terms(&mut body)?;
        self.begin(scale, rounding);
        self.represented = Some(represented);
        self.head(&mut body)?;
        self.items(&mut body, part.len(), pairs)
    }

    /// Judges the order of a response, in one part: read-only members are accepted, and nothing that would be a remark,
    /// because no rule applies to a response.
    pub fn response(&mut self, part: &[u8]) -> Option<Progress> {
        self.begin(2, Rounding::HalfUp);
        self.is_response = true;
        let mut body = Body::new(part, 0);
        self.head(&mut body)?;
        let progress = self.items(&mut body, part.len(), ANY_PAIRS)?;
        (progress == Progress::Plain && self.remarks.as_slice().is_empty()).then_some(progress)
    }

    /// Judges a later part: a comma and more items, up to and including some whole items, or the end.
    pub fn next_part(&mut self, part: &[u8], pairs: u32) -> Option<Progress> {
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
        (self.represented, self.is_response) = (None, false);
        self.remarks = RemarkList::empty();
        (self.totals.tax, self.totals.tax_count) = (0, 0);
        (self.totals.has_taxes, self.totals.has_null_taxes, self.totals.is_unpriced) = (false, false, false);
    }

    fn head(&mut self, body: &mut Body<'_>) -> Option<()> {
        self.totals.has_id = body.has_rare_key(b"{\"Id\":\"");
        if self.totals.has_id {
            body.guid()?;
        }
        let company: &[u8] = if self.totals.has_id { b",\"CompanyId\":" } else { b"{\"CompanyId\":" };
        let mut remarks = 0;
        let mut remark = |is_right: bool, remark: Remarks| remarks |= if is_right { 0 } else { remark };
        rare_key(body, company)?;
        remark(body.is_integer_in_range(&order::COMPANY_ID)?, COMPANY_OUT_OF_RANGE);
        rare_key(body, b",\"EntityId\":")?;
        remark(body.is_integer_in_range(&order::ENTITY_ID)?, LOCATION_OUT_OF_RANGE);
        if self.is_response {
            body.optional_boolean(b",\"WasCreatedWithInventoryHold\":")?;
        }
        body.optional_string(b",\"FirstName\":", max_bytes(&order::FIRST_NAME), true)?;
        body.optional_string(b",\"LastName\":", max_bytes(&order::LAST_NAME), true)?;
        self.totals.has_customer = body.has_rare_key(b",\"CustomerId\":") && !body.has(b"null");
        if self.totals.has_customer {
            if body.byte()? != b'"' {
                return None;
            }
            body.guid()?;
        }
        if self.is_response {
            origin(body)?;
        }
        rare_key(body, b",\"IntegratorId\":\"")?;
        remark(body.is_guid()?, INTEGRATOR_NOT_A_GUID);
        self.remarks.add(0, remarks)?;
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
            let price = self.item(body, self.items + count)?;
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
        // The issues of these two are among those of the remarks, in the order of the members.
        let has_issue_inside = self.totals.has_customer || self.totals.has_null_taxes;
        let are_remarks_first = self.remarks.as_slice().is_empty() || !has_issue_inside;
        (is_whole && is_intended && are_remarks_first && self.items <= MAX_ENTRIES).then_some(())?;
        self.sum()
    }

    /// Reads an item; returns its extended price, 0 if it has none.
    #[inline(always)]
    fn item(&mut self, body: &mut Body<'_>, index: usize) -> Option<u64> {
        let Item { priced, remarks } = Item::read(body)?;
        self.remarks.add(1 + index, remarks)?;
        let Some((quantity, price)) = priced else {
            self.totals.is_unpriced = true;
            return Some(0);
        };
        self.subtotal.add(quantity, price, self.scale, self.rounding)
    }

    fn tail(&mut self, body: &mut Body<'_>) -> Option<()> {
        if body.has_rare_key(b",\"Discount\":") && !body.has(b"null") {
            return None;
        }
        body.optional_boolean(b",\"IsDelivery\":")?;
        if self.is_response {
            body.optional_string(b",\"ReceiptNumber\":", MAX_BYTES, false)?;
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
            if self.items != 1 || self.remarks.has_items() {
                return None;
            }
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

/// Reads when the order of a response was created, and its integrator.
fn origin(body: &mut Body<'_>) -> Option<()> {
    if body.has_rare_key(b",\"DateCreatedUtc\":\"") && !parse_date(body.string(MAX_BYTES)?)?.has_offset {
        return None;
    }
    if body.has_rare_key(b",\"OrderSource\":") {
        rare_key(body, b"{\"Id\":\"")?;
        body.guid()?;
        rare_key(body, b",\"Name\":\"")?;
        body.string(MAX_BYTES)?;
        body.has(b"}").then_some(())?;
    }
    Some(())
}

fn rare_key(body: &mut Body<'_>, key: &[u8]) -> Option<()> {
    body.has_rare_key(key).then_some(())
}
