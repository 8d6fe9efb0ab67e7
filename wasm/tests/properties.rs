//! Properties that must hold for every input: building is idempotent, the output is JSON, nothing panics.
#![cfg(not(target_arch = "wasm32"))]
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test fails by panicking")]

use proptest::prelude::*;
use sales_order_intake::{AmountOptions, Purpose, RuleOptions, preview_order};
use sales_order_intake_wasm as module;
use serde_json::{Value, json};

#[expect(dead_code, reason = "the vectors need more of it")]
mod fields;
#[path = "../../tests/properties/priced_orders.rs"]
mod priced_orders;

use fields::Fields;
use priced_orders::priced_order;

proptest! {
    #[test]
    fn the_rust_preview_and_the_json_preview_are_equal(order in priced_order(1_000_000, 1_000_000)) {
        for explain in [false, true] {
            let preview = preview_order(&order.to_string(), &RuleOptions::default(), &AmountOptions::default().with_explain(explain));
            let options = json!({ "explain": explain }).to_string();
            let response = module::preview_order(&order.to_string(), &options);
            prop_assert_eq!(serde_json::to_string(&preview).unwrap(), Fields { rest: &response }.preview().unwrap().to_string());
        }
    }

    #[test]
    fn building_a_built_order_changes_nothing(order in mutated_order()) {
        let first = module::build_order(&order, "");
        if let Some(built) = payload(&first) {
            let again = module::build_order(built, "");
            prop_assert_eq!(payload(&again), Some(built));
            // A built order is valid.
            let valid = module::validate_order(built, "");
            prop_assert_eq!(payload(&valid), Some(built));
            // The body is the same order, with decimals as numbers instead of strings.
            let prepared = sales_order_intake::parse(built).check(Purpose::Send, &RuleOptions::default()).to_json();
            let body = prepared.as_deref().unwrap_or_default();
            let from_body = module::build_order(body, "");
            prop_assert_eq!(payload(&from_body), Some(built));
        }
    }

    #[test]
    fn no_string_causes_a_panic(input in any::<String>()) {
        call_everything(&input);
    }

    #[test]
    fn no_json_causes_a_panic(value in any_json()) {
        call_everything(&value.to_string());
    }

    #[test]
    fn no_mutated_order_causes_a_panic(order in mutated_order()) {
        call_everything(&order);
    }
}

/// Calls every function with every option that changes the calculation; checks that JSON is JSON.
fn call_everything(input: &str) {
    let estimate = r#"{"taxRates":[{"id":"a","rate":0.05},{"id":"b","rate":"0.0775","layer":1},{"id":"c","type":"FlatRate","rate":1}],"discountValueTypes":{"amount":1,"percent":2},"explain":true,"roundTaxPer":"tax"}"#;
    for options in ["", r#"{"version":"v2","records":"passthrough","allowEmptyTaxes":true}"#, estimate, input]
    {
        let _ = module::validate_order(input, options);
        let _ = module::build_order(input, options);
        let _ = module::prepare_request(input, options);
        let _ = module::evaluate_order(input, options);
        let response = module::preview_order(input, options);
        assert!(response.starts_with('!') || Fields { rest: &response }.preview().is_ok(), "{response}");
    }
    let _ = module::read_order(input);
    let _ = module::read_error(input);
    let _ = module::parse_guid(input);
    let _ = module::derive_order_id(input, input);
    let _ = module::request_path("v3", input);
}

/// Returns the order of a response.
fn payload(output: &str) -> Option<&str> {
    let mut fields = Fields { rest: output };
    fields.json().unwrap();
    Some(fields.rest).filter(|order| !order.is_empty())
}

fn full_order() -> String {
    let bases: Value = serde_json::from_str(include_str!("../../tests/vectors/bases.json")).unwrap();
    bases["full"].to_string()
}

/// Generates the JSON of a valid order with parts of it replaced.
fn mutated_order() -> impl Strategy<Value = String> {
    let replacement = prop_oneof![
        Just(String::new()),
        "[0-9.eE+-]{1,30}",
        "[\\PC]{0,8}",
        proptest::sample::select(vec![
            "null",
            "{",
            "}",
            "[",
            "]",
            "\"",
            "\\ud800",
            "\\",
            ",",
            ":",
            "1e400",
            "-0",
            "{\"\\u0000\":\"not_finite\"}",
            "\"Lines\":1,",
            "\"Id\":null,",
            "true",
            "00000000-0000-0000-0000-000000000000",
            "\u{1F600}",
        ])
        .prop_map(str::to_owned),
    ];
    let change = (any::<proptest::sample::Index>(), 0_usize..12, replacement);
    proptest::collection::vec(change, 0..4).prop_map(|changes| {
        let mut json = full_order();
        for (at, length, replacement) in changes {
            let starts: Vec<_> = json.char_indices().map(|(start, _)| start).collect();
            let Some(start) = (!starts.is_empty()).then(|| *at.get(&starts)) else { continue };
            let end = starts.iter().copied().find(|end| *end >= start + length).unwrap_or(json.len());
            json.replace_range(start..end, &replacement);
        }
        json
    })
}

/// Generates arbitrary JSON in which some members have names of an order.
fn any_json() -> impl Strategy<Value = Value> {
    let name = prop_oneof![
        proptest::sample::select(vec![
            "Id",
            "CompanyId",
            "Items",
            "Discount",
            "InvoiceLevel",
            "Taxes",
            "TaxAmount",
            "Quantity",
            "Value",
            "ValueType",
            "SellAtPricePerUnit",
            "OrderSource",
            "DateCreatedUtc",
            "Name",
            "id",
            "items",
        ])
        .prop_map(str::to_owned),
        any::<String>(),
    ];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        "[0-9]{1,40}(\\.[0-9]{1,40})?".prop_map(Value::from),
        "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]{0,18})?(Z|[+-][0-9]{2}:[0-9]{2})?"
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 64, 8, move |inner| {
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            proptest::collection::vec((name.clone(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}
