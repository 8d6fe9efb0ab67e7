//! "Did you mean" hints: finds the member that resembles a misspelt name (D25).

mod edits;

use crate::issue::Details;
use crate::order::SENT;
use crate::order::field::{Schema, is_same_in_any_case, letters_of};
use crate::record::{OtherMember, Record};

use edits::edits_between;

/// Members of the line-level pricing operations, which integrators may send by mistake (§1, D25).
const LINE_LEVEL: [&str; 2] = ["Lines", "LineDollarAmount"];

/// Returns true if a name belongs to the operations with line-level pricing.
pub(crate) fn is_line_level(name: &str) -> bool {
    LINE_LEVEL.iter().any(|line_level| is_same_in_any_case(line_level, name))
}

/// Returns the details of an unknown member: a hint if its name resembles one of the record's members.
pub(crate) fn details_for_unknown(schema: &Schema, name: &str) -> Details {
    let Some(meant) = similar_member(schema, name) else { return Details::default() };
    let hint = ["did you mean ", meant, "?"].concat();
    Details { hint: Some(hint), ..Details::default() }.suggestion(meant)
}

/// Returns the details of a member that is there under two names that differ only in case (D63).
pub(crate) fn details_for_cases(member: &'static str, one: &str, other: &str) -> Details {
    let detail = ["as ", one, " and as ", other].concat();
    let hint = if one == member {
        ["remove ", other, ", or use its value for ", member].concat()
    } else {
        ["use the value of ", one, " or of ", other, " for ", member, ", and remove both"].concat()
    };
    Details { hint: Some(hint), detail: Some(detail), ..Details::default() }.found(other)
}

/// Returns the details of a missing member: a hint if an unknown member has a similar name.
pub(crate) fn details_for_missing(record: Record<'_, '_>, name: &'static str) -> Details {
    let resembles = |other: &&OtherMember<'_>| similar_member(record.schema, &other.name) == Some(name);
    let Some(other) = record.others().find(resembles) else { return Details::default() };
    let hint = ["did you mean ", name, " instead of ", &other.name, "?"].concat();
    Details { hint: Some(hint), ..Details::default() }.suggestion(name).found(&*other.name)
}

/// Returns the name of a member of any record that differs only in case.
pub(crate) fn exact_case(name: &str) -> Option<&'static str> {
    SENT.iter().find_map(|schema| schema.find(name, true)).map(|field| field.name)
}

/// Returns the member whose name is the same in another case, or differs by one or two edits.
fn similar_member(schema: &Schema, name: &str) -> Option<&'static str> {
    /// Longer than any member's name with two more letters.
    const MAX_LENGTH: usize = 32;
    if name.len() > MAX_LENGTH {
        return None;
    }
    if let Some(field) = schema.find(name, true) {
        return Some(field.name);
    }
    let letters = letters_of(name);
    let members = schema.fields.iter().filter_map(|field| {
        // Two edits in a long name, one in a short one, none in `Id`.
        let most = (field.name.len() / 3).min(2);
        // An edit removes at most one letter and adds at most one. Counting edits takes longer.
        let is_near = field.name.len().abs_diff(name.len()) <= most
            && (field.letters & !letters).count_ones() as usize <= most
            && (letters & !field.letters).count_ones() as usize <= most;
        if !is_near {
            return None;
        }
        let edits = edits_between(field.name.as_bytes(), name.as_bytes(), most)?;
        Some((edits, field.name))
    });
    members.min().map(|(_, member)| member)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use proptest::sample::Index;

    use crate::order::ORDER;

    use super::*;

    /// Returns the nearest member without comparing lengths and letters first.
    fn nearest(schema: &Schema, name: &str) -> Option<&'static str> {
        let members = schema.fields.iter().filter_map(|field| {
            let most = (field.name.len() / 3).min(2);
            Some((edits_between(field.name.as_bytes(), name.as_bytes(), most)?, field.name))
        });
        members.min().map(|(_, member)| member)
    }

    fn edited(name: &mut Vec<u8>, (kind, at, letter): (usize, Index, u8)) {
        let at = at.index(name.len().max(1));
        match kind {
            0 if at < name.len() => drop(name.remove(at)),
            1 => name.insert(at, letter),
            2 if at < name.len() => name[at] = letter,
            _ if at + 1 < name.len() => name.swap(at, at + 1),
            _ => {}
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn a_misspelt_member_is_found_whatever_its_letters(
            member in any::<Index>(),
            edits in prop::collection::vec((0..4_usize, any::<Index>(), prop::char::range('A', 'z')), 0..=3),
        ) {
            let mut name = member.get(ORDER.fields).name.as_bytes().to_vec();
            for (kind, at, letter) in edits {
                edited(&mut name, (kind, at, letter as u8));
            }
            let name = String::from_utf8(name).unwrap();
            prop_assert_eq!(similar_member(&ORDER, &name), nearest(&ORDER, &name));
        }
    }
}
