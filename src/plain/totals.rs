//! What the judge knows about the amounts of an order.

/// The number of supplied taxes that the judge compares with each other.
pub const MAX_TAXES: usize = 8;

/// The totals of a plain order in the smallest unit of the currency.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlainTotals {
    /// The sum of the extended prices.
    pub subtotal: u64,
    /// The subtotals rounded half up, half even and half down, and the number of ties.
    pub sums: [u64; 4],
    /// Subtotal and tax.
    pub total: u64,
    /// The lowest total over the rounding modes (D19).
    pub min: u64,
    /// The highest total over the rounding modes (D19).
    pub max: u64,
    /// The sum of the supplied taxes.
    pub tax: u64,
    /// The total of the first line, which has all supplied taxes (§2.1).
    pub first_line: u64,
    /// The supplied taxes, the first `tax_count` of them.
    pub taxes: [u64; MAX_TAXES],
    /// The number of supplied taxes.
    pub tax_count: usize,
    /// Whether the order has an Id.
    pub has_id: bool,
    /// Whether the order has a CustomerId.
    pub has_customer: bool,
    /// Whether the order has Taxes.
    pub has_taxes: bool,
    /// Whether Taxes is null.
    pub has_null_taxes: bool,
    /// The subtotal is unknown, because a line has no price.
    pub is_unpriced: bool,
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
