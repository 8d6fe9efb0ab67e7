//! Generates the functions of the npm package that write the records of an order as JSON. They are unrolled: a loop over a
//! list of members takes half as long again.

use std::fmt::Write as _;

use crate::order::{DISCOUNT, DISCOUNT_ENTRY, ITEM, ORDER, SENT, TAX};

use super::super::{Field, FieldType, Presence, Schema};
use super::names_by_type;
use crate::generated::TYPESCRIPT_HEADER;

/// The functions and types of `members.ts` that the writers use.
const IMPORTS: [&str; 16] = [
    "addRaw",
    "bare",
    "closed",
    "decimal",
    "isNumber",
    "isRaw",
    "list",
    "type Members",
    "member",
    "type OrderWriting",
    "type Others",
    "record",
    "string",
    "text",
    "tooDeep",
    "unreadable",
];

/// The formatter breaks longer lines.
const WIDTH: usize = 120;

/// Longer strings are more likely to have quotes and line breaks.
const MAX_SHORT: usize = 100;

pub(super) fn record_writers() -> String {
    let mut out = format!("{TYPESCRIPT_HEADER}import {{\n");
    for name in IMPORTS {
        let _ = writeln!(out, "  {name},");
    }
    out += "} from './members.js';\nimport { NOT_JSON } from './resolve.js';\n";
    out += &names_by_type("DECIMALS", "decimals", |of| matches!(of, FieldType::Decimal));
    for schema in SENT {
        out += &writer_of(schema);
    }
    out
}

fn name_of(schema: &Schema) -> Option<&'static str> {
    let names = [
        (&ORDER, "orderJson"),
        (&ITEM, "itemJson"),
        (&TAX, "taxJson"),
        (&DISCOUNT, "discountJson"),
        (&DISCOUNT_ENTRY, "discountEntryJson"),
    ];
    names.into_iter().find(|(known, _)| std::ptr::eq(*known, schema)).map(|(_, name)| name)
}

fn writer_of(schema: &Schema) -> String {
    let (start, others) = schema.fields.split_at(usual_start(schema));
    let mut out = format!(
        "\nexport function {}(writing: OrderWriting, members: Members, object: object, end: string): string {{\n",
        name_of(schema).unwrap()
    );
    out += &reading(schema);
    out += "  let json = '{';\n";
    if !start.is_empty() {
        out += &writing_start(start, others);
    }
    out += "  const instead = tooDeep(writing, object, end);\n  if (instead !== undefined) return instead;\n";
    if !start.is_empty() {
        out += "  if (json.length === 1) {\n";
        for field in start {
            out += &writing("    ", field);
        }
        out += "  }\n";
    }
    for field in others {
        out += &writing("  ", field);
    }
    out + "  return closed(writing, json, others, end);\n}\n"
}

/// Returns the statements that read each member once.
fn reading(schema: &Schema) -> String {
    let mut out = String::new();
    for field in schema.fields {
        let _ = writeln!(out, "  let {}: unknown;", field.name);
    }
    out += "  let others: Others;
  try {
    for (const name in members) {
      let value: unknown;
      try {
        value = members[name];
      } catch {
        value = NOT_JSON;
      }
      switch (name) {
";
    for field in schema.fields {
        let _ = writeln!(out, "        case '{0}':\n          {0} = value;\n          break;", field.name);
    }
    out + "        default:
          others ??= [];
          others.push(name, value);
      }
    }
  } catch {
    return unreadable(writing, end);
  }
"
}

/// Returns the number of members at the start that are mostly there, up to the last of the first required ones; 0 if there is
/// nothing to gain.
fn usual_start(schema: &Schema) -> usize {
    let is_required = |field: &&Field| field.presence == Presence::Required;
    let first = schema.fields.iter().position(is_required).unwrap_or(schema.fields.len());
    let is_simple = |field: &&Field| {
        matches!(
            field.field_type,
            FieldType::Guid | FieldType::String | FieldType::Decimal | FieldType::Integer { .. }
        )
    };
    let required =
        schema.fields[first..].iter().take_while(|field| is_required(field) && is_simple(field)).count();
    let count = first + required;
    if required > 0 && count > 1 && schema.fields[..count].iter().all(is_simple) { count } else { 0 }
}

