//! Generates the files that repeat what a table of Rust says: types of TypeScript, the page of issue codes, and the OpenAPI
//! document. `cargo run --package xtask -- generate` writes them; with `check` it lists those that are out of date, and fails.

#![expect(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::print_stderr,
    clippy::unwrap_used,
    reason = "a generator fails by panicking, and says what is out of date"
)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

mod issue_codes;
mod openapi;
mod order_types;

/// The first line of a generated file in TypeScript.
const TYPESCRIPT_HEADER: &str = "// Generated from the tables of the Rust core by `make generate`.\n";
const ISSUE_CODES: &str = "src/issue-codes.md";
const OPENAPI: &str = "service/rules/src/openapi.json";

fn main() -> ExitCode {
    let argument = env::args().nth(1).unwrap_or_default();
    let files = [
        (ISSUE_CODES, issue_codes::documentation(&read(ISSUE_CODES))),
        ("pkg-template/src/issue-codes.ts", issue_codes::issue_codes()),
        ("pkg-template/src/order-types.ts", order_types::order_types()),
        ("pkg-template/src/decimal-members.ts", order_types::decimal_members()),
        ("cli/files/member-types.ts", order_types::member_types()),
        (OPENAPI, openapi::openapi(&read(OPENAPI))),
    ];
    let outdated: Vec<_> = files.iter().filter(|(file, generated)| read(file) != *generated).collect();
    match argument.as_str() {
        "generate" => {
            outdated.iter().for_each(|(file, generated)| fs::write(path(file), generated).unwrap());
            ExitCode::SUCCESS
        }
        "check" => {
            outdated.iter().for_each(|(file, _)| eprintln!("{file} is out of date: run `make generate`"));
            if outdated.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
        }
        _ => {
            eprintln!("usage: cargo run --package xtask -- generate | check");
            ExitCode::from(2)
        }
    }
}

/// Returns the path of a file, which is relative to the root of the repository.
fn path(file: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(file)
}

/// Returns the file as it is; empty if it does not exist.
fn read(file: &str) -> String {
    fs::read_to_string(path(file)).unwrap_or_default()
}
