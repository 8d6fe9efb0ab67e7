//! The range of totals over the other roundings (D19).

use crate::decimal::Rounding;
use crate::options::{TaxRate, TaxRounding};

use super::amounts::Amounts;
use super::calculation::calculate;
use super::input::Input;
use super::log::Log;
use super::result::{RoundingRange, TaxSource};
use super::rounder::Rounder;
use super::running_totals::RunningTotals;

/// Returns the lowest and the highest total over all rounding modes and tax levels, `None` if the total is unknown.
///
/// Skips calculations that give the same total: other modes if no value is a tie, and other levels without an estimate.
pub(super) fn rounding_range(
    input: &Input,
    rates: Option<&[TaxRate]>,
    running_totals: Option<&RunningTotals>,
    rounder: &Rounder,
    amounts: &Amounts,
) -> Option<RoundingRange> {
    let total = amounts.total?;
    let mut range = RoundingRange { min: total, max: total };
    let levels = match amounts.tax.source {
        TaxSource::Estimated => TaxRounding::ALL,
        _ => std::slice::from_ref(&rounder.tax_per),
    };
    for level in levels {
        let is_own_level = *level == rounder.tax_per;
        if is_own_level && !rounder.met_tie {
            continue;
        }
        for mode in Rounding::ALL {
            if is_own_level && *mode == rounder.mode {
                continue;
            }
            let mut other = Rounder { scale: rounder.scale, mode: *mode, tax_per: *level, met_tie: false };
            let amounts = calculate(input, rates, running_totals, false, &mut other, &mut Log::new(false));
            // A total that does not fit is ignored: a point of sale could not calculate it either.
            if let Some(total) = amounts.total {
                range.min = range.min.min(total);
                range.max = range.max.max(total);
            }
            if !is_own_level && !other.met_tie {
                break;
            }
        }
    }
    Some(range)
}
