//! The OpenAPI document, served at `/openapi.json`; tests keep it true to the crate.

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
    use crate::code::IssueCode;
    use crate::service::problem::Kind;
    use crate::shape::{self, Shape};

    fn document() -> Value {
        serde_json::from_str(DOCUMENT).unwrap()
    }

    fn texts(list: &Value) -> Vec<&str> {
        list.as_array().into_iter().flatten().filter_map(Value::as_str).collect()
    }

    #[test]
    fn every_code_of_the_core_stands_in_it() {
        let document = document();
        let codes = texts(&document["components"]["schemas"]["ProblemIssue"]["properties"]["code"]["enum"]);
        assert_eq!(codes, IssueCode::ALL.iter().map(|code| code.as_str()).collect::<Vec<_>>());
    }

    #[test]
    fn every_kind_of_problem_and_its_status_stands_in_it() {
        let document = document();
        let types = texts(&document["components"]["schemas"]["Problem"]["properties"]["type"]["enum"]);
        let name = |kind: &Kind| format!("urn:sales-order-intake:problem:{}", kind.name());
        assert_eq!(types, Kind::ALL.iter().map(name).collect::<Vec<_>>());
        let mut statuses: BTreeSet<_> =
            Kind::ALL.iter().map(|kind| kind.status().as_str().to_owned()).collect();
        statuses.extend(["200".to_owned(), "201".to_owned()]);
        for (path, item) in document["paths"].as_object().unwrap() {
            let answers: BTreeSet<_> =
                item["put"]["responses"].as_object().unwrap().keys().cloned().collect();
            assert_eq!(answers, statuses, "{path}");
        }
    }

    #[test]
    fn every_record_has_the_members_that_the_crate_reads() {
        let document = document();
        let schemas = &document["components"]["schemas"];
        let entry =
            &schemas["SalesOrderV2V3PutOrderDiscount"]["properties"]["InvoiceLevel"]["items"]["properties"];
        for (properties, names) in [
            (&schemas["SalesOrderV2V3Put"]["properties"], &shape::ORDER),
            (&schemas["SalesOrderV2V3PutOrderSource"]["properties"], &shape::SOURCE),
            (&schemas["SalesOrderV2V3PutOrderItem"]["properties"], &shape::ITEM),
            (&schemas["SalesOrderV2V3PutOrderDiscount"]["properties"], &shape::DISCOUNT),
            (entry, &shape::DISCOUNT_ENTRY),
            (&schemas["SalesOrderV2V3PutOrderTax"]["properties"], &shape::TAX),
        ] {
            let members: Vec<_> = properties.as_object().unwrap().keys().map(String::as_str).collect();
            let shape: &Shape = names;
            let read: Vec<_> = shape.members.iter().map(|member| member.name).collect();
            assert_eq!(members, read);
        }
    }
}
