//! What a preview is to return about the lines.

use super::running_totals::RunningTotals;

/// How a preview treats the lines.
#[derive(Clone, Copy)]
pub enum LineDetail<'t> {
    /// Calculates and returns the lines.
    Full,
    /// Calculates the lines, but leaves them out of the result.
    Omitted,
    /// Uses the sums of lines that were calculated before.
    Precomputed(&'t RunningTotals),
}
