//! The amounts of one calculation.

use rust_decimal::Decimal;

use super::result::TaxSource;

/// Every amount of a preview.
pub(super) struct Amounts {
    pub(super) lines: Vec<LineAmounts>,
    pub(super) subtotal: Option<Decimal>,
    pub(super) discount: Option<Decimal>,
    /// One amount per discount entry.
    pub(super) discount_entries: Vec<Option<Decimal>>,
    pub(super) tax: TaxAmounts,
    pub(super) total: Option<Decimal>,
}

/// The amounts of one line.
#[derive(Default)]
pub(super) struct LineAmounts {
    pub(super) extended: Option<Decimal>,
    pub(super) discount: Option<Decimal>,
    pub(super) tax: Option<Decimal>,
    /// The index of each tax among [`TaxAmounts::entries`], and its amount on this line.
    pub(super) taxes: Vec<(usize, Decimal)>,
    pub(super) total: Option<Decimal>,
}

/// The taxes of an order.
pub(super) struct TaxAmounts {
    pub(super) source: TaxSource,
    pub(super) total: Option<Decimal>,
    /// The index of each tax among the supplied taxes or the rates, and its amount.
    pub(super) entries: Vec<(usize, Decimal)>,
}

impl TaxAmounts {
    /// Returns the taxes of the rates; they are unknown if their total is.
    pub(super) fn estimated(taxes: Option<Vec<Decimal>>, total: Option<Decimal>) -> Self {
        let known = taxes.filter(|_| total.is_some()).unwrap_or_default();
        Self { source: TaxSource::Estimated, total, entries: known.into_iter().enumerate().collect() }
    }

    pub(super) fn unknown(source: TaxSource) -> Self {
        Self { source, total: None, entries: Vec::new() }
    }
}
