//! The boundary to JavaScript: [`crate::json_api`] and [`crate::incremental`] through one exported function.
//!
//! Only with the feature `wasm`, so that no crate that depends on this one gets the export and the allocator. Contains no
//! logic and no state. Strings go in and out, because `JSON.parse` creates objects faster than calls across the boundary
//! do (`tests/wasm/serialization.rs`). There is only one export, because each adds a kilobyte of code to pass strings.

mod exchange;
mod function;

use self::function::Function;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();

/// Calls a function by its number; returns `None`, which JavaScript sees as the pointer 0, if no function has it.
#[cfg_attr(target_arch = "wasm32", wasm_bindgen::prelude::wasm_bindgen)]
#[expect(unreachable_pub, reason = "exported to JavaScript by wasm-bindgen")]
pub fn call(function: u32, first: &str, second: &str, third: &str) -> Option<String> {
    Function::try_from(function).ok().map(|function| function.call(first, second, third))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_function_number_calls_no_function() {
        assert_eq!(call(12, "{}", "", ""), None);
        assert_eq!(call(u32::MAX, "{}", "", ""), None);
        assert!(call(11, "{}", "", "").is_some());
    }
}
