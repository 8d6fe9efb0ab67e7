//! The range of the total over all ways of rounding (D19).

use crate::decimal::{Amount, Rounding};
use crate::options::TaxRounding;

use super::calculation::{Calculation, OrderAmounts};
use super::log::Log;
use super::result::TaxSource;

impl Calculation<'_, '_> {
    /// Returns the lowest and the highest total over all rounding modes and tax levels, `None` if the total is unknown.
    ///
    /// `own` are the amounts under one mode. If they have no tie, only estimated taxes can differ under other modes.
    pub(super) fn rounding_range(&self, own: &OrderAmounts<'_>, mode: Rounding) -> Option<[Amount; 2]> {
        let total = own.total?;
        let mut range = [total, total];
        let is_estimated = own.tax_source == TaxSource::Estimated;
        if !is_estimated && !own.discount.has_tie {
            return Some(range);
        }
        let log = &mut Log::default();
        for other in Rounding::ALL {
            let others = (own.discount.has_tie && *other != mode).then(|| self.untaxed(*other, None, log));
            let amounts = others.as_ref().unwrap_or(own);
            let mut extend = |tax| {
                if others.is_none() && tax == own.tax {
                    // Its total is in the range already.
                    return;
                }
                // A total that does not fit is ignored: a point of sale could not calculate it either.
                let Some(total) = self.total(amounts, tax, log) else { return };
                let [min, max] = &mut range;
                *min = if total.compare(*min).is_lt() { total } else { *min };
                *max = if total.compare(*max).is_gt() { total } else { *max };
            };
            match &amounts.tax_sums {
                Some(sums) => {
                    TaxRounding::ALL.iter().for_each(|level| extend(sums.total(*level, *other, self.scale)));
                }
                None => extend(own.tax.filter(|_| !is_estimated)),
            }
        }
        Some(range)
    }
}
