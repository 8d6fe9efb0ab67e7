//! The WebAssembly module of the npm package: the functions that JavaScript calls, and nothing else.
//!
//! Strings go in and out, most of them JSON, because `JSON.parse` creates objects faster than calls of JavaScript do
//! (`tests/serialization.rs`). wasm-bindgen generates what passes them. A function that takes options returns a refusal if these can't
//! be used (`fields`). The module stores the last options, but no order; its memory may still contain one, which is not read again.

mod amounts;
mod evaluation;
mod fate;
mod fields;
mod ids;
mod options;
mod order;
mod request;
mod response;

pub use amounts::{compare_amounts, read_decimal, sum_amounts};
pub use evaluation::{evaluate_order, preview_order};
pub use fate::order_fate;
pub use ids::{derive_order_id, parse_guid};
pub use order::{build_order, validate_order};
pub use request::{is_same_order, prepare_request, request_path};
pub use response::{read_error, read_order};

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: talc::wasm::WasmDynamicTalc = talc::wasm::new_wasm_dynamic_allocator();
