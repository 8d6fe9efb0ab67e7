//! The same as `wasm.rs` in a real browser, in a page.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};

#[path = "wasm/outward.rs"]
mod outward;
#[path = "wasm/platform.rs"]
mod platform;
#[path = "vectors/runner.rs"]
mod runner;

wasm_bindgen_test_configure!(run_in_browser);

#[wasm_bindgen_test]
fn every_vector_holds_in_a_browser() {
    for (subject, _) in runner::SUBJECTS {
        assert!(runner::run(subject) > 0, "{subject}");
    }
}
