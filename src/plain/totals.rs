//! What the judge knows about the amounts of an order.

/// The number of supplied taxes that the judge compares with each other.
pub(crate) const MAX_TAXES: usize = 8;

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
    /// The subtotal is unknown, because a line has no price.
    pub(crate) is_unpriced: bool,
}

impl PlainTotals {
    pub(super) const fn zero() -> Self {
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
            is_unpriced: false,
        }
    }
}
