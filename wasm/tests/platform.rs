//! Tests the secure random source of the platform.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use std::collections::HashSet;

use sales_order_intake::Guid;
use wasm_bindgen_test::wasm_bindgen_test;

#[wasm_bindgen_test]
fn new_ids_are_random_and_of_version_4() {
    let ids: HashSet<_> = (0..1_000).map(|_| Guid::new_random().expect("a random source")).collect();
    assert_eq!(ids.len(), 1_000);
    assert!(ids.iter().all(|id| id.as_uuid().get_version_num() == 4));
}
