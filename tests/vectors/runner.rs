//! Runs the shared vectors through the answers that the npm package gets, natively and as WebAssembly.
//!
//! What a vector is, `bases.json` says; what it expects is compared in full, messages and hints aside.
#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use sales_order_intake::json_api;
use serde_json::{Map, Value};

macro_rules! subjects {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!($name, ".json")))),*] };
}

/// Every file of vectors: its name and its text, for a WebAssembly module has no files.
pub(crate) const SUBJECTS: &[(&str, &str)] = subjects! {
    "customer" "decimals" "discount" "errors" "guids" "ids" "items" "limits" "members" "options" "rounding-range"
    "preview-discount" "preview-lines" "preview-tax" "requests" "responses" "shape" "steps" "taxes" "texts" "values"
};

/// Runs all vectors of one subject and gives their number; fails with every vector that disagrees.
pub(crate) fn run(subject: &str) -> usize {
    let (_, text) = SUBJECTS.iter().find(|(name, _)| *name == subject).expect("a subject");
    let bases: Value = serde_json::from_str(include_str!("bases.json")).expect("bases");
    let subject: Value = serde_json::from_str(text).expect("JSON");
    let vectors = subject["vectors"].as_array().expect("vectors");
    let failures: Vec<_> = vectors
        .iter()
        .filter_map(|vector| {
            let why = check(vector, &bases).err()?;
            Some(format!("{}\n    {why}", vector["title"].as_str().unwrap_or("?")))
        })
        .collect();
    assert!(failures.is_empty(), "{} of {} vectors:\n{}", failures.len(), vectors.len(), failures.join("\n"));
    vectors.len()
}

fn check(vector: &Value, bases: &Value) -> Result<(), String> {
    let (call, expect) = (vector["call"].as_str().unwrap_or_default(), &vector["expect"]);
    if let Some(args) = vector["args"].as_array() {
        return check_id(call, args, expect);
    }
    let input = input(vector, bases);
    let options = match &vector["options"] {
        Value::Null => String::new(),
        options => options.to_string(),
    };
    let answer = match call {
        "validate" => json_api::validate_order(&input, &options),
        "build" => json_api::build_order(&input, &options),
        "prepare" => json_api::prepare_request(&input, &options),
        "preview" => json_api::preview_order(&input, &options),
        "read" => json_api::read_order(&input),
        "error" => json_api::read_error(&input),
        _ => return Err(format!("no such call: {call}")),
    };
    let (mut head, payload) = parts(&answer)?;
    if matches!(call, "prepare" | "preview") {
        check_together(call, &input, &options, &head, payload)?;
    }
    if expect.get("throws").is_some() {
        return same("an invalid option", &head.get("invalidOption").is_some(), &true);
    }
    same("issues", &lines(&head["issues"]), &pieces(&expect["issues"]))?;
    check_hints(&head["issues"], &expect["hints"])?;
    match call {
        "prepare" => {
            same("body", &payload, &expect["body"].as_str())?;
            same("path", &head["path"], &expect["path"])?;
            same("orderId", &head["orderId"], &expect["orderId"])
        }
        "preview" => {
            let members = head.as_object_mut().ok_or("a preview is an object")?;
            members.remove("issues");
            let steps = members.remove("steps").unwrap_or_default();
            same("steps", &steps.to_string(), &expect["steps"].to_string())?;
            same("preview", &head, &expect["preview"])
        }
        "error" => same("detail", &head["detail"], &expect["detail"]),
        _ => {
            let order = payload.map_or(Ok(Value::Null), serde_json::from_str);
            let order: Value = order.map_err(|error| error.to_string())?;
            // As text, since the members stand in the order of the specification.
            same("order", &order.to_string(), &expect["order"].to_string())
        }
    }
}

/// The head of an answer, and its payload where it has one.
fn parts(answer: &str) -> Result<(Value, Option<&str>), String> {
    let (head, payload) = match answer.split_once('\n') {
        Some((head, payload)) => (head, Some(payload)),
        None => (answer, None),
    };
    let head = match head {
        "" => serde_json::json!({ "ok": true, "issues": [] }),
        head => serde_json::from_str(head).map_err(|error| error.to_string())?,
    };
    Ok((head, payload))
}

