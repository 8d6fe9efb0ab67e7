//! How amounts are rounded (D18).

use rust_decimal::Decimal;

use crate::decimal::{Exact, Rounding, zero};
use crate::options::TaxRounding;

/// How the amounts of one calculation are rounded.
pub(super) struct Rounder {
    pub(super) scale: u32,
    pub(super) mode: Rounding,
    pub(super) tax_per: TaxRounding,
    /// True once a value exactly halfway between two units was rounded. While false, every mode gives the same amounts.
    pub(super) met_tie: bool,
}

impl Rounder {
    /// Rounds a value once (D18); returns `None` if the result does not fit a decimal.
    pub(super) fn round(&mut self, exact: &Exact) -> Option<Decimal> {
        let (rounded, tie) = exact.round(self.scale, self.mode)?;
        self.met_tie |= tie;
        Some(rounded)
    }

    /// Returns zero at the scale of the currency.
    pub(super) fn zero(&self) -> Decimal {
        zero(self.scale)
    }
}
