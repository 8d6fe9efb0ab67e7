//! The commands `token` and `check`, and the errors of `serve`.

use std::process::Output;

use sales_order_intake_service::Token;
use tokio::process::Command;

use super::server_process::{BINARY, RegistryFile};

async fn run(arguments: &[&str]) -> Output {
    Command::new(BINARY).args(arguments).env_remove("DATABASE_URL").output().await.expect("the program runs")
}

fn file(name: &str, registry: &str) -> RegistryFile {
    RegistryFile::with(name, Token::new_random().expect("a random source"), registry)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

#[tokio::test]
async fn token_prints_a_token_and_its_registry_entry() {
    let output = run(&["token"]).await;
    assert!(output.status.success());
    let printed = text(&output.stdout);
    let token = printed.lines().find_map(|line| line.trim().strip_prefix("soi_")).expect("a token");
    assert_eq!(token.len(), 64);
    let entry = printed.split_once("[[tokens]]").map(|(_, entry)| format!("[[tokens]]{entry}")).unwrap();
    let entry = entry.replace("name = \"\"", "name = \"mine\"");
    let file = file("token", &entry);
    let file = file.path();
    let checked = run(&["check", file]).await;
    assert!(checked.status.success(), "{}", text(&checked.stderr));
    assert!(text(&checked.stdout).contains("1 tokens; no errors"));
    assert!(!entry.contains(token));
}

#[tokio::test]
async fn check_reports_every_error_of_a_registry_with_its_position() {
    let registry = r#"
        companies = [
            { id = 0, name = "A", locations = [
                { id = 1, name = " ", tax_rates = [{ id = "gst", rate = "-0.05", layer = 2 }] },
                { id = 1, name = "B", tax_rates = [{ id = "pst", rate = "5 %", catalog_item_ids = ["x"] }] },
            ] },
            { id = 7, name = "C" },
            { id = 7, name = "D" },
        ]
        integrators = [{ id = "00000000-0000-0000-0000-000000000000", name = "Storefront" }]
        [[tokens]]
        name = "one"
        sha256 = "1234"
        integrators = ["7c9e6679-7425-40de-944b-e07fc1f90ae7"]
        companies = [8]
        [[tokens]]
        token = "soi_secret"
        integrators = []
        companies = []
    "#;
    let file = file("errors", registry);
    let file = file.path();
    let output = run(&["check", file]).await;
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    let errors: Vec<_> = stderr.lines().filter_map(|line| line.strip_prefix(&format!("{file}: "))).collect();
    assert_eq!(
        errors,
        [
            "companies[0].id must be from 1 to 2147483647",
            "companies[0].locations[0].name must not be empty",
            "companies[0].locations[0].tax_rates[0].rate must not be negative",
            "companies[0].locations[0].tax_rates[0].layer must be 0 or 1",
            "companies[0].locations[1].tax_rates[0].rate is invalid: not a decimal number in digits: unexpected character ' ' at byte 1",
            "companies[0].locations[1].tax_rates[0].catalog_item_ids[0] is invalid: not a GUID in the form D, N, B or P: unexpected character 'x' at byte 0",
            "companies[0].locations[1].id appears more than once in this company",
            "companies[2].id appears more than once",
            "integrators[0].id is invalid: the GUID is all zero",
            "tokens[0].integrators contains 7c9e6679-7425-40de-944b-e07fc1f90ae7, which is not in [[integrators]]",
            "tokens[0].companies contains 8, which is not in [[companies]]",
            "tokens[0].sha256 must be the 64 hexadecimal digits that `sales-order-intake-server token` prints",
            "tokens[1].name must not be empty",
            "tokens[1].token must not be in a file: write its hash, sha256",
        ]
    );
}

#[tokio::test]
async fn an_invalid_id_or_time_in_a_registry_is_reported_once() {
    let registry = r#"
        companies = [
            { id = 0, name = "A", locations = [{ id = 0, name = "B" }, { id = -1, name = "C" }] },
            { id = 3000000000, name = "D" },
        ]
        [[tokens]]
        name = "one"
        sha256 = "1e6d7bba04a1c9b4a06e2ba4d4ae1bbb62cdb67c9c5b1b6e4f8d3a7095c2e1f0"
        integrators = []
        companies = [0]
        expires = 2027-01-31T18:00:00
    "#;
    let file = file("invalid-ids", registry);
    let file = file.path();
    let stderr = text(&run(&["check", file]).await.stderr);
    let errors: Vec<_> = stderr.lines().filter_map(|line| line.strip_prefix(&format!("{file}: "))).collect();
    assert_eq!(
        errors,
        [
            "companies[0].id must be from 1 to 2147483647",
            "companies[0].locations[0].id must be from 1 to 2147483647",
            "companies[0].locations[1].id must be from 1 to 2147483647",
            "companies[1].id must be from 1 to 2147483647",
            "tokens[0].companies[0] must be from 1 to 2147483647",
            "tokens[0].expires must be a date and time with an offset, such as 2027-01-31T18:00:00Z",
        ]
    );
}

#[tokio::test]
async fn check_reports_a_misspelt_member_with_its_line() {
    let file = file("misspelt", "[[companies]]\nid = 1\nname = \"A\"\nlocation = []\n");
    let file = file.path();
    let output = run(&["check", file]).await;
    assert_eq!(output.status.code(), Some(1));
    let stderr = text(&output.stderr);
    assert!(stderr.contains("line 4") && stderr.contains("unknown field `location`"), "{stderr}");
}

#[tokio::test]
async fn serve_reports_missing_and_invalid_flags() {
    for (arguments, error) in [
        (&["serve"][..], "--registry"),
        (&["serve", "--registry", "no-such-file.toml"], "no-such-file.toml"),
        (
            &["serve", "--demo", "--database", "mysql://localhost/orders"],
            "must be sqlite:<file> or postgres://",
        ),
        (&["serve", "--demo", "--header-seconds", "0"], "0 is not in 1..=86400"),
        (&["serve", "--demo", "--grace-seconds", "100000"], "100000 is not in 0..=86400"),
        (&["serve", "--demo", "--max-connections", "0"], "must be a number, at least 1"),
        (&["serve", "--demo", "--base-path", "orders"], "must be empty or a path"),
        (&["serve", "--demo", "--allow-origin", "http://127.0.0.1:3000/"], "must be an origin"),
        (&["serve", "--demo", "--allow-host", "orders.example.com:80"], "must be a host name"),
        (&["serve", "--demo", "--fault-rate", "503=2"], "the rate must be a number from 0 to 1"),
        (&["serve", "--demo", "--fault-rate", "503=79228162514264337593543950335"], "from 0 to 1"),
        (&["serve", "--demo", "--fault-rate", "503=0.0000004"], "at most 6 decimal places"),
        (
            &["serve", "--demo", "--fault-rate", "503=0.6", "--fault-rate", "down-until=5:0.400001"],
            "--fault-rate: the rates of all faults together must be at most 1",
        ),
        (&["serve", "--demo", "--fault-rate", "418=0.1"], "must be latency="),
    ] {
        let output = run(arguments).await;
        assert!(!output.status.success());
        let stderr = text(&output.stderr);
        assert!(stderr.contains(error), "{arguments:?}: {stderr}");
    }
}
