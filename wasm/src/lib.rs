//! The WebAssembly module of the npm package: what crosses to JavaScript, and nothing else.
//!
//! JavaScript calls [`json_api`], [`evaluation`], [`amounts`] and [`fate`] by number (`boundary`). Texts go in and out, because
//! `JSON.parse` creates objects faster than calls across the boundary do (`tests/serialization.rs`), and one export serves all of
//! them. Between calls, the module has the last options but no order; its memory may still contain one, which is not read again.

pub mod amounts;
#[cfg(target_arch = "wasm32")]
pub mod boundary;
pub mod evaluation;
pub mod fate;
mod fields;
mod function;
pub mod json_api;
mod options;

use self::function::Function;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Calls a function by its number; returns `None` if no function has it.
#[must_use]
pub fn call(function: u32, first: &str, second: &str, options: Option<&str>) -> Option<String> {
    Function::try_from(function).ok().map(|function| function.call(first, second, options))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_function_number_calls_no_function() {
        assert_eq!(call(16, "{}", "", None), None);
        assert_eq!(call(u32::MAX, "{}", "", None), None);
        assert!(call(15, "{}", "", None).is_some());
    }
}
