//! Generates what the tables of Rust know in the OpenAPI document: the members of the records, the issue codes, their
//! params and the problem types. The rest of the document is written by hand and stays. `make generate` writes the file.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Map, Value, json};

use super::DOCUMENT;
use crate::problem::ProblemType;
use sales_order_intake::IssueCode;
use sales_order_intake::internals::{
    DISCOUNT, DISCOUNT_ENTRY, Field, FieldType, ITEM, ORDER, PARAMS, ParamType, Presence, SOURCE, Schema,
    TAX, member_docs,
};

mod layout;

/// The records and their names in the document.
static RECORDS: [(&str, &Schema); 6] = [
    ("SalesOrderV2V3Put", &ORDER),
    ("SalesOrderV2V3PutOrderSource", &SOURCE),
    ("SalesOrderV2V3PutOrderItem", &ITEM),
    ("SalesOrderV2V3PutOrderDiscount", &DISCOUNT),
    ("InvoiceDiscount", &DISCOUNT_ENTRY),
    ("SalesOrderV2V3PutOrderTax", &TAX),
];

/// The schemas of decimals. The table does not know which values are valid, so a person chooses; the first is the default.
const DECIMALS: [&str; 2] = ["Amount", "Quantity"];

fn document() -> Value {
    serde_json::from_str(DOCUMENT).unwrap()
}

/// Returns the document with everything that the tables know.
fn generated(mut document: Value) -> Value {
    let schemas = &mut document["components"]["schemas"];
    for (name, record) in RECORDS {
        let schema = &mut schemas[name];
        if schema.is_null() {
            *schema = json!({ "type": "object" });
        }
        set_required(schema, record, Presence::Required);
        let old = schema["properties"].take();
        let members = record.fields.iter().zip(member_docs(record));
        let properties =
            members.map(|(field, docs)| (field.name.into(), property(field, docs, &old[field.name])));
        schema["properties"] = Value::Object(properties.collect());
    }
    set_required(&mut schemas["CreatedOrder"], &ORDER, Presence::ReadOnly);
    schemas["ProblemIssue"]["properties"]["code"]["enum"] = json!(IssueCode::ALL);
    let params = PARAMS.iter().map(|&(name, param_type, meaning)| (name.into(), param(param_type, meaning)));
    schemas["ProblemParams"]["properties"] = Value::Object(params.collect());
    let urn = |other: &ProblemType| format!("urn:sales-order-intake:problem:{}", other.name());
    schemas["Problem"]["properties"]["type"]["enum"] = ProblemType::ALL.iter().map(urn).collect();
    document
}

/// Returns the schema of a value in the message of an issue.
fn param(param_type: ParamType, meaning: &str) -> Value {
    let description = meaning.trim();
    match param_type {
        ParamType::Number => json!({ "type": "integer", "minimum": 0, "description": description }),
        ParamType::Text => json!({ "type": "string", "description": description }),
    }
}

/// Requires the members with this presence.
fn set_required(schema: &mut Value, record: &Schema, presence: Presence) {
    let names: Vec<_> =
        record.fields.iter().filter(|field| field.presence == presence).map(|field| field.name).collect();
    if names.is_empty() {
        schema.as_object_mut().unwrap().shift_remove("required");
    } else {
        schema["required"] = json!(names);
    }
}

/// Returns the schema of a member. Of the old one, it keeps the keywords that no table knows, such as `maxItems`.
fn property(field: &Field, docs: &str, old: &Value) -> Value {
    const GENERATED: [&str; 8] =
        ["$ref", "anyOf", "description", "items", "maximum", "minimum", "readOnly", "type"];
    let mut property = type_of(field, old);
    for (keyword, value) in old.as_object().into_iter().flatten() {
        if !GENERATED.contains(&keyword.as_str()) {
            property[keyword] = value.clone();
        }
    }
    if field.is_read_only() {
        property["readOnly"] = json!(true);
    }
    property["description"] = json!(description(docs));
    property
}

