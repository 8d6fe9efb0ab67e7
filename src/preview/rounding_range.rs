//! The range of the total over all rounding modes and levels (D19).

use crate::decimal::{Amount, Rounding};
use crate::options::TaxRounding;

use super::calculation::Calculation;
use super::log::Log;
use super::result::{RoundingRange, TaxSource};
use super::trace::{Formula, StepTarget};

impl Calculation<'_, '_> {
    /// Returns the lowest and the highest total over all rounding modes and tax levels, of which `total` is one. A total that does not
    /// fit is ignored: a point of sale could not calculate it either.
    pub(super) fn rounding_range(&self, total: Amount, log: &mut Log) -> Option<RoundingRange> {
        let levels = match self.tax_source() {
            TaxSource::Estimated => TaxRounding::ALL,
            // The level makes no difference.
            _ => &[TaxRounding::Line],
        };
        let [mut min, mut max] = [total, total];
        for mode in Rounding::ALL {
            for level in levels {
                let Some(other) = self.amounts(*mode, *level, &mut Log::default()).total else { continue };
                if other.compare(min).is_lt() {
                    min = other;
                }
                if other.compare(max).is_gt() {
                    max = other;
                }
            }
        }
        let lowest = Formula::Text("lowest total over all roundings and tax levels");
        log.trace.record("D19", StepTarget::Total("/roundingRange/min"), lowest, &min);
        let highest = Formula::Text("highest total over all roundings and tax levels");
        log.trace.record("D19", StepTarget::Total("/roundingRange/max"), highest, &max);
        Some(RoundingRange { min: min.into_decimal()?, max: max.into_decimal()? })
    }
}
