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
async fn check_reports_an_error_of_a_registry_with_its_line_and_column() {
    let valid = "\
companies = [
    { id = 1501, name = \"A\", locations = [
        { id = 1, name = \"B\", tax_rates = [{ id = \"gst\", rate = \"0.05\", layer = 1, catalog_item_ids = [] }] },
    ] },
]
integrators = [{ id = \"7c9e6679-7425-40de-944b-e07fc1f90ae7\", name = \"C\" }]
[[tokens]]
name = \"D\"
sha256 = \"1e6d7bba04a1c9b4a06e2ba4d4ae1bbb62cdb67c9c5b1b6e4f8d3a7095c2e1f0\"
integrators = [\"7c9e6679-7425-40de-944b-e07fc1f90ae7\"]
companies = [1501]
expires = 2027-01-31T18:00:00Z
";
    let range = "must be from 1 to 2147483647";
    for (from, to, line_and_column, error) in [
        ("[[tokens]]", "[[tokens", "line 7, column 9", "unclosed array table"),
        ("{ id = 1501", "{ id = 0", "line 2, column 12", range),
        ("{ id = 1501", "{ id = 3000000000", "line 2, column 12", range),
        ("{ id = 1,", "{ id = -1,", "line 3, column 16", range),
        ("\"A\"", "\" \"", "line 2, column 25", "must not be empty"),
        ("locations", "location", "line 2, column 30", "unknown field `location`"),
        ("\"0.05\"", "\"-0.05\"", "line 3, column 43", "the rate must not be negative"),
        ("\"0.05\"", "\"5 %\"", "line 3, column 43", "the rate is invalid: not a decimal number in digits"),
        ("layer = 1", "layer = 2", "line 3, column 43", "the layer must be 0 or 1"),
        ("ids = []", "ids = [\"x\"]", "line 3, column 103", "not a GUID in the form D, N, B or P"),
        ("\"1e6d", "\"1e6", "line 9, column 10", "must be the 64 hexadecimal digits that"),
        ("= [1501]", "= [0]", "line 11, column 13", range),
        ("18:00:00Z", "18:00:00", "line 12, column 11", "must be a date and time with an offset, such as"),
    ] {
        assert!(valid.contains(from), "{from}");
        let file = file("position", &valid.replacen(from, to, 1));
        let output = run(&["check", file.path()]).await;
        assert_eq!(output.status.code(), Some(1));
        let stderr = text(&output.stderr);
        let position = format!("{}: TOML parse error at {line_and_column}\n", file.path());
        assert!(stderr.starts_with(&position) && stderr.contains(error), "{to}: {stderr}");
    }
}

#[tokio::test]
async fn check_reports_what_is_listed_twice_or_not_at_all() {
    let entry = |companies: &str, integrators: &str, more: &str| {
        format!("companies = [{companies}]\nintegrators = [{integrators}]\n[[tokens]]\n{more}")
    };
    let integrator = "{ id = \"7c9e6679-7425-40de-944b-e07fc1f90ae7\", name = \"A\" }";
    let hash = "sha256 = \"1e6d7bba04a1c9b4a06e2ba4d4ae1bbb62cdb67c9c5b1b6e4f8d3a7095c2e1f0\"\n";
    let rest = "integrators = []\ncompanies = []\n";
    for (registry, error) in [
        (entry("{ id = 7 }, { id = 7 }", "", ""), "missing field `integrators`"),
        (entry("{ id = 7 }, { id = 7 }", "", rest), "companies[1].id appears more than once"),
        (
            entry("{ id = 7, locations = [{ id = 1 }, { id = 1 }] }", "", rest),
            "companies[0].locations[1].id appears more than once in this company",
        ),
        (entry("", &format!("{integrator}, {integrator}"), rest), "integrators[1].id appears more than once"),
        (entry("", "", rest), "tokens[0].sha256 is missing"),
        (
            entry("", "", &format!("{hash}{rest}[[tokens]]\n{hash}{rest}")),
            "tokens[1].sha256 appears more than once",
        ),
        (
            entry("", "", &format!("token = \"soi_secret\"\n{rest}")),
            "tokens[0].token must not be in a file: write its hash, sha256",
        ),
        (
            entry("", "", &format!("{hash}integrators = []\ncompanies = [8]")),
            "tokens[0].companies contains 8, which is not in [[companies]]",
        ),
        (
            entry(
                "",
                "",
                &format!("{hash}companies = []\nintegrators = [\"7c9e6679-7425-40de-944b-e07fc1f90ae7\"]"),
            ),
            "tokens[0].integrators contains 7c9e6679-7425-40de-944b-e07fc1f90ae7, which is not in [[integrators]]",
        ),
    ] {
        let file = file("listed", &registry);
        let output = run(&["check", file.path()]).await;
        let stderr = text(&output.stderr);
        assert!(
            output.status.code() == Some(1) && stderr.trim_end().ends_with(error),
            "{registry}: {stderr}"
        );
    }
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
