//! Tests of the codes and params that a service reports. The vectors test the forms of error bodies.

use crate::code::params::KnownParam;

use super::*;

/// Reads one error with these members.
fn issue_of(members: &str) -> Issue {
    let body = format!(r#"{{"errors":[{{"pointer":"/Notes","detail":"No.",{members}}}]}}"#);
    read_error(&body).issues.pop().expect("an issue")
}

#[test]
fn an_issue_without_params_has_its_code_unless_the_code_needs_some() {
    for &code in IssueCode::ALL {
        let issue = issue_of(&format!(r#""code":"{code}""#));
        let read_as = if code.params().required.is_empty() { code } else { IssueCode::RejectedByService };
        assert_eq!((issue.code, issue.message.as_str()), (read_as, "No."));
        assert_eq!((issue.severity, issue.hint.as_deref()), (code.severity(), read_as.hint()));
        assert_eq!(issue.params, Params::default());
    }
}

#[test]
fn every_code_is_read_with_all_its_params() {
    for &code in IssueCode::ALL {
        let CodeParams { required, optional } = code.params();
        let known = required.iter().chain(optional);
        let (names, members): (Vec<_>, Vec<_>) = known
            .map(|&KnownParam { name, param_type }| match param_type {
                ParamType::Number => (name, format!(r#""{name}":7"#)),
                ParamType::Text => (name, format!(r#""{name}":"Items""#)),
            })
            .unzip();
        let issue = issue_of(&format!(r#""params":{{{}}},"code":"{code}""#, members.join(",")));
        assert_eq!((issue.code, issue.severity), (code, code.severity()));
        assert_eq!(issue.params.iter().map(|(name, _)| name).collect::<Vec<_>>(), names);
        assert!(!issue.hint.is_some_and(|hint| hint.contains('{')), "{code}");
    }
}

#[test]
fn a_text_among_the_params_is_no_longer_than_a_message() {
    let long = "é".repeat(MAX_MESSAGE_LENGTH + 1);
    let issue = issue_of(&format!(r#""code":"missing","params":{{"found":"{long}"}}"#));
    let Some(Param::Text(found)) = issue.params.get("found") else { panic!("{:?}", issue.params) };
    assert_eq!(found.chars().count(), MAX_MESSAGE_LENGTH);
}

#[test]
fn params_can_be_nested_deeply() {
    let nested = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    for params in [nested.clone(), format!(r#"{{"limit":{nested}}}"#), format!(r#"{{"x":{nested}}}"#)] {
        let issue = issue_of(&format!(r#""code":"too_large","params":{params}"#));
        assert_eq!((issue.code, issue.params), (IssueCode::RejectedByService, Params::default()));
    }
}

#[test]
fn an_index_has_digits_only_no_leading_zero_and_32_bits() {
    let last = |token: &str| {
        let body = format!(r#"{{"errors":[{{"pointer":"/Items/{token}"}}]}}"#);
        read_error(&body).issues.pop().expect("an issue").path.pop().expect("a segment")
    };
    for (token, index) in [("0", 0), ("10", 10), ("4294967295", u32::MAX as usize)] {
        assert_eq!(last(token), Segment::Index(index));
    }
    for token in ["+1", "-1", "-0", "007", "00", "4294967296", "18446744073709551616", "1.0", "\u{0661}"] {
        assert!(matches!(last(token), Segment::Member(_)), "{token}");
    }
}
