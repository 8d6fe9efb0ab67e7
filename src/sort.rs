//! Sorts any list.

use std::cmp::Ordering;

/// Returns the positions of the entries in sorted order. The sort is stable.
///
/// Sorts positions instead of entries, because each type that is sorted adds 5 KB to core.wasm.
pub(crate) fn sorted_positions(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..count).collect();
    positions.sort_by(|left, right| compare(*left, *right));
    positions
}
