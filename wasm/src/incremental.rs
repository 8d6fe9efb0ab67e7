//! Evaluates an order that is being edited in parts: each item alone, and the rest from the running totals of the items.
//!
//! An order that is edited has one changed item at a time, and checking thousands of items again would take too long for
//! a keystroke. The host stores what [`evaluate_item`] returned for each item, and calls [`evaluate_rest`] with an order in
//! which one item represents all. The core stores nothing between calls.
//!
//! The running totals are whole units at the scale of the currency, for each rounding mode, so that a changed item can be
//! subtracted and added again exactly. The host only passes them on.

use sales_order_intake::internals::{self, FoundPreview, InvalidTotals, LineDetail, RunningTotals};
use sales_order_intake::{Purpose, parse};

use crate::json_api::{error_head, evaluation_head, issues_json, with_options};

/// Returns the running totals of one item, followed by a line break and its issues if it has any.
///
/// The issues are those that [`json_api::evaluate_order`](crate::json_api::evaluate_order) reports, with `pointer` and
/// `path` as in the whole order. Returns the head `{"invalidIndex":true}` if the index is not one.
///
/// ```
/// use sales_order_intake_wasm::incremental::evaluate_item;
///
/// let item = r#"{ "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "Quantity": 2, "SellAtPricePerUnit": 19.99 }"#;
/// let (_totals, issues) = evaluate_item(item, "3", "").split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
/// assert!(issues.contains(r#""pointer":"/Items/3/Name""#)); // it has no name
/// assert_eq!(evaluate_item(item, "third", ""), r#"{"invalidIndex":true}"#);
/// ```
#[must_use]
pub fn evaluate_item(item: &str, index: &str, options: &str) -> String {
    with_options(options, &|options| {
        let Ok(index) = index.parse() else { return error_head("invalidIndex", &|out| out.raw("true")) };
        let (totals, issues) = internals::evaluate_item(item, index, options.amounts.scale.digits());
        match issues {
            issues if issues.is_empty() => totals.to_text(),
            issues => [&totals.to_text(), "\n", &issues_json(&issues)].concat(),
        }
    })
}

/// Returns the new running totals, a line break, and the head `{"orderId":…,"issues":[…],"totals":{…},"beforeItems":…}`, where
/// `beforeItems` is the number of issues that come before those of the items (D56).
///
/// `order` has one item, without issues, that represents all. `terms` are running totals with `+` or `-` before each and
/// a line break between them: first the ones to add, then the ones to subtract. Returns the head
/// `{"invalidTotals":true}` if a term is malformed, or if more is subtracted than was added.
///
/// The rest of the order is checked as in the full evaluation. If taxes are estimated or the issues have
/// `amount_out_of_range`, the host evaluates the whole order, because only that has the lines.
///
/// ```
/// use sales_order_intake_wasm::incremental::{evaluate_item, evaluate_rest};
///
/// let item = |quantity: &str| {
///     [r#"{ "Name": "Tea", "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "#,
///      r#""SellAtPricePerUnit": "19.99", "Quantity": "#, quantity, "}"].concat()
/// };
/// let (two, three) = (evaluate_item(&item("2"), "0", ""), evaluate_item(&item("3"), "0", ""));
/// let order = [r#"{ "Items": ["#, &*item("1"), "] }"].concat();
///
/// let before = evaluate_rest(&order, &["+", &*two].concat(), "");
/// let (totals, head) = before.split_once('\n').unwrap();
/// assert!(head.contains(r#""subtotal":"39.98""#));
/// let after = evaluate_rest(&order, &["+", totals, "\n+", &*three, "\n-", &*two].concat(), "");
/// assert!(after.contains(r#""subtotal":"59.97""#));
/// ```
#[must_use]
pub fn evaluate_rest(order: &str, terms: &str, options: &str) -> String {
    with_options(options, &|options| {
        let totals = terms.split('\n').try_fold(RunningTotals::default(), RunningTotals::apply);
        match totals {
            Ok(totals) => {
                let checked = parse(order).check(Purpose::Send, &options.rules);
                let FoundPreview { preview, issues, .. } =
                    internals::preview(&checked, &options.amounts, LineDetail::Precomputed(&totals));
                let head = evaluation_head(internals::order_id(&checked), &preview, &issues);
                [&totals.to_text(), "\n", &head].concat()
            }
            Err(InvalidTotals) => error_head("invalidTotals", &|out| out.raw("true")),
        }
    })
}
