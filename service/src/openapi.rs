//! Serves the OpenAPI document at `/openapi.json`. Tests compare it with the crate.

use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};

const DOCUMENT: &str = include_str!("openapi.json");

pub(super) async fn document() -> ([(HeaderName, &'static str); 2], &'static str) {
    ([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-cache")], DOCUMENT)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use serde_json::Value;

    use super::DOCUMENT;
    use crate::problem::ProblemType;
    use sales_order_intake::IssueCode;
    use sales_order_intake::internals::{DISCOUNT, DISCOUNT_ENTRY, FieldType, ITEM, ORDER, SOURCE, TAX};

    fn document() -> Value {
        serde_json::from_str(DOCUMENT).unwrap()
    }

    fn strings(list: &Value) -> Vec<&str> {
        list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    #[test]
    fn it_lists_every_issue_code() {
        let document = document();
        let codes = strings(&document["components"]["schemas"]["ProblemIssue"]["properties"]["code"]["enum"]);
        assert_eq!(codes, IssueCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn it_lists_every_problem_type_and_status() {
        let document = document();
        let types = strings(&document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]);
        let urn =
            |problem_type: &ProblemType| format!("urn:sales-order-intake:problem:{}", problem_type.name());
        assert_eq!(types, ProblemType::ALL.iter().map(urn).collect::<Vec<_>>());
        // Only pages depend on the host.
        let of_operations = ProblemType::ALL.iter().filter(|other| **other != ProblemType::WrongHost);
        let mut statuses: BTreeSet<_> =
            of_operations.map(|problem_type| problem_type.status().as_str().to_owned()).collect();
        statuses.extend(["200".to_owned(), "201".to_owned()]);
        for (path, item) in document["paths"].as_object().unwrap() {
            let documented: BTreeSet<_> =
                item["put"]["responses"].as_object().unwrap().keys().cloned().collect();
            assert_eq!(documented, statuses, "{path}");
        }
    }

    #[test]
    fn every_status_of_an_operation_has_a_description_of_its_own() {
        let document = document();
        for (path, item) in document["paths"].as_object().unwrap() {
            let responses = item["put"]["responses"].as_object().unwrap();
            let described: BTreeSet<_> = responses
                .values()
                .map(|response| {
                    let name = response["$ref"].as_str().unwrap().rsplit('/').next().unwrap();
                    document["components"]["responses"][name]["description"].as_str().unwrap()
                })
                .collect();
            assert_eq!(described.len(), responses.len(), "{path}");
        }
    }

    /// Compares names, order, types, nullability, read-only flags and ranges with the table in `src/order/members.rs`.
    #[test]
    fn every_record_is_described_as_the_crate_reads_it() {
        let document = document();
        let schemas = &document["components"]["schemas"];
        let entry = &schemas["SalesOrderV2V3PutOrderDiscount"]["properties"]["InvoiceLevel"]["items"];
        for (described, schema) in [
            (&schemas["SalesOrderV2V3Put"], &ORDER),
            (&schemas["SalesOrderV2V3PutOrderSource"], &SOURCE),
            (&schemas["SalesOrderV2V3PutOrderItem"], &ITEM),
            (&schemas["SalesOrderV2V3PutOrderDiscount"], &DISCOUNT),
            (entry, &DISCOUNT_ENTRY),
            (&schemas["SalesOrderV2V3PutOrderTax"], &TAX),
        ] {
            let properties = described["properties"].as_object().unwrap();
            let names: Vec<_> = properties.keys().map(String::as_str).collect();
            assert_eq!(names, schema.fields.iter().map(|field| field.name).collect::<Vec<_>>());
            for (field, property) in schema.fields.iter().zip(properties.values()) {
                let types = types_of(property, schemas);
                assert_eq!(types.contains("null"), field.nullable, "{}", field.name);
                assert_eq!(property["readOnly"] == true, field.is_read_only(), "{}", field.name);
                let without_null: Vec<_> =
                    types.iter().map(String::as_str).filter(|name| *name != "null").collect();
                let expected: &[_] = match field.field_type {
                    FieldType::Guid | FieldType::String | FieldType::Date => &["string"],
                    FieldType::Integer { .. } => &["integer"],
                    FieldType::Boolean => &["boolean"],
                    FieldType::Decimal | FieldType::ValueType => &["number", "string"],
                    FieldType::Record(_) => &["object"],
                    FieldType::List(_) => &["array"],
                };
                assert_eq!(without_null, expected, "{}", field.name);
                if let FieldType::Integer { min, max } = field.field_type {
                    let property = referenced(property, schemas);
                    assert_eq!((&property["minimum"], &property["maximum"]), (&min.into(), &max.into()));
                }
            }
        }
    }

    fn referenced<'d>(property: &'d Value, schemas: &'d Value) -> &'d Value {
        let name = property["$ref"].as_str().and_then(|path| path.rsplit('/').next());
        name.map_or(property, |name| &schemas[name])
    }

    /// Returns the JSON types that a schema allows.
    fn types_of(property: &Value, schemas: &Value) -> BTreeSet<String> {
        let property = referenced(property, schemas);
        let mut types: BTreeSet<_> = strings(&property["type"]).into_iter().map(str::to_owned).collect();
        types.extend(property["type"].as_str().map(str::to_owned));
        for option in property["anyOf"].as_array().into_iter().flatten() {
            types.extend(types_of(option, schemas));
        }
        types
    }
}