/// Returns the statements that write these members at once if all are there and as usual.
fn writing_start(start: &[&Field], others: &[&Field]) -> String {
    let (mut decimals, mut places, mut pieces) = (String::new(), String::new(), Vec::new());
    let mut conditions = Vec::new();
    let (mut at, mut quote, mut marks) = ("writing.at".to_owned(), "", 0);
    for (index, field) in start.iter().enumerate() {
        let name = field.name;
        let separator = if index == 0 { '{' } else { ',' };
        let key = format!("{quote}{separator}\"{name}\":");
        (quote, marks) = ("", marks + 2);
        match field.field_type {
            FieldType::Decimal => {
                let value = format!("bare{name}");
                let _ = writeln!(decimals, "  const {value} = bare({name});");
                conditions.push(format!("{value} !== undefined"));
                pieces.push(format!("{key}${{{value}}}"));
            }
            FieldType::Integer { .. } => {
                conditions.push(format!("isNumber({name})"));
                pieces.push(format!("{key}${{{name}}}"));
            }
            _ => {
                (quote, marks) = ("\"", marks + 2);
                // All strings come first, so that the positions are known.
                assert_eq!(places.lines().count(), 2 * index, "{name} is after a member of another type");
                let _ = writeln!(places, "    const at{name} = {at} + {};", key.len() + 1);
                let _ = writeln!(places, "    addRaw(writing, at{name}, {name}.length);");
                at = format!("at{name} + {name}.length");
                conditions.push(format!("isRaw(writing, {name})"));
                pieces.push(format!("{key}\"${{{name}}}"));
            }
        }
    }
    let mut out = decimals + &condition("  ", &conditions, " {") + " {\n" + &places;
    let _ = writeln!(out, "    writing.marks += {marks};");
    // From the end: a string of few levels is made and flattened faster than a chain.
    let mut rest = quote.to_owned();
    for (index, piece) in pieces.iter().enumerate().skip(1).rev() {
        let _ = writeln!(out, "    const from{} = `{piece}{rest}`;", start[index].name);
        rest = format!("${{from{}}}", start[index].name);
    }
    let _ = writeln!(out, "    json = `{}{rest}`;", pieces[0]);
    // A longer record is hardly ever complete.
    if others.len() <= start.len() {
        let names = others.iter().map(|field| field.name).chain(["others"]);
        let absent: Vec<_> = names.map(|name| format!("{name} === undefined")).collect();
        out += &statement_if("    ", &absent, "return json + end;");
    }
    out + "  }\n"
}

/// Returns the start of an `if` as the formatter writes it before `next`.
fn condition(indent: &str, conditions: &[String], next: &str) -> String {
    let line = format!("{indent}if ({})", conditions.join(" && "));
    if line.len() + next.len() <= WIDTH {
        return line;
    }
    let separator = format!(" &&\n{indent}  ");
    format!("{indent}if (\n{indent}  {}\n{indent})", conditions.join(&separator))
}

/// Returns an `if` with one statement as the formatter writes it.
fn statement_if(indent: &str, conditions: &[String], statement: &str) -> String {
    let start = condition(indent, conditions, "");
    if !start.contains('\n') && start.len() + 1 + statement.len() <= WIDTH {
        return format!("{start} {statement}\n");
    }
    format!("{start}\n{indent}  {statement}\n")
}

/// Returns true for the records of an order that can be passed through unread.
fn is_passed_through(schema: &Schema) -> bool {
    std::ptr::eq(schema, &DISCOUNT) || std::ptr::eq(schema, &TAX)
}

/// Returns the statement that writes a member.
fn writing(indent: &str, field: &Field) -> String {
    let name = field.name;
    let is_long = field.max_chars.is_some_and(|count| count > MAX_SHORT);
    let (function, first_quote, writer) = match field.field_type {
        FieldType::Guid | FieldType::Date | FieldType::ValueType => ("string", "\"", None),
        FieldType::String if is_long => ("text", "\"", None),
        FieldType::String => ("string", "\"", None),
        FieldType::Decimal => ("decimal", "", None),
        FieldType::Integer { .. } | FieldType::Boolean => ("member", "", None),
        // One that a caller can't send is written as any value.
        FieldType::Record(schema) => match name_of(schema) {
            Some(writer) => ("record", "", Some(writer)),
            None => ("member", "", None),
        },
        FieldType::List(schema) => ("list", "", name_of(schema)),
    };
    let writer = writer.map(|writer| format!(", {writer}")).unwrap_or_default();
    let is_present = format!("{name} !== undefined");
    let key = format!("',\"{name}\":{first_quote}'");
    let added = format!("{function}(writing, json, {key}, {name}{writer})");
    let statement = match field.field_type {
        // Sent as the caller wrote it, if such records are passed through unread (D10, D13).
        FieldType::Record(schema) | FieldType::List(schema) if is_passed_through(schema) => {
            let start = format!("{indent}if ({is_present})\n{indent}  json = writing.passesThrough");
            let then = format!("{indent}    ");
            return format!("{start}\n{then}? member(writing, json, {key}, {name})\n{then}: {added};\n");
        }
        _ => format!("json = {added};"),
    };
    statement_if(indent, &[is_present], &statement)
}

/// Biome formats these lines the same way.
#[test]
fn an_if_that_is_too_long_is_broken_as_the_formatter_breaks_it() {
    let of = |count, letters| statement_if("    ", &vec!["x".repeat(letters); count], "return json + end;");
    let (short, long) = ("x".repeat(92), "x".repeat(93));
    assert_eq!(of(1, 92), format!("    if ({short}) return json + end;\n"));
    assert_eq!(of(1, 93), format!("    if ({long})\n      return json + end;\n"));
    let long = "x".repeat(60);
    assert_eq!(
        of(2, 60),
        format!("    if (\n      {long} &&\n      {long}\n    )\n      return json + end;\n")
    );
}
