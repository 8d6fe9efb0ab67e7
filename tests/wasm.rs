//! The shared vectors and the platform's random source as WebAssembly, on Node.
#![cfg(target_arch = "wasm32")]

use wasm_bindgen_test::wasm_bindgen_test;

#[path = "wasm/outward.rs"]
mod outward;
#[path = "wasm/platform.rs"]
mod platform;
#[path = "vectors/runner.rs"]
mod runner;

#[wasm_bindgen_test]
fn every_vector_holds_as_webassembly() {
    for (subject, _) in runner::SUBJECTS {
        assert!(runner::run(subject) > 0, "{subject}");
    }
}
