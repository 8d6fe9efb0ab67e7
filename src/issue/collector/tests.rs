//! Tests of the order of issues, their limit and their messages.

use std::cell::Cell;

use super::*;
use crate::issue::found::push_filled;

#[test]
fn hints_are_computed_only_for_issues_that_may_be_listed() {
    let mut issues = IssueCollector::default();
    let computed = Cell::new(0);
    let details = || {
        computed.set(computed.get() + 1);
        Details::default()
    };
    for _ in 0..2 * MAX_ISSUES + 50 {
        issues.report_with(IssueCode::UnknownMember, &details);
    }
    assert_eq!(computed.get(), 2 * MAX_ISSUES + 1);
    assert_eq!(issues.finish().len(), MAX_ISSUES + 1, "one more reports that others exist");
}

/// Reports two issues for each index, in this order. Returns the severities and pointers of those that are listed.
fn listed(indices: impl Iterator<Item = usize>) -> Vec<String> {
    let mut issues = IssueCollector::default();
    for index in indices {
        for code in [IssueCode::UnknownMember, IssueCode::NotAnObject] {
            issues.report_in(&[PathSegment::Index(index)], code);
        }
    }
    issues.finish().into_iter().map(|issue| [issue.severity.as_str(), &issue.pointer].concat()).collect()
}

#[test]
fn the_same_issues_are_listed_in_whatever_order_they_are_found() {
    for count in [1, MAX_ISSUES / 2, MAX_ISSUES / 2 + 1, MAX_ISSUES, 3 * MAX_ISSUES] {
        let all = listed(0..count);
        assert_eq!(all.first().map(String::as_str), Some("error/0"));
        assert_eq!(all.len(), (2 * count).min(MAX_ISSUES + 1));
        assert!(listed((0..count).rev()) == all, "{count} in reverse");
        assert!(listed((0..count).map(|n| n * 7919 % count)) == all, "{count} shuffled");
    }
}

#[test]
#[should_panic(expected = "the table of codes has other params for not_a_guid")]
fn a_value_that_the_table_does_not_list_for_the_code_is_refused() {
    IssueCollector::default().report_with(IssueCode::NotAGuid, &|| Details::default().limit(1_usize));
}

#[test]
#[should_panic(expected = "the table of codes has other params for too_large")]
fn a_value_that_the_table_lists_for_the_code_must_be_there() {
    IssueCollector::default().report(IssueCode::TooLarge);
}

#[test]
fn placeholders_are_replaced_by_the_values_of_their_names() {
    let mut out = String::new();
    let Details { params, .. } = Details::default().limit(20_usize).min(1_usize).suggestion("Items");
    push_filled(&mut out, "between {min} and {limit}, not {min}: {suggestion}", &params);
    push_filled(&mut out, "; plain", &params);
    assert_eq!(out, "between 1 and 20, not 1: Items; plain");
}

#[test]
fn messages_need_no_escapes_and_have_only_placeholders_that_are_filled() {
    // The vectors trigger every code, but do not notice a placeholder that stays empty.
    for code in IssueCode::ALL {
        for template in [Some(code.predicate()), code.hint()].into_iter().flatten() {
            assert!(!template.contains(['"', '\\']), "{code}: needs escapes in JSON");
            let names = template.split('{').skip(1).filter_map(|part| part.split_once('}'));
            for (name, _) in names {
                let required = code.params().required;
                assert!(required.iter().any(|known| known.name == name), "{code}: {name}");
            }
        }
    }
}
