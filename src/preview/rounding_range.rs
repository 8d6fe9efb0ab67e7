//! How far the total could be off by rounding alone (D19).

use crate::decimal::Rounding;
use crate::options::{PreviewOptions, TaxRounding};
use crate::written::WrittenOrder;

use super::calculation::{Amounts, Calculation};
use super::sums::Sums;
use super::{RoundingRange, TaxSource};

/// The lowest and the highest total over all roundings and levels; unknown where a total is.
///
/// Where nothing was half a unit, every rounding gives the same; and without an estimate there is only one level.
pub(super) fn of(
    order: &WrittenOrder<'_>,
    options: &PreviewOptions,
    apart: Option<&Sums>,
    amounts: &Amounts,
    tie: bool,
) -> Option<RoundingRange> {
    let total = amounts.total?;
    let mut range = RoundingRange { min: total, max: total };
    let levels = match amounts.tax.source {
        TaxSource::Estimated => &TaxRounding::ALL[..],
        _ => std::slice::from_ref(&options.round_tax_per),
    };
    for level in levels {
        let this_level = *level == options.round_tax_per;
        if this_level && !tie {
            continue;
        }
        for rounding in Rounding::ALL {
            if this_level && rounding == options.rounding {
                continue;
            }
            let mut other = Calculation::otherwise(order, options, apart, rounding, *level);
            // One that does not fit is no total a point of sale could arrive at.
            if let Some(total) = other.run().total {
                range.min = range.min.min(total);
                range.max = range.max.max(total);
            }
            if !this_level && !other.tie() {
                break;
            }
        }
    }
    Some(range)
}
