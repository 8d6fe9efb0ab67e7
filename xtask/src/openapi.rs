//! Generates what the tables of Rust know in the OpenAPI document: the version, the members of the records
//! with their limits, the issue codes, their params, the problem types, and which responses an operation has.
//! The rest of the document is written by hand and stays.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use sales_order_intake::internals::{
    DISCOUNT, DISCOUNT_ENTRY, Field, FieldType, ITEM, MAX_ENTRIES, ORDER, PARAMS, ParamType, Presence,
    SOURCE, Schema, TAX, member_docs,
};
use sales_order_intake::{Issue, IssueCode, Severity};
use service_rules::problem::{Problem, ProblemType};

/// The records and their names in the document.
static RECORDS: [(&str, &Schema); 6] = [
    ("SalesOrderV2V3Put", &ORDER),
    ("SalesOrderV2V3PutOrderSource", &SOURCE),
    ("SalesOrderV2V3PutOrderItem", &ITEM),
    ("SalesOrderV2V3PutOrderDiscount", &DISCOUNT),
    ("InvoiceDiscount", &DISCOUNT_ENTRY),
    ("SalesOrderV2V3PutOrderTax", &TAX),
];

/// Returns `service/rules/src/openapi.json` with everything that the tables know: as it is, or without line breaks, which Biome
/// adds.
pub(crate) fn openapi(existing: &str) -> String {
    let document: Value = serde_json::from_str(existing).expect("service/rules/src/openapi.json is not JSON");
    // As text, because the order of members counts.
    let [old, new] = [document.clone(), generated(document)].map(|document| document.to_string());
    if old == new { existing.to_owned() } else { new }
}

fn generated(mut document: Value) -> Value {
    document["info"]["version"] = json!(env!("CARGO_PKG_VERSION"));
    set_responses(&mut document);
    let schemas = &mut document["components"]["schemas"];
    for (name, record) in RECORDS {
        let schema = &mut schemas[name];
        if schema.is_null() {
            *schema = json!({ "type": "object" });
        }
        set_required(schema, record, Presence::Required);
        let members = record.fields.iter().zip(member_docs(record));
        let properties = members.map(|(field, docs)| (field.name.into(), property(field, docs)));
        schema["properties"] = Value::Object(properties.collect());
    }
    set_required(&mut schemas["CreatedOrder"], &ORDER, Presence::ReadOnly);
    schemas["ProblemIssue"]["properties"]["code"]["enum"] = json!(IssueCode::ALL);
    let params = PARAMS.iter().map(|&(name, param_type, meaning)| (name.into(), param(param_type, meaning)));
    schemas["ProblemParams"]["properties"] = Value::Object(params.collect());
    let urn = |other: &ProblemType| format!("urn:sales-order-intake:problem:{}", other.name());
    schemas["Problem"]["properties"]["type"]["enum"] = of_service().map(urn).collect();
    let issue = Issue::from_service(IssueCode::NotJson, Vec::new(), String::new());
    schemas["Problem"]["required"] = names_in(&body(Problem::path_not_found()));
    schemas["ProblemIssue"]["required"] = names_in(&body(Problem::invalid_order(vec![issue]))["errors"][0]);
    document
}

/// Returns the types of problems that the service has.
fn of_service() -> impl Iterator<Item = &'static ProblemType> {
    ProblemType::ALL.iter().filter(|other| !ProblemType::OF_RELAY.contains(other))
}

/// Returns the body of a response, which has only what every such response has.
fn body(problem: Problem) -> Value {
    serde_json::from_str(problem.response().body()).unwrap()
}

fn names_in(object: &Value) -> Value {
    object.as_object().unwrap().keys().map(String::as_str).collect()
}

/// Gives each operation the responses with an order, and one for each status of a problem, named after the
/// first of its types.
fn set_responses(document: &mut Value) {
    let mut names = BTreeMap::from([("200".to_owned(), "stored"), ("201".to_owned(), "created")]);
    // Only pages depend on the host.
    for problem_type in of_service().filter(|other| **other != ProblemType::WrongHost) {
        names.entry(problem_type.status().as_str().to_owned()).or_insert(problem_type.name());
    }
    let old = document["components"]["responses"].take();
    let described = names.values().map(|&name| {
        let response = old[name].clone();
        assert!(response["description"].is_string(), "describe components/responses/{name} in openapi.json");
        (name.to_owned(), response)
    });
    document["components"]["responses"] = Value::Object(described.collect());
    for operation in document["paths"].as_object_mut().unwrap().values_mut() {
        operation["put"]["responses"] = names
            .iter()
            .map(|(status, name)| {
                (status.clone(), json!({ "$ref": format!("#/components/responses/{name}") }))
            })
            .collect();
    }
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

/// Returns the schema of a member.
fn property(field: &Field, docs: &str) -> Value {
    let mut property = type_of(field);
    if field.is_read_only() {
        property["readOnly"] = json!(true);
    }
    property["description"] = json!(description(docs));
    property
}

fn type_of(field: &Field) -> Value {
    let mut schema = match field.field_type {
        FieldType::Guid => reference("Guid"),
        FieldType::Integer { min, max } => json!({ "type": "integer", "minimum": min, "maximum": max }),
        FieldType::Boolean => json!({ "type": "boolean" }),
        FieldType::String => json!({ "type": "string" }),
        FieldType::Date => json!({ "type": "string", "format": "date-time" }),
        FieldType::Decimal => reference(decimal(field)),
        FieldType::ValueType => json!({ "anyOf": [{ "type": "number" }, { "type": "string" }] }),
        FieldType::Record(record) => reference(name_of(record)),
        FieldType::List(entry) => {
            let mut list = json!({ "type": "array", "items": reference(name_of(entry)) });
            if is_error(field.empty) {
                list["minItems"] = json!(1);
            }
            list["maxItems"] = json!(MAX_ENTRIES);
            list
        }
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

/// Returns the name of the schema with the decimals that are valid for a member.
fn decimal(field: &Field) -> &'static str {
    match (is_error(field.negative), is_error(field.zero)) {
        (true, false) => "Amount",
        (true, true) => "Quantity",
        (false, _) => panic!("{}: no schema allows negative decimals", field.name),
    }
}

fn is_error(code: Option<IssueCode>) -> bool {
    code.is_some_and(|code| code.severity() == Severity::Error)
}

fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

fn name_of(record: &Schema) -> &'static str {
    let named = RECORDS.iter().find(|(_, known)| std::ptr::eq(*known, record));
    named.expect("a record has no name in the document: add it to RECORDS").0
}

/// Returns the documentation of a member without what belongs to Rust, to the pages of decisions, or to
/// `readOnly`.
fn description(docs: &str) -> String {
    let mut text = docs.trim().replace("`None`", "null").replace(" Read-only.", "");
    for start in [" (D", " (§"] {
        while let Some((before, after)) = text.split_once(start) {
            text = [before, after.split_once(')').unwrap().1].concat();
        }
    }
    text
}
