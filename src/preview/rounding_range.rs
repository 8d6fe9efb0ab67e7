//! The range of totals over all roundings (D19).

use rust_decimal::Decimal;

use crate::decimal::Rounding;
use crate::options::TaxRounding;

use super::amounts::Amounts;
use super::log::Log;
use super::order_totals::{ModeTotals, OrderTotals};
use super::result::{RoundingRange, TaxSource};
use super::rounder::Rounder;
use super::tax_totals;
use super::total::total;

/// Returns the lowest and the highest total over all rounding modes and tax levels, `None` if the total is unknown.
///
/// `own` are the totals under the mode of `rounder`. If it met no tie, only estimated taxes can differ under other modes.
pub(super) fn rounding_range(
    totals: &OrderTotals<'_>,
    own: &ModeTotals<'_>,
    amounts: &Amounts,
    rounder: &Rounder,
) -> Option<RoundingRange> {
    let total = amounts.total?;
    let mut range = RoundingRange { min: total, max: total };
    let supplied = amounts.tax.total.filter(|_| amounts.tax.source == TaxSource::Supplied);
    if supplied.is_some() && !rounder.met_tie {
        return Some(range);
    }
    for mode in Rounding::ALL {
        let mut other = Rounder { mode: *mode, ..*rounder };
        let totals = (rounder.met_tie && *mode != rounder.mode)
            .then(|| totals.under(&mut other, &mut Log::new(false)));
        extend(&mut range, totals.as_ref().unwrap_or(own), supplied, &other);
    }
    Some(range)
}

/// Extends the range to the totals of one mode, whose estimated taxes are rounded per line and per tax.
fn extend(range: &mut RoundingRange, totals: &ModeTotals<'_>, supplied: Option<Decimal>, rounder: &Rounder) {
    for level in TaxRounding::ALL {
        let estimated = || tax_totals::total(&totals.taxes.as_ref()?.taxes(*level, rounder)?, rounder);
        let tax = supplied.or_else(estimated);
        // A total that does not fit is ignored: a point of sale could not calculate it either.
        if let Some(total) = total(totals.subtotal, totals.discount, tax, &mut Log::new(false)) {
            range.min = range.min.min(total);
            range.max = range.max.max(total);
        }
    }
}
