//! Runs the shared vectors through the functions that the npm package calls, natively and as WebAssembly.
//!
//! `bases.json` documents the format. Results are compared in full, except for messages and most hints.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use std::collections::HashSet;

use sales_order_intake_wasm as module;
use serde_json::{Map, Value};

#[path = "fields.rs"]
mod fields;
#[path = "../../tests/vectors/files.rs"]
mod files;

use fields::{Fields, Target, parsed, refusal};
use files::input;
pub(crate) use files::{SUBJECTS, expanded};

/// Runs all vectors of one subject and returns their number; panics with a list of all failures.
pub(crate) fn run(subject: &str) -> usize {
    let (_, json) = SUBJECTS.iter().find(|(name, _)| *name == subject).expect("a subject");
    let bases: Value =
        serde_json::from_str(include_str!("../../tests/vectors/bases.json")).expect("valid JSON");
    let subject: Value = serde_json::from_str(json).expect("valid JSON");
    let vectors = subject["vectors"].as_array().expect("vectors");
    let failures: Vec<_> = vectors
        .iter()
        .filter_map(|vector| {
            let error = check(vector, &bases).err()?;
            Some(format!("{}\n    {error}", vector["title"].as_str().unwrap_or("?")))
        })
        .collect();
    assert!(
        failures.is_empty(),
        "{} of {} vectors failed:\n{}",
        failures.len(),
        vectors.len(),
        failures.join("\n")
    );
    vectors.len()
}

fn check(vector: &Value, bases: &Value) -> Result<(), String> {
    let (call, expect) = (vector["call"].as_str().unwrap_or_default(), &vector["expect"]);
    if let Some(args) = vector["args"].as_array() {
        return check_result(call, args, expect);
    }
    let input = input(vector, bases);
    let options = match &vector["options"] {
        Value::Null => String::new(),
        options => options.to_string(),
    };
    let options = &*options;
    let output = match call {
        "validate" => module::validate_order(&input, options),
        "build" => module::build_order(&input, options),
        "prepare" => module::prepare_request(&input, options),
        "preview" => module::preview_order(&input, options),
        "read" => module::read_order(&input),
        "error" => module::read_error(&input),
        _ => return Err(format!("unknown call: {call}")),
    };
    let refused = refusal(&output);
    let (mut head, payload) = match call {
        _ if refused.is_some() => (Value::Null, None),
        "preview" => (Fields { rest: &output }.preview()?, None),
        "error" => (parsed(&output)?, None),
        "prepare" => {
            let mut fields = Fields { rest: &output };
            let Target { path, order_id, .. } = fields.target();
            let head = serde_json::json!({ "orderId": order_id, "path": path, "issues": fields.json()? });
            let expected = fields.text();
            same("whether a proof compares anything", &expected.is_null(), &path.is_null())?;
            let body = if fields.rest.is_empty() { without_bom(&input) } else { fields.rest };
            (head, Some(body).filter(|_| !path.is_null()))
        }
        _ => {
            let mut fields = Fields { rest: &output };
            let head = serde_json::json!({ "issues": fields.json()? });
            (head, Some(fields.rest).filter(|order| !order.is_empty()))
        }
    };
    if matches!(call, "prepare" | "preview") {
        check_evaluation(call, &input, options, &output, &head, payload)?;
    }
    if expect.get("throws").is_some() {
        return same("the pointer of the option that can't be used", &refused, &expect["option"].as_str());
    }
    same("issues", &summaries(&head["issues"]), &expanded(&expect["issues"]))?;
    check_hints(&head["issues"], &expect["hints"])?;
    for (pointer, params) in expect["params"].as_object().unwrap_or(&Map::new()) {
        let issue =
            head["issues"].as_array().into_iter().flatten().find(|issue| issue["pointer"] == **pointer);
        same("params", &issue.map(|issue| &issue["params"]), &Some(params))?;
    }
    match call {
        "prepare" => {
            same("body", &payload, &expect["body"].as_str())?;
            same("path", &head["path"], &expect["path"])?;
            let order_id = payload.map(|_| &head["orderId"]);
            same("orderId", &order_id, &Some(&expect["orderId"]).filter(|id| !id.is_null()))
        }
        "preview" => {
            let members = head.as_object_mut().ok_or("the preview is not an object")?;
            members.remove("issues");
            let steps = members.remove("steps").unwrap_or_default();
            same("steps", &steps.to_string(), &expect["steps"].to_string())?;
            same("preview", &head, &expect["preview"])
        }
        "error" => same("detail", &head["detail"], &expect["detail"]),
        _ => {
            let order = payload.map_or(Ok(Value::Null), serde_json::from_str);
            let order: Value = order.map_err(|error| error.to_string())?;
            // Compared as strings, because the order of the members matters.
            same("order", &order.to_string(), &expect["order"].to_string())
        }
    }
}

