//! Runs the tests of `wasm.rs` in a page of a real browser.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[path = "wasm/platform.rs"]
mod platform;
#[path = "vectors/runner.rs"]
mod runner;
#[path = "wasm/serialization.rs"]
mod serialization;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn every_vector_passes_in_a_browser() {
    for (subject, _) in runner::SUBJECTS {
        assert!(runner::run(subject) > 0, "{subject}");
    }
}
