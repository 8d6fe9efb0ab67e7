//! Evaluates an order, or one that is being edited, and returns the result in few characters: what takes time at each keystroke is
//! not the rules but the objects that JavaScript makes.
//!
//! Texts of issues are not among them. An issue is a key and an index, and the host asks for the issues with all their texts
//! ([`issues_of_order`], [`issues_of_item`]) only if it has not seen a key before.
//!
//! An order that is edited has one changed item at a time, and checking thousands of items again would take too long. The
//! host stores the running totals that [`evaluate_item`] returned for each item, and calls [`evaluate_order`] with an order in
//! which one item represents all, and with these totals as terms. They are whole units at the scale of the currency, for each
//! rounding mode, so that a changed item can be subtracted and added again exactly. The core stores nothing between calls.

use sales_order_intake::internals::{
    self, FoundIssue, FoundPreview, InvalidTotals, LineDetail, RunningTotals, ToJson as _, Writer,
};
use sales_order_intake::{DiscountPreview, TaxPreview, Totals, parse, request_path};

use crate::boundary::{RESPONSE_CAPACITY, error_head, issues_json, with_options, with_order};
use crate::options::Options;

/// Returns `[ok, orderId, path, isBody, issues, totals, runningTotals, beforeItems]` in one line, and the request body as payload if
/// the order is not it already (`isBody`).
///
/// - `ok` is true if no issue is an error. With the option `id: 'optional'` a missing Id is not an issue.
/// - `path` is that of the request, null if an issue is an error or the Id is missing.
/// - `issues` has a key and an index for each issue (see [`FoundIssue::write_in_short`]).
/// - `totals` has the values of [`Totals`] in their order.
/// - `terms` are empty, or running totals of items with `+` or `-` before each and a line break between them: first those to
///   add, then those to subtract. The order then has one item, without issues, that represents all. `runningTotals` is their sum,
///   null if nothing can be subtracted from it, and `beforeItems` the number of issues that come before those of the items
///   (D56). Returns the head `{"invalidTotals":true}` if a term is malformed, or if more is subtracted than was added. If the
///   estimated taxes are null although subtotal and discount are known, or the issues have `amount_out_of_range`, the host
///   evaluates the whole order, because only that has the lines.
///
/// The host writes most strings without a look at them. `marks` is the number of quotes and backslashes that it wrote. If the core
/// reads another number, or U+FFFD, which a lone surrogate becomes in UTF-8, a string has characters that must be escaped: it
/// returns an empty string, and the host writes the order again ([`ANY_MARKS`](crate::boundary::ANY_MARKS)).
///
/// ```
/// use sales_order_intake_wasm::boundary::ANY_MARKS;
/// use sales_order_intake_wasm::evaluation::{evaluate_item, evaluate_order};
///
/// assert!(evaluate_order("{}", "", "", ANY_MARKS).starts_with(r#"[false,null,null,false,["missing /Id",-1,"#));
/// assert_eq!(evaluate_order(r#"{"Notes":"a","Gift":"b"}"#, "", "", 4), ""); // the host wrote one member: `a","Gift":"b`
///
/// let item = |quantity: &str| {
///     [r#"{ "Name": "Tea", "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "#,
///      r#""SellAtPricePerUnit": "19.99", "Quantity": "#, quantity, "}"].concat()
/// };
/// let (two, three) = ("3998 3998 3998 0 0 0", "5997 5997 5997 0 0 0");
/// assert_eq!(evaluate_item(&item("2"), "0", ""), format!("[{two:?},[]]"));
/// let order = [r#"{ "Items": ["#, &*item("1"), "] }"].concat();
/// let after = evaluate_order(&order, "", &format!("+{two}\n+{three}\n-{two}"), ANY_MARKS);
/// assert!(after.contains(r#""59.97""#));
/// ```
#[must_use]
pub fn evaluate_order(order: &str, options: &str, terms: &str, marks: u32) -> String {
    with_order(order, options, marks, &|parsed, options| {
        let Ok(totals) = sum_of(terms, options) else { return invalid_totals() };
        let detail = totals.as_ref().map_or(LineDetail::Omitted, LineDetail::Precomputed);
        let checked = parsed.check(options.purpose(), &options.rules);
        let FoundPreview { preview, issues, is_ok } = internals::preview(&checked, &options.amounts, detail);
        let order_id = checked.order_id();
        let can_be_sent = is_ok && order_id.is_some();
        let path = order_id.filter(|_| can_be_sent).map(|id| request_path(options.rules.version, id));
        let is_body = can_be_sent && internals::is_request_body(&checked, order);
        let mut head = Writer::default().with_capacity(RESPONSE_CAPACITY);
        head.begin_array();
        is_ok.write(&mut head);
        order_id.write(&mut head);
        path.write(&mut head);
        is_body.write(&mut head);
        write_in_short(&issues, &mut head);
        write_totals(&preview.totals, &mut head);
        if let Some(totals) = totals {
            totals.can_be_subtracted_from().then(|| totals.to_text()).write(&mut head);
            issues.iter().take_while(|issue| issue.is_before_items()).count().write(&mut head);
        }
        head.end_array();
        let body = if can_be_sent && !is_body { checked.to_json() } else { None };
        match body {
            Some(body) => [&head.into_string(), "\n", &body].concat(),
            None => head.into_string(),
        }
    })
}

