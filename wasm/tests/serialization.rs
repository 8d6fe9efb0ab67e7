//! Compares two ways to pass a preview to JavaScript: as objects (serde-wasm-bindgen), or as JSON for `JSON.parse`.
//!
//! The package uses JSON. Both must give equal values; the times are printed so that the choice can be checked.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use js_sys::{Date, JSON};
use sales_order_intake::{AmountOptions, Preview, RuleOptions, preview_order};
use sales_order_intake_wasm as module;
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

const ROUNDS: u32 = 300;

#[wasm_bindgen_test]
fn a_preview_is_equal_as_objects_and_as_json() {
    let order = order_of(10);
    let (rules, amounts) = (RuleOptions::default(), AmountOptions::default());
    let preview = preview_order(&order, &rules, &amounts);
    let (objects, parsed) = (as_objects(&preview), from_json(&order));
    let stringified = |value: &JsValue| JSON::stringify(value).expect("JSON").as_string().expect("Unicode");
    assert_eq!(stringified(&objects), stringified(&parsed));

    let objects_ms = time(|| drop(as_objects(&preview_order(&order, &rules, &amounts))));
    let json_ms = time(|| drop(from_json(&order)));
    console_log!(
        "preview of 10 lines: {objects_ms:.0} ms as objects, {json_ms:.0} ms as JSON, {ROUNDS} times each"
    );
}

fn as_objects(preview: &Preview) -> JsValue {
    preview.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).expect("serializable")
}

fn from_json(order: &str) -> JsValue {
    JSON::parse(&module::preview_order(order, "")).expect("valid JSON")
}

#[expect(clippy::float_arithmetic, reason = "milliseconds, not amounts")]
fn time(work: impl Fn()) -> f64 {
    let start = Date::now();
    (0..ROUNDS).for_each(|_| work());
    Date::now() - start
}

fn order_of(lines: usize) -> String {
    let item = r#"{"Name":"Tea","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":2,"SellAtPricePerUnit":8.5}"#;
    format!(
        r#"{{"Items":[{}],"Taxes":[{{"TaxId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","TaxAmount":2}}]}}"#,
        vec![item; lines].join(",")
    )
}
