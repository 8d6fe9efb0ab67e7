//! The WebAssembly module of the npm package: what crosses to JavaScript, and nothing else.
//!
//! JavaScript calls [`json_api`], [`evaluation`], [`amounts`] and [`fate`] by number through [`call`]. Strings go in and out, because `JSON.parse`
//! creates objects faster than calls across the boundary do (`tests/serialization.rs`), and one export serves all of them,
//! because each adds a kilobyte of code to pass strings. Nothing of an order stays between calls, only the last options.

pub mod amounts;
pub mod boundary;
pub mod evaluation;
pub mod fate;
mod function;
pub mod json_api;
mod options;

use self::function::Function;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Calls a function by its number; returns `None`, which JavaScript sees as the pointer 0, if no function has it.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen::prelude::wasm_bindgen)]
#[must_use]
pub fn call(function: u32, first: &str, second: &str, third: &str, marks: u32) -> Option<String> {
    Function::try_from(function).ok().map(|function| function.call(first, second, third, marks))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_function_number_calls_no_function() {
        assert_eq!(call(18, "{}", "", "", 0), None);
        assert_eq!(call(u32::MAX, "{}", "", "", 0), None);
        assert!(call(17, "{}", "", "", 0).is_some());
    }
}
