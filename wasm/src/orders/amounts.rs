//! Computes with amounts, and reads those that people write (D55, D58). A response is JSON.

use std::cmp::Ordering;

use sales_order_intake::DecimalSum;
use sales_order_intake::internals::{self, read_amounts, read_notation};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::fields::{invalid_option, json};

/// Returns `-1`, `0` or `1` if the first of two amounts is less than the second, equal or greater.
///
/// ```
/// use sales_order_intake_wasm::compare_amounts;
///
/// assert_eq!(compare_amounts(r#"["9.00", 100]"#), "-1");
/// assert!(compare_amounts(r#"[1, null]"#).contains("amount /1 must be a number"));
/// ```
#[must_use]
#[wasm_bindgen(js_name = compareAmounts)]
pub fn compare_amounts(amounts: &str) -> String {
    let mut difference = DecimalSum::default();
    let mut is_first = true;
    let result = read_amounts(amounts, false, &mut |amount| {
        let Some(amount) = amount else { return };
        difference.add(if is_first { amount } else { -amount });
        is_first = false;
    });
    match result {
        Ok(()) => match difference.cmp(&DecimalSum::default()) {
            Ordering::Less => "-1",
            Ordering::Equal => "0",
            Ordering::Greater => "1",
        }
        .to_owned(),
        Err(error) => invalid_option(&error),
    }
}

/// Returns the sum of amounts as a JSON string; `null` if one of them is.
///
/// ```
/// use sales_order_intake_wasm::sum_amounts;
///
/// assert_eq!(sum_amounts(r#"["39.98", 2.5, "-0.001"]"#), r#""42.479""#);
/// assert_eq!(sum_amounts("[]"), r#""0""#);
/// assert_eq!(sum_amounts("[1, null]"), "null");
/// ```
#[must_use]
#[wasm_bindgen(js_name = sumAmounts)]
pub fn sum_amounts(amounts: &str) -> String {
    let mut sum = Some(DecimalSum::default());
    let result = read_amounts(amounts, true, &mut |amount| match (&mut sum, amount) {
        (Some(sum), Some(amount)) => sum.add(amount),
        _ => sum = None,
    });
    match result {
        Ok(()) => json(&sum.map(internals::plain_sum)),
        Err(error) => invalid_option(&error),
    }
}

/// Reads a decimal that a person wrote and returns it as a JSON string; `null` if the text is not a decimal
/// in the notation.
///
/// ```
/// use sales_order_intake_wasm::read_decimal;
///
/// assert_eq!(read_decimal("1.299,50", r#"{ "decimal": ",", "thousands": "." }"#), r#""1299.50""#);
/// assert_eq!(read_decimal("1,5", ""), "null");
/// ```
#[must_use]
#[wasm_bindgen(js_name = readDecimal)]
pub fn read_decimal(text: &str, options: &str) -> String {
    match read_notation(options) {
        Ok(notation) => json(&notation.read(text)),
        Err(error) => invalid_option(&error),
    }
}