/// Prepared and previewed in one, an order is what it is by itself; the totals are those of the preview.
fn check_together(
    call: &str,
    input: &str,
    options: &str,
    head: &Value,
    payload: Option<&str>,
) -> Result<(), String> {
    let together = json_api::prepare_order(input, options);
    let (mut request, body) = parts(&together)?;
    let totals = request.as_object_mut().and_then(|members| members.remove("preview"));
    if call == "prepare" || head.get("invalidOption").is_some() {
        same("the request prepared together with the totals", &request, head)?;
        return same("its body", &body, &payload);
    }
    let mut expected = head.clone();
    expected.as_object_mut().and_then(|preview| preview.remove("lines"));
    same("the totals prepared together with the request", &totals, &Some(expected.clone()))?;
    same("the totals", &parts(&json_api::preview_totals(input, options))?.0, &expected)
}

/// Arguments that are no text exist in JavaScript only.
fn check_id(call: &str, args: &[Value], expect: &Value) -> Result<(), String> {
    let args: Vec<_> = args.iter().filter_map(Value::as_str).collect();
    let result = match (call, &*args) {
        ("parseGuid", [text]) => json_api::parse_guid(text),
        ("deriveOrderId", [namespace, key]) => json_api::derive_order_id(namespace, key),
        ("requestPath", [version, id]) => json_api::request_path(version, id),
        _ => return Ok(()),
    };
    // null and an exception are both an empty answer.
    same("result", &&*result, &expect.as_str().unwrap_or_default())
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, actual: &T, expected: &T) -> Result<(), String> {
    if actual == expected {
        return Ok(());
    }
    let short = |value: &T| format!("{value:?}").chars().take(3_000).collect::<String>();
    Err(format!("{what}:\n    is       {}\n    expected {}", short(actual), short(expected)))
}

fn lines(issues: &Value) -> Vec<String> {
    let issues = issues.as_array().into_iter().flatten();
    let text = |issue: &Value, member: &str| issue[member].as_str().unwrap_or("?").to_owned();
    issues
        .map(|issue| [text(issue, "severity"), text(issue, "code"), text(issue, "pointer")].join(" "))
        .collect()
}

fn check_hints(issues: &Value, hints: &Value) -> Result<(), String> {
    for (pointer, expected) in hints.as_object().unwrap_or(&Map::new()) {
        let issue = issues.as_array().into_iter().flatten().find(|issue| issue["pointer"] == **pointer);
        let hint = issue.and_then(|issue| issue["hint"].as_str()).unwrap_or_default();
        let says = match expected.as_str() {
            Some(expected) => hint.contains(expected),
            None => !hint.contains("did you mean"),
        };
        if !says {
            return Err(format!("hint at {pointer}: is {hint:?}, expected {expected}"));
        }
    }
    Ok(())
}

/// The order of a vector as JSON text: verbatim, or a base with changes.
pub(crate) fn input(vector: &Value, bases: &Value) -> String {
    match &vector["text"] {
        Value::String(text) => return text.clone(),
        Value::Array(_) => return pieces(&vector["text"]).concat(),
        _ => {}
    }
    let mut order = vector["base"].as_str().map_or(Value::Null, |base| bases[base].clone());
    for (pointer, value) in vector["set"].as_object().unwrap_or(&Map::new()) {
        let (parent, key) = place(&mut order, pointer);
        match parent {
            Value::Array(list) if key == "-" => list.push(value.clone()),
            Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value.clone(),
            parent => parent[&key] = value.clone(),
        }
    }
    for pointer in vector["remove"].as_array().into_iter().flatten() {
        let (parent, key) = place(&mut order, pointer.as_str().expect("a pointer"));
        match parent {
            Value::Array(list) => drop(list.remove(key.parse().expect("an index"))),
            parent => drop(parent.as_object_mut().expect("an object").shift_remove(&key)),
        }
    }
    order.to_string()
}

fn place<'v>(order: &'v mut Value, pointer: &str) -> (&'v mut Value, String) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let key = key.replace("~1", "/").replace("~0", "~");
    (order.pointer_mut(parent).expect("a parent"), key)
}

/// Pieces of a text or a list of issues: `{times, of}` repeats one, `{i}` in it is the count from 0.
pub(crate) fn pieces(list: &Value) -> Vec<String> {
    let mut pieces = Vec::new();
    for piece in list.as_array().into_iter().flatten() {
        match piece {
            Value::String(piece) => pieces.push(piece.clone()),
            repeated => {
                let of = repeated["of"].as_str().expect("what to repeat");
                let times = repeated["times"].as_u64().expect("how often");
                pieces.extend((0..times).map(|count| of.replace("{i}", &count.to_string())));
            }
        }
    }
    pieces
}
