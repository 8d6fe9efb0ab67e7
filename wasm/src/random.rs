//! The random source of the module: the host fills memory.
//!
//! getrandom has a backend for browsers too. It passes JavaScript objects, for which the module and the loader need tables
//! of them; without these the default entry is smaller. `scripts/build/compile-core.mjs` chooses this backend for the npm package alone:
//! other programs keep the one of getrandom.
#![expect(unsafe_code, reason = "getrandom names the function that it links")]

use getrandom::Error;
use wasm_bindgen::prelude::wasm_bindgen;

#[wasm_bindgen]
extern "C" {
    /// Fills memory with `crypto.getRandomValues`; returns false if that fails.
    #[wasm_bindgen(js_name = fillRandom)]
    fn fill_random(start: *mut u8, length: usize) -> bool;
}

// SAFETY: getrandom declares it like this, and passes memory that it owns.
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(start: *mut u8, length: usize) -> Result<(), Error> {
    if fill_random(start, length) { Ok(()) } else { Err(Error::UNEXPECTED) }
}
