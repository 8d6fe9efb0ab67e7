//! Runs the shared vectors as WebAssembly in Node, and tests the platform's random source.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

mod platform;
mod runner;

#[wasm_bindgen_test]
fn every_vector_passes_as_webassembly() {
    for (subject, _) in runner::SUBJECTS {
        assert!(runner::run(subject) > 0, "{subject}");
    }
}
