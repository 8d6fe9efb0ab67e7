//! Remarks: the issues that the judge recognises itself, so that a small mistake does not send an order out of the fast
//! lane.
//!
//! A remark is an issue whose text depends on nothing but its member. The core does not write these texts twice: the host
//! lets the general path evaluate the first order that has a remark, and copies the issue for every later one.

/// The remarks on one record: a bit for each, in the order in which the general path lists its issues, which is that of
/// the members, then by code, with absent members last.
pub(super) type Remarks = u32;

pub(super) const COMPANY_OUT_OF_RANGE: Remarks = 1 << 0;
pub(super) const LOCATION_OUT_OF_RANGE: Remarks = 1 << 1;
pub(super) const INTEGRATOR_NOT_A_GUID: Remarks = 1 << 2;
pub(super) const CATALOG_ITEM_NOT_A_GUID: Remarks = 1 << 3;
pub(super) const QUANTITY_NOT_A_DECIMAL: Remarks = 1 << 4;
pub(super) const QUANTITY_FRACTION_DIGITS: Remarks = 1 << 5;
pub(super) const QUANTITY_NOT_POSITIVE: Remarks = 1 << 6;
pub(super) const PRICE_NOT_A_DECIMAL: Remarks = 1 << 7;
pub(super) const PRICE_FRACTION_DIGITS: Remarks = 1 << 8;
pub(super) const PRICE_NEGATIVE: Remarks = 1 << 9;
pub(super) const PRICE_ZERO: Remarks = 1 << 10;
pub(super) const NAME_ABSENT: Remarks = 1 << 11;
pub(super) const CATALOG_ITEM_ABSENT: Remarks = 1 << 12;
pub(super) const QUANTITY_ABSENT: Remarks = 1 << 13;
pub(super) const PRICE_ABSENT: Remarks = 1 << 14;

/// The number of bits of [`Remarks`].
const BITS: u32 = 15;
/// The number of records with remarks in one order; an order with more is refused.
pub const MAX_RECORDS: usize = 16;

/// The remarks on an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemarkList {
    /// The first `count` of them: the number of the record, 0 for the order itself and 1 for the first item, times 2^15,
    /// plus its remarks.
    records: [u32; MAX_RECORDS],
    count: usize,
}

impl RemarkList {
    pub(super) const fn empty() -> Self {
        Self { records: [0; MAX_RECORDS], count: 0 }
    }

    /// Adds the remarks on a record, if it has some; returns `None` if there is no room.
    pub(super) fn add(&mut self, record: usize, remarks: Remarks) -> Option<()> {
        if remarks != 0 {
            *self.records.get_mut(self.count)? = u32::try_from(record).ok()? << BITS | remarks;
            self.count += 1;
        }
        Some(())
    }

    /// Returns true if there are remarks on an item.
    pub(super) fn has_items(&self) -> bool {
        self.as_slice().iter().any(|record| record >> BITS > 0)
    }

    pub fn as_slice(&self) -> &[u32] {
        self.records.get(..self.count).unwrap_or_default()
    }
}
