//! Generates the problem types of the test service, `sales-order-intake/testing`. `make generate` writes the file.

use std::fmt::Write as _;
use std::path::Path;

use super::ProblemType;

#[test]
fn the_problem_types_of_the_test_service_are_generated_from_the_table() {
    let mut expected = "// Generated from the tables of the reference service by `make generate`.\n\n\
        /** The types of problems, each with its status and title (D29). */\n\
        export const PROBLEM_TYPES = {\n"
        .to_owned();
    for problem_type in ProblemType::ALL {
        let (name, status, title) =
            (problem_type.name(), problem_type.status().as_u16(), problem_type.title());
        // The formatter of TypeScript wants quotes only if they are needed.
        let quote = if name.contains('-') { "'" } else { "" };
        let _ = writeln!(expected, "  {quote}{name}{quote}: [{status}, '{title}'],");
    }
    expected += "} as const;\n";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../www/testing/problem-types.ts");
    if std::env::var_os("GENERATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    }
    let existing = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(existing == expected, "www/testing/problem-types.ts is out of date: run `make generate`");
}
