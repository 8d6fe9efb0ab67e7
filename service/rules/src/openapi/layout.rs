//! The layout of the OpenAPI document.

use serde_json::Value;

/// The length of the longest line.
const WIDTH: usize = 120;
const INDENT: usize = 2;

/// Formats JSON: a list or an object is on one line if it fits there.
pub(super) fn formatted(json: &Value) -> String {
    let mut out = String::new();
    push(&mut out, json, 0, 0);
    out + "\n"
}

/// Appends a value. `used` counts the characters before it on its line.
fn push(out: &mut String, value: &Value, depth: usize, used: usize) {
    let line = on_one_line(value);
    let children: Vec<(String, &Value)> = match value {
        Value::Object(members) => members.iter().map(|(name, member)| (key(name), member)).collect(),
        Value::Array(elements) => elements.iter().map(|element| (String::new(), element)).collect(),
        _ => Vec::new(),
    };
    // A comma may follow.
    if children.is_empty() || used + line.chars().count() < WIDTH {
        *out += &line;
        return;
    }
    let [open, close] = if value.is_object() { ["{", "}"] } else { ["[", "]"] };
    *out += open;
    for (index, (key, child)) in children.into_iter().enumerate() {
        *out += if index == 0 { "\n" } else { ",\n" };
        let indent = (depth + 1) * INDENT;
        *out += &" ".repeat(indent);
        *out += &key;
        push(out, child, depth + 1, indent + key.chars().count());
    }
    *out += "\n";
    *out += &" ".repeat(depth * INDENT);
    *out += close;
}

fn on_one_line(value: &Value) -> String {
    match value {
        Value::Object(members) if !members.is_empty() => {
            let members = members.iter().map(|(name, member)| key(name) + &on_one_line(member));
            format!("{{ {} }}", members.collect::<Vec<_>>().join(", "))
        }
        Value::Array(elements) => {
            format!("[{}]", elements.iter().map(on_one_line).collect::<Vec<_>>().join(", "))
        }
        _ => value.to_string(),
    }
}

fn key(name: &str) -> String {
    format!("{}: ", Value::from(name))
}
