//! Runs the shared vectors natively, and checks that every issue code is documented and has a vector.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::BTreeSet;

use sales_order_intake::IssueCode;
use serde_json::Value;

mod runner;

#[test]
fn every_vector_passes_natively() {
    for (subject, _) in runner::SUBJECTS {
        assert!(runner::run(subject) > 0, "{subject}");
    }
}

#[test]
fn every_vector_file_is_embedded() {
    let embedded: BTreeSet<_> = runner::SUBJECTS.iter().map(|(name, _)| (*name).to_owned()).collect();
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/vectors");
    let files = std::fs::read_dir(folder).unwrap().filter_map(|entry| {
        let name = entry.unwrap().file_name().into_string().unwrap();
        name.strip_suffix(".json").filter(|name| *name != "bases").map(str::to_owned)
    });
    assert_eq!(files.collect::<BTreeSet<_>>(), embedded);
}

/// The codes that no vector can cause, each with the reason.
const CODES_WITHOUT_VECTOR: [(IssueCode, &str); 2] = [
    (IssueCode::NoRandomSource, "depends on the platform, not on the input"),
    (IssueCode::DiffersFromSent, "is about an order and its response: the vectors of fates have it"),
];

#[test]
fn every_code_has_a_vector() {
    let expected: BTreeSet<_> = runner::SUBJECTS.iter().flat_map(|(_, json)| expected_codes(json)).collect();
    let without: Vec<_> =
        IssueCode::ALL.iter().copied().filter(|code| !expected.contains(code.as_str())).collect();
    assert_eq!(without, CODES_WITHOUT_VECTOR.map(|(code, _reason)| code));
}

/// Returns the codes that the vectors of a subject expect.
fn expected_codes(json: &str) -> Vec<String> {
    let subject: Value = serde_json::from_str(json).expect("valid JSON");
    let vectors = subject["vectors"].as_array().expect("vectors").clone();
    let issues = vectors.iter().flat_map(|vector| runner::expanded(&vector["expect"]["issues"]));
    issues.filter_map(|issue| issue.split(' ').nth(1).map(str::to_owned)).collect()
}
