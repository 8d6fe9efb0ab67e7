//! A draft of an order, judged in parts: each line by itself, the totals from what the lines come to.
//!
//! A draft is edited line by line, and judging thousands of lines again for one quantity would take too long for a
//! keystroke. The host keeps for each line its text and what [`draft_line`] said, all of them texts, and asks
//! [`draft_totals`] with the order in which one line stands for all. The core keeps nothing.
//!
//! What lines come to is their *sums*: whole units at the scale of the currency, for each rounding, so that a line that
//! changed is taken out of the sum exactly and put in again. The host only passes them on.

use crate::issue::Issues;
use crate::json_api::{issues_text, totals_text, with_options};
use crate::preview::{self, Lines, Sums};
use crate::words::joined;
use crate::{decode, rules};

/// One item of an order at its position: its sums, and after a line break its issues, where there are any.
///
/// They are those of [`json_api::build_order`](crate::json_api::build_order) and of the preview, `pointer` and `path` as in
/// the whole order.
#[must_use]
pub fn draft_line(text: &str, index: &str, options: &str) -> String {
    with_options(options, &|options| {
        let mut issues = Issues::new(text);
        issues.enter("Items");
        let order = decode::read_item(text, index.parse().unwrap_or_default(), &mut issues);
        let item = order.as_ref().and_then(|order| order.item());
        if let Some(item) = item {
            rules::item(item, &mut issues);
        }
        let sums = item.map_or_else(Sums::unknown, |item| Sums::of(item, options.scale)).into_text();
        match issues.finish() {
            issues if issues.is_empty() => sums,
            issues => joined(&[&sums, "\n", &issues_text(&issues)]),
        }
    })
}

/// The new sums, and after a line break the preview of the order without its lines.
///
/// `order` holds one line that stands for all and has no issue. `terms` are sums, each after its sign and before a line
/// break: the ones to add first, then the ones to take out.
///
/// The rest of the order is judged as in the full preview. An `amount_out_of_range` and an estimate need the lines; the
/// host asks for the full preview then.
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
/// let (sums, preview) = before.split_once('\n').unwrap();
/// assert!(preview.contains(r#""subtotal":"39.98""#));
/// let after = draft_totals(&order, &["+", sums, "\n+", &*three, "\n-", &*two].concat(), "");
/// assert!(after.contains(r#""subtotal":"59.97""#));
/// ```
#[must_use]
pub fn draft_totals(order: &str, terms: &str, options: &str) -> String {
    with_options(options, &|options| {
        let sums = terms.split('\n').fold(Sums::default(), Sums::changed_by);
        let totals = preview::preview(order, options, Lines::Apart(&sums));
        joined(&[&sums.into_text(), "\n", &totals_text(&totals)])
    })
}