fn type_of(field: &Field, old: &Value) -> Value {
    let mut schema = match field.field_type {
        FieldType::Guid => reference("Guid"),
        FieldType::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        FieldType::Boolean => json!({ "type": "boolean" }),
        FieldType::String => json!({ "type": "string" }),
        FieldType::Date => json!({ "type": "string", "format": "date-time" }),
        FieldType::Decimal => {
            let chosen = [&old["$ref"], &old["anyOf"][0]["$ref"]];
            let is_chosen = |name: &&str| chosen.contains(&&reference(name)["$ref"]);
            reference(DECIMALS.into_iter().find(is_chosen).unwrap_or(DECIMALS[0]))
        }
        FieldType::ValueType => json!({ "anyOf": [{ "type": "number" }, { "type": "string" }] }),
        FieldType::Record(record) => reference(name_of(record)),
        FieldType::List(entry) => json!({ "type": "array", "items": reference(name_of(entry)) }),
    };
    if !field.nullable {
        return schema;
    }
    if let Some(name) = schema.get_mut("type") {
        *name = json!([name, "null"]);
    } else if let Some(options) = schema.get_mut("anyOf").and_then(Value::as_array_mut) {
        options.push(json!({ "type": "null" }));
    } else {
        schema = json!({ "anyOf": [schema, { "type": "null" }] });
    }
    schema
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn name_of(record: &Schema) -> &'static str {
    let named = RECORDS.iter().find(|(_, known)| std::ptr::eq(*known, record));
    named.expect("a record has no name in the document: add it to RECORDS").0
}

/// Returns the documentation of a member without what belongs to Rust, to the pages of decisions, or to `readOnly`.
fn description(docs: &str) -> String {
    let mut text = docs.trim().replace("`None`", "null").replace(" Read-only.", "");
    for start in [" (D", " (§"] {
        while let Some((before, after)) = text.split_once(start) {
            text = [before, after.split_once(')').unwrap().1].concat();
        }
    }
    text
}

#[test]
fn what_the_tables_know_is_generated() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/openapi.json");
    let existing = std::fs::read_to_string(&path).unwrap();
    let expected = layout::formatted(&generated(serde_json::from_str(&existing).unwrap()));
    if std::env::var_os("GENERATE").is_some() {
        std::fs::write(&path, &expected).unwrap();
    } else {
        assert!(existing == expected, "service/src/openapi.json is out of date: run `make generate`");
    }
}

#[test]
fn the_keywords_that_no_table_knows_are_preserved() {
    let old = json!({ "type": "string", "maxItems": 3, "description": "Old.", "minimum": 1 });
    let items = ORDER.fields.iter().find(|field| field.name == "Items").unwrap();
    assert_eq!(
        property(items, " New (D1).", &old),
        json!({
            "type": "array",
            "items": { "$ref": "#/components/schemas/SalesOrderV2V3PutOrderItem" },
            "maxItems": 3,
            "description": "New."
        })
    );
}

#[test]
fn every_operation_lists_every_status() {
    let document = document();
    // Only pages depend on the host.
    let of_operations = ProblemType::ALL.iter().filter(|other| **other != ProblemType::WrongHost);
    let mut statuses: BTreeSet<_> =
        of_operations.map(|problem_type| problem_type.status().as_str().to_owned()).collect();
    statuses.extend(["200".to_owned(), "201".to_owned()]);
    for (path, item) in document["paths"].as_object().unwrap() {
        let documented: BTreeSet<_> = responses(item).keys().cloned().collect();
        assert_eq!(
            documented, statuses,
            "{path}: the descriptions in service/src/openapi.json are written by hand"
        );
    }
}

#[test]
fn every_status_of_an_operation_has_a_description_of_its_own() {
    let document = document();
    for (path, item) in document["paths"].as_object().unwrap() {
        let described: BTreeSet<_> = responses(item)
            .values()
            .map(|response| {
                let name = response["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                document["components"]["responses"][name]["description"].as_str().unwrap()
            })
            .collect();
        assert_eq!(described.len(), responses(item).len(), "{path}");
    }
}

fn responses(path: &Value) -> &Map<String, Value> {
    path["put"]["responses"].as_object().unwrap()
}
