//! The exact tax of one rate on one line, before rounding: an arm of each `match` per type of rate (D12, D16).

use rust_decimal::Decimal;

use crate::decimal::{Amount, to_plain_string};
use crate::guid::Guid;
use crate::options::{TaxLayer, TaxRate, TaxRateType};

use super::trace::figures;

/// The values that the taxes of a line depend on.
pub(super) struct TaxableLine {
    quantity: Decimal,
    /// The extended price after the discount (D16).
    taxable: Amount,
    /// The taxable amount and the exact taxes of layer 0.
    compounded: Amount,
    catalog_item_id: Option<Guid>,
}

impl TaxableLine {
    /// Returns `None` if the taxes of layer 0 do not fit, and a tax of layer 1 needs them.
    pub(super) fn new(
        rates: &[TaxRate],
        quantity: Decimal,
        taxable: Amount,
        catalog_item_id: Option<Guid>,
    ) -> Option<Self> {
        let mut line = Self { quantity, taxable, compounded: taxable, catalog_item_id };
        if rates.iter().any(|rate| rate.layer == TaxLayer::One) {
            for rate in rates.iter().filter(|rate| rate.layer == TaxLayer::Zero) {
                if line.has(rate) {
                    line.compounded = line.compounded.plus(line.tax(rate)?)?;
                }
            }
        }
        Some(line)
    }

    /// Returns true if a rate applies to the item.
    pub(super) fn has(&self, rate: &TaxRate) -> bool {
        match &rate.catalog_item_ids {
            Some(ids) => self.catalog_item_id.is_some_and(|id| ids.contains(&id)),
            None => true,
        }
    }

    /// Calculates the exact tax of a rate; returns `None` if it does not fit.
    ///
    /// Layer 0 applies to the taxable amount, layer 1 to that plus the exact taxes of layer 0.
    pub(super) fn tax(&self, rate: &TaxRate) -> Option<Amount> {
        match rate.rate_type {
            TaxRateType::Percentage => self.base(rate).times(Amount::of(rate.rate())?),
            TaxRateType::FlatRate => Amount::product(self.quantity, rate.rate()),
        }
    }

    /// Returns the computation of a tax in figures.
    pub(super) fn formula(&self, rate: &TaxRate) -> String {
        let base = match rate.rate_type {
            TaxRateType::Percentage => figures(self.base(rate)),
            TaxRateType::FlatRate => to_plain_string(&self.quantity),
        };
        [&base, " × ", &to_plain_string(&rate.rate())].concat()
    }

    fn base(&self, rate: &TaxRate) -> &Amount {
        match rate.layer {
            TaxLayer::Zero => &self.taxable,
            TaxLayer::One => &self.compounded,
        }
    }
}
