//! The boundary to JavaScript: the answers of [`crate::json_api`] and [`crate::draft`], all through one export.
//!
//! Only with the feature `wasm`, so that nobody who depends on the crate gets this export and this allocator. No logic,
//! no state, no classes, nothing to free. Text in: it is read once and exactly. Text out: `JSON.parse` makes objects of
//! it faster than calls across the boundary do. One export: each takes a kilobyte to hand its texts over.
#![expect(unreachable_pub, reason = "exported to JavaScript by wasm-bindgen")]

mod memory;

use wasm_bindgen::prelude::wasm_bindgen;

use crate::{draft, json_api};

/// Calls a function by its number in `FUNCTIONS` (`pkg-template/src/instance.ts`); texts that it does not take are empty.
#[wasm_bindgen]
pub fn call(function: u32, first: &str, second: &str, third: &str) -> String {
    match function {
        0 => json_api::validate_order(first, second),
        1 => json_api::build_order(first, second),
        2 => json_api::preview_order(first, second),
        3 => json_api::prepare_request(first, second),
        4 => json_api::read_order(first),
        5 => json_api::read_error(first),
        6 => json_api::new_order_id(),
        7 => json_api::derive_order_id(first, second),
        8 => json_api::parse_guid(first),
        9 => json_api::request_path(first, second),
        10 => draft::draft_line(first, second, third),
        11 => draft::draft_totals(first, second, third),
        12 => json_api::preview_totals(first, second),
        _ => json_api::prepare_order(first, second),
    }
}
