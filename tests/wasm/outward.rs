//! Two ways out for a preview: objects built across the boundary (serde-wasm-bindgen), or text and `JSON.parse`.
//!
//! The package takes the second. Both must say the same; the times are printed, so that the choice can be checked.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use js_sys::{Date, JSON};
use sales_order_intake::{Preview, PreviewOptions, answer, preview_order};
use serde::Serialize;
use wasm_bindgen::JsValue;
use wasm_bindgen_test::{console_log, wasm_bindgen_test};

const ROUNDS: u32 = 300;

#[wasm_bindgen_test]
fn a_preview_is_the_same_as_object_and_as_text_and_the_times_are_told() {
    let order = order_of(10);
    let options = PreviewOptions::default();
    let preview = preview_order(&order, &options);
    let (object, text) = (as_object(&preview), as_text(&order));
    let print = |value: &JsValue| JSON::stringify(value).expect("text").as_string().expect("Unicode");
    assert_eq!(print(&object), print(&text));

    let built = time(|| drop(as_object(&preview_order(&order, &options))));
    let parsed = time(|| drop(as_text(&order)));
    console_log!(
        "preview of 10 lines: {built:.0} ms as objects, {parsed:.0} ms as text, {ROUNDS} times each"
    );
}

fn as_object(preview: &Preview) -> JsValue {
    preview.serialize(&serde_wasm_bindgen::Serializer::json_compatible()).expect("an object")
}

fn as_text(order: &str) -> JsValue {
    JSON::parse(&json_api::preview_order(order, "")).expect("JSON")
}

#[expect(clippy::float_arithmetic, reason = "milliseconds, no amounts")]
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
