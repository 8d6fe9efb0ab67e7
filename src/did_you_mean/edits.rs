//! The number of edits between two names: their distance by optimal string alignment.
//!
//! Own code, because `strsim` would be one more crate in the tree of each dependant; the tests compare both.

use std::str::Chars;

/// Returns the number of edits that turn one name into the other, `None` if it is above `most`.
///
/// An edit inserts, deletes or replaces a character, or swaps two adjacent ones. Case counts.
pub(super) fn edits_between(left: &str, right: &str, most: usize) -> Option<usize> {
    edits(left.chars(), right.chars(), most)
}

/// Searches all edits at the first difference. That is quick while `most` is small: at most four times as many comparisons
/// for each edit.
fn edits(mut left: Chars<'_>, mut right: Chars<'_>, most: usize) -> Option<usize> {
    loop {
        let (before_left, before_right) = (left.clone(), right.clone());
        let (first, second) = (left.next(), right.next());
        if first != second {
            let most = most.checked_sub(1)?;
            let deleted = first.and_then(|_| edits(left.clone(), before_right, most));
            let inserted = second.and_then(|_| edits(before_left, right.clone(), most));
            let replaced = first.and(second).and_then(|_| edits(left.clone(), right.clone(), most));
            let is_swap = first.is_some() && left.next() == second && right.next() == first;
            let swapped = if is_swap { edits(left, right, most) } else { None };
            return [deleted, inserted, replaced, swapped].into_iter().flatten().min().map(|edits| edits + 1);
        }
        if first.is_none() {
            return Some(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn edits_are_counted_as_by_strsim(left in "[abé]{0,8}", right in "[abé]{0,8}", most in 0..=4_usize) {
            let distance = strsim::osa_distance(&left, &right);
            prop_assert_eq!(edits_between(&left, &right, most), (distance <= most).then_some(distance));
        }

        #[test]
        fn a_few_edits_of_a_longer_name_are_counted_as_by_strsim(
            start in "[a-d]{3,8}", removed in "[a-d]{0,3}", other in "[a-d]{0,3}", end in "[a-d]{3,8}",
        ) {
            let [name, edited] = [removed, other].map(|middle| [&*start, &middle, &end].concat());
            let distance = strsim::osa_distance(&name, &edited);
            prop_assert_eq!(edits_between(&name, &edited, 2), (distance <= 2).then_some(distance));
        }
    }
}
