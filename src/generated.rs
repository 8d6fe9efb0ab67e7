//! What the tests of the tables generate, such as types and documentation, is stored in files. `make generate` writes them.

use std::path::Path;

/// The first line of a file in TypeScript.
pub(crate) const TYPESCRIPT_HEADER: &str =
    "// Generated from the tables of the Rust core by `make generate`.\n";

/// Compares a generated file with the existing one, or writes it. The path is relative to the root of the repository.
pub(crate) fn same(file: &str, generated: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    if std::env::var_os("GENERATE").is_some() {
        std::fs::write(&path, generated).unwrap();
    }
    let existing = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(existing == generated, "{file} is out of date: run `make generate`");
}
