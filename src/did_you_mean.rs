//! "Did you mean" hints: finds the member that resembles a misspelt name (D25).

use crate::issue::Details;
use crate::order::SENT;
use crate::order::field::{Schema, is_same_in_any_case};
use crate::record::{OtherMember, Record};

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

/// Returns the member whose name is the same in another case, or differs by one or two edits: letters that are inserted, deleted or
/// replaced, and adjacent ones that are swapped.
fn similar_member(schema: &Schema, name: &str) -> Option<&'static str> {
    /// Longer than any member's name with two more letters.
    const MAX_BYTES: usize = 32;
    if name.len() > MAX_BYTES {
        return None;
    }
    if let Some(field) = schema.find(name, true) {
        return Some(field.name);
    }
    let given = name.to_ascii_lowercase();
    let length = given.chars().count();
    let letters_given = letters(name);
    let members = schema.fields.iter().filter_map(|field| {
        // Two edits in a long name, one in a short one, none in `Id`.
        let most = (field.name.len() / 3).min(2);
        if field.name.len().abs_diff(length) > most {
            return None;
        }
        // Each letter that only one of the names has is an edit. Counting all edits takes many times as long.
        let known = letters(field.name);
        if (known & !letters_given).count_ones().max((letters_given & !known).count_ones()) as usize > most {
            return None;
        }
        let edits = strsim::osa_distance(&field.name.to_ascii_lowercase(), &given);
        (edits <= most).then_some((edits, field.name))
    });
    members.min().map(|(_, member)| member)
}

/// Returns the set of the ASCII letters in a name, in any case: a bit for each.
fn letters(name: &str) -> u32 {
    name.bytes().filter(u8::is_ascii_alphabetic).fold(0, |set, letter| set | 1 << (letter & 31))
}

#[cfg(test)]
mod tests {
    use crate::order::ORDER;

    use super::similar_member;

    #[test]
    // cspell:ignore Ntoes Itmes Compnay Kompany Kompnay Fírst Näme Nämé
    fn a_long_name_may_have_two_errors_and_a_short_one_one() {
        for (name, member) in [
            ("notes", Some("Notes")),
            ("Note", Some("Notes")),
            ("Ntoes", Some("Notes")),
            ("Not", None),
            ("Itmes", Some("Items")),
            ("CompnayID", Some("CompanyId")),
            ("KompanyIdd", Some("CompanyId")),
            ("KompnayIdd", None),
            ("Ie", None),
            ("FírstNäme", Some("FirstName")),
            ("FírstNämé", None),
            ("FirstNameFirstNameFirstNameFirst", None),
        ] {
            assert_eq!(similar_member(&ORDER, name), member, "{name}");
        }
    }
}