/// Returns the issues of [`evaluate_order`] with all their texts.
///
/// ```
/// use sales_order_intake_wasm::evaluation::issues_of_order;
///
/// assert!(issues_of_order("{}", "", "").starts_with(r#"[{"code":"missing","severity":"error","message":"Id is missing""#));
/// ```
#[must_use]
pub fn issues_of_order(order: &str, options: &str, terms: &str) -> String {
    with_options(options, &|options| {
        let Ok(totals) = sum_of(terms, options) else { return invalid_totals() };
        let detail = totals.as_ref().map_or(LineDetail::Omitted, LineDetail::Precomputed);
        let checked = parse(order).check(options.purpose(), &options.rules);
        issues_json(&internals::preview(&checked, &options.amounts, detail).issues)
    })
}

/// Returns `[runningTotals, issues]` of one item, like those of [`evaluate_order`], with its index in the whole order. Returns the
/// head `{"invalidIndex":true}` if the index is not one.
///
/// ```
/// use sales_order_intake_wasm::evaluation::evaluate_item;
///
/// let item = r#"{ "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "Quantity": 2, "SellAtPricePerUnit": 19.99 }"#;
/// let evaluated = evaluate_item(item, "3", "");
/// assert_eq!(evaluated, r#"["3998 3998 3998 0 0 0",["item_name_missing /Items/#/Name",3]]"#);
/// assert_eq!(evaluate_item(item, "third", ""), r#"{"invalidIndex":true}"#);
/// ```
#[must_use]
pub fn evaluate_item(item: &str, index: &str, options: &str) -> String {
    with_item(item, index, options, &|totals, issues| {
        let mut out = Writer::default();
        out.begin_array();
        totals.to_text().write(&mut out);
        write_in_short(issues, &mut out);
        out.end_array();
        out.into_string()
    })
}

/// Returns the issues of [`evaluate_item`] with all their texts.
///
/// ```
/// use sales_order_intake_wasm::evaluation::issues_of_item;
///
/// assert!(issues_of_item("{}", "3", "").contains(r#""pointer":"/Items/3/Name""#));
/// ```
#[must_use]
pub fn issues_of_item(item: &str, index: &str, options: &str) -> String {
    with_item(item, index, options, &|_, issues| issues_json(issues))
}

fn with_item(
    item: &str,
    index: &str,
    options: &str,
    result: &dyn Fn(&RunningTotals, &Vec<FoundIssue<'_>>) -> String,
) -> String {
    with_options(options, &|Options { amounts, .. }| {
        let Ok(index) = index.parse() else { return error_head("invalidIndex", &|out| out.raw("true")) };
        let (totals, issues) = internals::evaluate_item(item, index, amounts);
        result(&totals, &issues)
    })
}

/// Sums terms; returns `None` if there are none.
fn sum_of(terms: &str, options: &Options) -> Result<Option<RunningTotals>, InvalidTotals> {
    if terms.is_empty() {
        return Ok(None);
    }
    let start = RunningTotals::none(options.amounts.tax_rates.as_deref());
    terms.split('\n').try_fold(start, RunningTotals::apply).map(Some)
}

fn invalid_totals() -> String {
    error_head("invalidTotals", &|out| out.raw("true"))
}

fn write_in_short(issues: &[FoundIssue<'_>], out: &mut Writer) {
    out.begin_array();
    issues.iter().for_each(|issue| issue.write_in_short(out));
    out.end_array();
}

/// Writes the values of the totals in their order, without names.
fn write_totals(totals: &Totals, out: &mut Writer) {
    let Totals { discount: DiscountPreview { total: discount, entries: discounts, .. }, .. } = totals;
    let TaxPreview { source, total: tax, entries: taxes, .. } = &totals.tax;
    out.begin_array();
    totals.version.write(out);
    totals.scale.write(out);
    totals.rounding.write(out);
    totals.subtotal.write(out);
    discount.write(out);
    out.begin_array();
    for entry in discounts {
        entry.name.write(out);
        entry.amount.write(out);
    }
    out.end_array();
    source.write(out);
    tax.write(out);
    out.begin_array();
    for entry in taxes {
        entry.tax_id.write(out);
        entry.name.write(out);
        entry.amount.write(out);
    }
    out.end_array();
    totals.total.write(out);
    totals.rounding_range.map(|range| range.min).write(out);
    totals.rounding_range.map(|range| range.max).write(out);
    out.end_array();
}
