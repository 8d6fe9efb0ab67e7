//! The WebAssembly module of the npm package: the functions that JavaScript calls, and nothing else.
//!
//! Strings go in and out, most of them JSON, because `JSON.parse` creates objects faster than calls of JavaScript do. wasm-bindgen
//! generates what passes them. A function that takes options returns a refusal if these can't be used (`fields`). The module stores
//! the last options, but no order; its memory may still contain one, which is not read again.
//!
//! `core.wasm` has all functions. Pages load two modules with a part each, because most of them send no orders: each part is a feature.

#[cfg(feature = "fates")]
mod fates;
#[cfg_attr(not(feature = "orders"), expect(dead_code, reason = "fates have no decimals and no options"))]
mod fields;
#[cfg(feature = "orders")]
mod orders;

#[cfg(feature = "fates")]
pub use fates::{is_same_order, order_fate, read_error, read_order};
#[cfg(feature = "orders")]
pub use orders::{
    build_order, compare_amounts, derive_order_id, evaluate_order, parse_guid, prepare_request,
    preview_order, read_decimal, request_path, sum_amounts, validate_order,
};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
