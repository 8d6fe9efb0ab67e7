//! The shared vectors, as `bases.json` describes them, for the tests in Rust: embedded, because a WebAssembly module has no
//! file system.

use serde_json::{Map, Value};

macro_rules! subjects {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!($name, ".json")))),*] };
}

/// The name and content of every vector file.
pub(crate) const SUBJECTS: &[(&str, &str)] = subjects! {
    "amounts" "customer" "decimals" "discount" "errors" "guids" "ids" "items" "limits" "members" "names" "options" "params"
    "rounding-range" "preview-discount" "preview-lines" "preview-tax" "requests" "responses" "steps" "strings" "structure" "taxes" "values"
};

/// Returns the order of a vector as JSON: its text verbatim, or a base with changes.
pub(crate) fn input(vector: &Value, bases: &Value) -> String {
    match &vector["text"] {
        Value::String(text) => return text.clone(),
        Value::Array(parts) => return parts.iter().map(repeated).collect(),
        _ => {}
    }
    let mut order = vector["base"].as_str().map_or(Value::Null, |base| bases[base].clone());
    for (pointer, value) in vector["set"].as_object().unwrap_or(&Map::new()) {
        let (parent, key) = resolve(&mut order, pointer);
        match parent {
            Value::Array(list) if key == "-" => list.push(value.clone()),
            Value::Array(list) => list[key.parse::<usize>().expect("an index")] = value.clone(),
            parent => parent[&key] = value.clone(),
        }
    }
    for pointer in vector["remove"].as_array().into_iter().flatten() {
        let (parent, key) = resolve(&mut order, pointer.as_str().expect("a pointer"));
        match parent {
            Value::Array(list) => drop(list.remove(key.parse().expect("an index"))),
            parent => drop(parent.as_object_mut().expect("an object").shift_remove(&key)),
        }
    }
    order.to_string()
}

/// Splits a pointer into the value of its parent and the last key.
fn resolve<'v>(order: &'v mut Value, pointer: &str) -> (&'v mut Value, String) {
    let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
    let key = key.replace("~1", "/").replace("~0", "~");
    (order.pointer_mut(parent).expect("a parent"), key)
}

/// Returns a part of a string: a string, or `{times, of}`, which repeats one.
fn repeated(part: &Value) -> String {
    part.as_str()
        .map_or_else(|| part["of"].as_str().expect("the string to repeat").repeat(times(part)), str::to_owned)
}

fn times(repeated: &Value) -> usize {
    let times = repeated["times"].as_u64().expect("the number of repetitions");
    usize::try_from(times).expect("a length of memory")
}

/// Expands an array of strings: `{times, of}` repeats a string, in which `{i}` is the index from 0.
pub(crate) fn expanded(array: &Value) -> Vec<String> {
    let mut strings = Vec::new();
    for entry in array.as_array().into_iter().flatten() {
        match entry {
            Value::String(string) => strings.push(string.clone()),
            repeated => {
                let of = repeated["of"].as_str().expect("the string to repeat");
                strings.extend((0..times(repeated)).map(|index| of.replace("{i}", &index.to_string())));
            }
        }
    }
    strings
}
