//! Which rows of the table of members are refused at compile time.

use crate::code::IssueCode;
use crate::order::{DISCOUNT, ORDER};

use super::{Field, FieldType, Presence};

#[test]
#[should_panic = "an entry of a list has a record or a list"]
fn an_entry_of_a_list_must_not_have_a_list() {
    let _ = FieldType::list(&DISCOUNT);
}

#[test]
#[should_panic = "an entry of a list has a record or a list"]
fn an_entry_of_a_list_must_not_have_a_record() {
    let _ = FieldType::list(&ORDER);
}

#[test]
#[should_panic = "a member has `blank` without `max_chars` before it"]
fn a_string_that_must_not_be_blank_needs_a_limit_of_characters() {
    let _ =
        Field::new(0, "Name", "", Presence::Optional, FieldType::String).blank(IssueCode::ItemNameMissing);
}
