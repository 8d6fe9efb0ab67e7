//! The number of edits between two names: their distance by optimal string alignment.
//!
//! Own code, because `strsim` would be one more crate in the tree of each dependant; the tests compare both.

/// Returns the number of edits that turn one name into the other, `None` if it is above `most`.
///
/// An edit inserts, deletes or replaces a byte, or swaps two adjacent ones. The case of ASCII letters does not count, but each byte of
/// a letter that is not ASCII does.
///
/// Searches all edits at the first difference. That is quick while `most` is small: at most four times as many comparisons
/// for each edit.
pub(super) fn edits_between(left: &[u8], right: &[u8], most: usize) -> Option<usize> {
    if let ([first, left @ ..], [second, right @ ..]) = (left, right)
        && first.eq_ignore_ascii_case(second)
    {
        return edits_between(left, right, most);
    }
    if left.len().abs_diff(right.len()) > most {
        return None;
    }
    if left.is_empty() && right.is_empty() {
        return Some(0);
    }
    let most = most.checked_sub(1)?;
    let candidates = [
        left.split_first().map(|(_, rest)| (rest, right)),
        right.split_first().map(|(_, rest)| (left, rest)),
        left.split_first().zip(right.split_first()).map(|((_, left), (_, right))| (left, right)),
        match (left, right) {
            ([a, b, left @ ..], [c, d, right @ ..])
                if a.eq_ignore_ascii_case(d) && b.eq_ignore_ascii_case(c) =>
            {
                Some((left, right))
            }
            _ => None,
        },
    ];
    let edits = candidates.into_iter().flatten().filter_map(|(left, right)| edits_between(left, right, most));
    edits.min().map(|edits| edits + 1)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn edits_are_counted_as_by_strsim(left in "[abc]{0,8}", right in "[abc]{0,8}", most in 0..=4_usize) {
            let distance = strsim::osa_distance(&left, &right);
            prop_assert_eq!(edits_between(left.as_bytes(), right.as_bytes(), most), (distance <= most).then_some(distance));
        }

        #[test]
        fn a_few_edits_of_a_longer_name_are_counted_as_by_strsim(
            start in "[a-d]{3,8}", removed in "[a-d]{0,3}", other in "[a-d]{0,3}", end in "[a-d]{3,8}",
        ) {
            let [name, edited] = [removed, other].map(|middle| [&*start, &middle, &end].concat());
            let distance = strsim::osa_distance(&name, &edited);
            prop_assert_eq!(edits_between(name.as_bytes(), edited.as_bytes(), 2), (distance <= 2).then_some(distance));
        }
    }
}
