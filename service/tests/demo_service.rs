//! `serve --demo`: its token, its registry, the ids it prints, and the list of the last requests.

use std::process::Stdio;

use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};

use super::client::Client;
use super::database::Database;
use super::server_process::{BINARY, RegistryFile, patient};
use super::test_server::{INTEGRATOR, TestServer, new_id, order, v3};
use super::waiting::within_limit;

struct Demo {
    client: Client,
    token: String,
    /// The lines after the token: name and value.
    lines: Vec<(String, String)>,
    _child: Child,
    _database: Database,
    /// Kept open because the service still prints.
    _output: Lines<BufReader<ChildStdout>>,
}

impl Demo {
    async fn start(arguments: &[&str]) -> Self {
        let database = Database::new().await;
        let mut child = Command::new(BINARY)
            .args(["serve", "--demo", "--listen", "127.0.0.1:0", "--log", "error"])
            .args(arguments)
            .env("DATABASE_URL", &database.url)
            .envs(patient())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .expect("a process");
        let mut output = BufReader::new(child.stdout.take().expect("its output")).lines();
        let mut lines = Vec::<(String, String)>::new();
        // The views follow the token and the integrators.
        while lines.last().is_none_or(|(name, _)| name != "view") {
            let line = within_limit("the lines of the demo", output.next_line()).await;
            let line = line.expect("a line").expect("more lines");
            let (name, value) =
                line.replacen("base URL", "base", 1).split_once(' ').map(own).expect("two columns");
            lines.push((name, value.trim().to_owned()));
        }
        let value = |name: &str| lines.iter().find(|(other, _)| other == name).expect("the line").1.clone();
        let (base, token) = (value("base"), value("token"));
        let address = base.strip_prefix("http://").expect("http").parse().expect("an address");
        Self {
            client: Client::new(address, &token),
            token,
            lines,
            _child: child,
            _database: database,
            _output: output,
        }
    }
}

fn own((name, value): (&str, &str)) -> (String, String) {
    (name.to_owned(), value.to_owned())
}

/// Returns what follows `name` in a text, up to the next character that is neither a letter, a digit nor a
/// hyphen.
fn values<'t>(text: &'t str, name: &str) -> Vec<&'t str> {
    let after = |value: &'t str| value.split(|c: char| !c.is_ascii_alphanumeric() && c != '-').next();
    text.split(name).skip(1).filter_map(|rest| after(rest.trim_start_matches('\''))).collect()
}

#[tokio::test]
async fn every_id_of_the_readmes_is_one_of_the_demo() {
    let demo = Demo::start(&[]).await;
    let mut sent = 0;
    for readme in [include_str!("../../README.md"), include_str!("../../pkg-template/README.md")] {
        let companies = values(readme, "CompanyId: ");
        let entities = values(readme, "EntityId: ");
        let integrators = values(readme, "IntegratorId: ");
        for ((company, entity), integrator) in companies.iter().zip(&entities).zip(&integrators) {
            // Some examples are invalid on purpose.
            let (Ok(company), Ok(entity)) = (company.parse::<u32>(), entity.parse::<u32>()) else { continue };
            if entity == 0 || integrator.len() != 36 {
                continue;
            }
            let id = new_id();
            let mut order = order(id);
            order["CompanyId"] = json!(company);
            order["EntityId"] = json!(entity);
            order["IntegratorId"] = json!(integrator);
            let response = demo.client.put(&v3(id), &[], order.to_string()).await;
            assert_eq!(response.status, 201, "{company} {entity} {integrator}: {}", response.body);
            let printed = format!("{integrator} ");
            assert!(
                demo.lines.iter().any(|(name, value)| name == "integrator" && value.starts_with(&printed)),
                "{:?}",
                demo.lines
            );
            sent += 1;
        }
    }
    assert!(sent >= 2, "{sent}");
}

#[tokio::test]
async fn the_demo_takes_a_fixed_token_and_a_registry() {
    let (registry, token) = (RegistryFile::new("demo"), "test-token");
    let demo = Demo::start(&["--token", token, "--registry", registry.path()]).await;
    assert_eq!(demo.token, token);
    let values = |name: &str| demo.lines.iter().filter(|(other, _)| other == name).collect::<Vec<_>>();
    assert_eq!(values("integrator").len(), 2);
    assert!(values("page")[0].1.ends_with(&format!("/#token={token}")));
    let directory = demo.client.get("/demo.json", &[]).await;
    assert_eq!(directory.json()["companies"][1]["name"], "Hill Goods");
    assert!(!directory.body.contains(token));
    // It covers everything; the tokens of the file remain valid.
    let id = new_id();
    let mut order = order(id);
    (order["CompanyId"], order["EntityId"]) = (json!(1502), json!(2304));
    assert_eq!(demo.client.put(&v3(id), &[], order.to_string()).await.status, 201);
    let of_file = format!("Bearer {}", registry.token.reveal());
    let forbidden = demo.client.put(&v3(id), &[("authorization", &of_file)], order.to_string()).await;
    assert_eq!(forbidden.status, 403);
}

#[tokio::test]
async fn the_token_of_the_demo_is_not_repeated_in_errors() {
    for (arguments, error) in [
        (&["--demo", "--token", "secret token"][..], "--token must be letters"),
        (&["--registry", "x.toml", "--token", "secret"], "--demo"),
    ] {
        let output = Command::new(BINARY).arg("serve").args(arguments).output().await.expect("it runs");
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        assert!(!output.status.success() && stderr.contains(error), "{stderr}");
        assert!(!stderr.contains("secret"), "{stderr}");
    }
}

#[tokio::test]
async fn the_last_requests_are_listed_with_status_and_fault_but_without_bodies() {
    let demo = Demo::start(&[]).await;
    let id = new_id();
    let mut order = order(id);
    order["Notes"] = json!("the violet door");
    for fault in ["", "503", "drop", "drop-after", "latency=1", "teapot"] {
        // An error if the connection is dropped.
        let _ = demo.client.try_put(&v3(id), &[("x-fault", fault)], order.to_string()).await;
    }
    demo.client.put("/v3/the-violet-door", &[], "{}").await;
    let list = demo.client.get("/requests", &[]).await;
    let requests = list.json()["requests"].as_array().expect("requests").clone();
    let shown: Vec<_> = requests.iter().map(|request| json!([request["status"], request["fault"]])).collect();
    let expected = json!([
        [404, null],
        [400, null],
        [200, "latency=1"],
        [null, "drop-after"],
        [null, "drop"],
        [503, "503"],
        [201, null],
    ]);
    assert_eq!(Value::from(shown), expected);
    assert_eq!((&requests[0]["version"], &requests[0]["orderId"]), (&Value::Null, &Value::Null));
    assert_eq!((&requests[6]["version"], &requests[6]["orderId"]), (&json!("v3"), &json!(id.to_string())));
    assert_eq!(requests[6]["method"], "PUT");
    // Not digits, which a random Id may contain.
    for private in ["violet", demo.token.as_str(), INTEGRATOR] {
        assert!(!list.body.contains(private), "{private}");
    }
    // The list has an end.
    for _ in 0..210 {
        demo.client.put("/v3/x", &[], "").await;
    }
    let requests = demo.client.get("/requests", &[]).await.json()["requests"].clone();
    assert_eq!(requests.as_array().map(Vec::len), Some(200));
    TestServer::new().await.client.get("/requests", &[]).await.is_problem(404, "not-found");
}
