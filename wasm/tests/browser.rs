//! Runs the tests of `node.rs` in a page of a real browser.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

mod platform;
mod runner;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn every_vector_passes_in_a_browser() {
    for (subject, _) in runner::SUBJECTS {
        assert!(runner::run(subject) > 0, "{subject}");
    }
}
