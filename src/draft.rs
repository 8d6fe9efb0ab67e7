//! Checks an order that is being edited in parts: each line alone, and the totals from the sums of the lines.
//!
//! An order that is edited has one changed line at a time, and checking thousands of lines again would take too long for
//! a keystroke. The host stores the JSON of each line and what [`draft_line`] returned for it, and calls [`draft_totals`]
//! with an order in which one line represents all. The core stores nothing between calls.
//!
//! The running totals of lines are whole units at the scale of the currency, for each rounding mode, so that a changed
//! line can be subtracted and added again exactly. The host only passes them on.

use crate::check::check_item;
use crate::json::{concat, key};
use crate::json_api::{error_head, issues_json, totals_json, with_options};
use crate::parse::{ParseMode, parse, parse_item};
use crate::preview::{InvalidTotals, LineDetail, RunningTotals, preview_with};

/// Returns the running totals of one item, and after a line break its issues, if there are any.
///
/// The issues are those that [`json_api::build_order`](crate::json_api::build_order) and the preview report, with
/// `pointer` and `path` as in the whole order.
///
/// ```
/// use sales_order_intake::draft::draft_line;
///
/// let item = r#"{ "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "Quantity": 2, "SellAtPricePerUnit": 19.99 }"#;
/// let (_totals, issues) = draft_line(item, "3", "").split_once('\n').map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
/// assert!(issues.contains(r#""pointer":"/Items/3/Name""#)); // it has no name
/// ```
#[must_use]
pub fn draft_line(item: &str, index: &str, options: &str) -> String {
    with_options(options, &|options| {
        let parsed = parse_item(item, index.parse().unwrap_or_default());
        let mut issues = parsed.issues;
        let item = parsed.records.as_ref().map(|records| records.root());
        if let Some(item) = item {
            check_item(item, &mut issues);
        }
        let totals =
            item.map_or_else(RunningTotals::unpriced, |item| RunningTotals::of_item(item, options.scale));
        match issues.finish() {
            issues if issues.is_empty() => totals.to_text(),
            issues => concat(&[&totals.to_text(), "\n", &issues_json(&issues)]),
        }
    })
}

/// Returns the new running totals, and after a line break the preview of the order without its lines.
///
/// `order` has one line, without issues, that represents all. `terms` are running totals, each after its sign and before
/// a line break: the ones to add first, then the ones to subtract. For terms that are malformed, or that subtract
/// more than was added, it returns the head `{"invalidTotals":true}`.
///
/// The rest of the order is checked as in the full preview. If the preview estimates taxes or reports
/// `amount_out_of_range`, the host calls the full preview, because only that has the lines.
///
/// ```
/// use sales_order_intake::draft::{draft_line, draft_totals};
///
/// let item = |quantity: &str| {
///     [r#"{ "Name": "Tea", "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "#,
///      r#""SellAtPricePerUnit": "19.99", "Quantity": "#, quantity, "}"].concat()
/// };
/// let (two, three) = (draft_line(&item("2"), "0", ""), draft_line(&item("3"), "0", ""));
/// let order = [r#"{ "Items": ["#, &*item("1"), "] }"].concat();
///
/// let before = draft_totals(&order, &["+", &*two].concat(), "");
/// let (totals, preview) = before.split_once('\n').unwrap();
/// assert!(preview.contains(r#""subtotal":"39.98""#));
/// let after = draft_totals(&order, &["+", totals, "\n+", &*three, "\n-", &*two].concat(), "");
/// assert!(after.contains(r#""subtotal":"59.97""#));
/// ```
#[must_use]
pub fn draft_totals(order: &str, terms: &str, options: &str) -> String {
    with_options(options, &|options| {
        let totals = terms.split('\n').try_fold(RunningTotals::default(), RunningTotals::apply);
        match totals {
            Ok(totals) => {
                let checked = parse(order, ParseMode::Preview(options.rules.records)).check(&options.rules);
                let preview = preview_with(&checked, options, LineDetail::Precomputed(&totals));
                concat(&[&totals.to_text(), "\n", &totals_json(&preview)])
            }
            Err(InvalidTotals) => error_head(key!("invalidTotals"), &|out| out.raw("true")),
        }
    })
}