/// Checks that `evaluate_order` agrees with the function that the vector calls.
fn check_evaluation(
    call: &str,
    input: &str,
    options: &str,
    output: &str,
    head: &Value,
    payload: Option<&str>,
) -> Result<(), String> {
    let evaluated = module::evaluate_order(input, options);
    if evaluated.starts_with('!') {
        return same("the invalid option of evaluate_order", &&*evaluated, &output);
    }
    let mut fields = Fields { rest: &evaluated };
    let Target { is_ok: evaluated_ok, path, order_id } = fields.target();
    let issues = fields.json()?;
    let of_request = match fields.text().as_str() {
        Some(json) => parsed(json)?,
        None => issues.clone(),
    };
    let totals = fields.totals();
    let issues = summaries(&issues);
    let is_ok = !issues.iter().any(|issue| issue.starts_with("error "));
    same("whether evaluate_order is ok", &evaluated_ok, &is_ok)?;
    same("whether evaluate_order has a request", &!path.is_null(), &(is_ok && !order_id.is_null()))?;
    if call == "prepare" {
        let prepared = summaries(&head["issues"]).into_iter();
        // A set, because vectors of limits have 10,000 issues.
        let in_evaluation: HashSet<_> = issues.iter().collect();
        let missing: Vec<_> = prepared.filter(|issue| !in_evaluation.contains(issue)).collect();
        same("the issues that evaluate_order lacks", &missing, &Vec::new())?;
        if is_ok {
            same("the issues of the request of evaluate_order", &of_request, &head["issues"])?;
            same("the orderId of evaluate_order", &order_id, &head["orderId"])?;
            same("the path of evaluate_order", &path, &head["path"])?;
            let body = if fields.rest.is_empty() { without_bom(input) } else { fields.rest };
            same("the body of evaluate_order", &Some(body), &payload)?;
        }
        return Ok(());
    }
    let without_id = |issue: &String| !matches!(&**issue, "error missing /Id" | "error null_not_allowed /Id");
    let issues: Vec<_> = issues.into_iter().filter(without_id).collect();
    same("the issues of evaluate_order", &issues, &summaries(&head["issues"]))?;
    let members = totals.as_object().into_iter().flatten();
    members.clone().try_for_each(|(name, value)| same("the totals of evaluate_order", value, &head[name]))
}

fn without_bom(json: &str) -> &str {
    json.trim_start_matches('\u{FEFF}')
}

/// Checks the functions for amounts and ids. Skips arguments that only JavaScript can pass: an id or a number that is not a string.
fn check_result(call: &str, args: &[Value], expect: &Value) -> Result<(), String> {
    let options = args.get(1).map(Value::to_string).unwrap_or_default();
    let result = match (call, args) {
        ("compareAmounts", _) => module::compare_amounts(&Value::from(args).to_string()),
        ("sumAmounts", [list]) => module::sum_amounts(&list.to_string()),
        ("readDecimal", [Value::String(text), ..]) => module::read_decimal(text, &options),
        _ => return check_id(call, args, expect),
    };
    if expect["throws"].is_null() {
        return same("result", &parsed(&result)?, expect);
    }
    same("the pointer of what is wrong", &refusal(&result), &expect["option"].as_str())
}

fn check_id(call: &str, args: &[Value], expect: &Value) -> Result<(), String> {
    let args: Vec<_> = args.iter().filter_map(Value::as_str).collect();
    let result = match (call, &*args) {
        ("parseGuid", [guid]) => module::parse_guid(guid),
        ("deriveOrderId", [namespace, key]) => module::derive_order_id(namespace, key),
        ("requestPath", [version, id]) => module::request_path(version, id),
        _ => return Ok(()),
    };
    // JavaScript gets null or an exception for an empty string.
    same("result", &&*result, &expect.as_str().unwrap_or_default())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, actual: &T, expected: &T) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    let shortened = |value: &T| format!("{value:?}").chars().take(3_000).collect::<String>();
    Err(format!("{what}:\n    is       {}\n    expected {}", shortened(actual), shortened(expected)))
}

/// Returns each issue as "severity code pointer".
fn summaries(issues: &Value) -> Vec<String> {
    let issues = issues.as_array().into_iter().flatten();
    let member = |issue: &Value, name: &str| issue[name].as_str().unwrap_or("?").to_owned();
    issues
        .map(|issue| [member(issue, "severity"), member(issue, "code"), member(issue, "pointer")].join(" "))
        .collect()
}

fn check_hints(issues: &Value, hints: &Value) -> Result<(), String> {
    for (pointer, expected) in hints.as_object().unwrap_or(&Map::new()) {
        let issue = issues.as_array().into_iter().flatten().find(|issue| issue["pointer"] == **pointer);
        let hint = issue.and_then(|issue| issue["hint"].as_str()).unwrap_or_default();
        let matches = match expected.as_str() {
            Some(expected) => hint.contains(expected),
            None => !hint.contains("did you mean"),
        };
        if !matches {
            return Err(format!("hint at {pointer}: is {hint:?}, expected {expected}"));
        }
    }
    Ok(())
}
