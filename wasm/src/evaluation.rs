//! Evaluates an order, or one that is being edited, and returns the result in few characters, because the objects that JavaScript
//! makes at each keystroke take more time than the rules.
//!
//! The result does not contain the texts of issues. An issue is a key and an index, and the host asks for the issues with all
//! their texts ([`issues_of_order`], [`issues_of_item`]) only if it has not seen a key before.
//!
//! An order that is edited has one changed item at a time, and checking thousands of items again would take too long. The
//! host stores the running totals that [`evaluate_item`] returned for each item, and calls [`evaluate_order`] with an order in
//! which one item represents all, and with these totals as terms. They are whole units at the scale of the currency, for each
//! rounding mode, so that a changed item can be subtracted and added again exactly. The core stores nothing between calls.

use sales_order_intake::internals::{
    self, FoundIssue, FoundTotals, InvalidTotals, LineDetail, RunningTotals,
};
use sales_order_intake::parse;

use crate::fields::{Fields, json};
use crate::function::with_order;
use crate::json_api::write_target;
use crate::options::{Options, with_options};

/// Returns fields (`fields`), and after them the body of the request if the order can be sent and is not the body already:
///
/// - the flags, and the path or the Id (`write_target`).
/// - the issues in short.
/// - the values of [`Totals`](sales_order_intake::Totals) in their order, without names.
/// - if there are terms: their sum, unless nothing can be subtracted from it, and the number of issues that come before those of the
///   items (D56). There is no body then.
///
/// `terms` are empty, or running totals of items with `+` or `-` before each and a line break between them: first those to
/// add, then those to subtract. The order then has one item, without issues, that represents all. Returns an empty string if a term
/// is malformed, or if more is subtracted than was added. If the estimated taxes are null although subtotal and discount are known,
/// or the issues have `amount_out_of_range`, the host evaluates the whole order, because only that has the lines.
///
/// The host writes most strings without checking their characters. `marks` is the number of quotes and backslashes that it wrote.
/// If the core reads another number, or U+FFFD, which a lone surrogate becomes in UTF-8, a string has characters that must be
/// escaped: it returns an empty string, and the host writes the order again ([`ANY_MARKS`](crate::ANY_MARKS)).
///
/// ```
/// use sales_order_intake_wasm::ANY_MARKS;
/// use sales_order_intake_wasm::evaluation::{evaluate_item, evaluate_order};
///
/// assert!(evaluate_order("{}", "", None, ANY_MARKS).contains("Lmissing /Id@"));
/// assert_eq!(evaluate_order(r#"{"Notes":"a","Gift":"b"}"#, "", None, 4), ""); // the host wrote one member: `a","Gift":"b`
///
/// let item = |quantity: &str| {
///     [r#"{ "Name": "Tea", "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "#,
///      r#""SellAtPricePerUnit": "19.99", "Quantity": "#, quantity, "}"].concat()
/// };
/// let (two, three) = ("3998 3998 3998 0 0 0", "5997 5997 5997 0 0 0");
/// assert_eq!(evaluate_item(&item("2"), 0, None), format!("U{two}@"));
/// let order = [r#"{ "Items": ["#, &*item("1"), "] }"].concat();
/// let after = evaluate_order(&order, &format!("+{two}\n+{three}\n-{two}"), None, ANY_MARKS);
/// assert!(after.contains("F59.97"));
/// ```
#[must_use]
pub fn evaluate_order(order: &str, terms: &str, options: Option<&str>, marks: u32) -> String {
    with_order(order, options, marks, &|parsed, options| {
        let Ok(totals) = sum_of(terms, options) else { return String::new() };
        let detail = totals.as_ref().map_or(LineDetail::Omitted, LineDetail::Precomputed);
        let mut checked = parsed.check(options.purpose(), &options.rules);
        let (found, issues, is_ok) = internals::preview(&mut checked, &options.amounts, detail);
        let mut fields = Fields::with_capacity(0);
        let body = write_target(&checked, order, is_ok, options.rules.version, &mut fields);
        fields.issues(&issues);
        write_totals(&found.totals, &mut fields);
        if let Some(totals) = totals {
            fields.optional(Some(totals.to_text()).filter(|_| totals.can_be_subtracted_from()).as_deref());
            fields.number(issues.iter().take_while(|issue| issue.is_before_items()).count());
            return fields.ending_with(None);
        }
        fields.ending_with(body.as_deref())
    })
}

/// Returns the issues of [`evaluate_order`] with all their texts.
///
/// ```
/// use sales_order_intake_wasm::evaluation::issues_of_order;
///
/// assert!(issues_of_order("{}", "", None).starts_with(r#"[{"code":"missing","severity":"error","message":"Id is missing""#));
/// ```
#[must_use]
pub fn issues_of_order(order: &str, terms: &str, options: Option<&str>) -> String {
    with_options(options, &|options| {
        let Ok(totals) = sum_of(terms, options) else { return String::new() };
        let detail = totals.as_ref().map_or(LineDetail::Omitted, LineDetail::Precomputed);
        let mut checked = parse(order).check(options.purpose(), &options.rules);
        let (_, issues, _) = internals::preview(&mut checked, &options.amounts, detail);
        json(&issues)
    })
}

/// Returns the running totals of one item, and its issues in short, with its index in the whole order.
///
/// ```
/// use sales_order_intake_wasm::evaluation::evaluate_item;
///
/// let item = r#"{ "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "Quantity": 2, "SellAtPricePerUnit": 19.99 }"#;
/// let evaluated = evaluate_item(item, 3, None);
/// assert_eq!(evaluated, "U3998 3998 3998 0 0 0Aa@item_name_missing /Items/#/NameD");
/// ```
#[must_use]
pub fn evaluate_item(item: &str, index: u32, options: Option<&str>) -> String {
    with_item(item, index, options, &|totals, issues| {
        let mut fields = Fields::with_capacity(0);
        fields.text(&totals.to_text());
        fields.issues(issues);
        fields.ending_with(None)
    })
}

/// Returns the issues of [`evaluate_item`] with all their texts.
///
/// ```
/// use sales_order_intake_wasm::evaluation::issues_of_item;
///
/// assert!(issues_of_item("{}", 3, None).contains(r#""pointer":"/Items/3/Name""#));
/// ```
#[must_use]
pub fn issues_of_item(item: &str, index: u32, options: Option<&str>) -> String {
    with_item(item, index, options, &|_, issues| json(issues))
}

fn with_item(
    item: &str,
    index: u32,
    options: Option<&str>,
    result: &dyn Fn(&RunningTotals, &Vec<FoundIssue<'_>>) -> String,
) -> String {
    with_options(options, &|Options { amounts, .. }| {
        let (totals, issues) = internals::evaluate_item(item, index as usize, amounts);
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

/// Writes the values of the totals in their order, without names. The ends of the rounding range are left out if they are the
/// total.
fn write_totals(totals: &FoundTotals<'_, '_>, out: &mut Fields) {
    out.text(totals.version.as_str());
    out.number(totals.options.scale.digits() as usize);
    out.text(totals.options.rounding.as_str());
    out.decimal(totals.subtotal);
    out.decimal(totals.discount());
    let (discounts, taxes) = (totals.discounts(), totals.taxes());
    out.number(discounts.len());
    for (name, amount) in discounts {
        out.optional(name);
        out.decimal(amount);
    }
    out.text(totals.tax_source.as_str());
    out.decimal(totals.tax);
    out.number(taxes.len());
    for (tax_id, name, amount) in taxes {
        out.text(tax_id);
        out.optional(name);
        out.decimal(Some(amount));
    }
    out.decimal(totals.total);
    out.number(usize::from(totals.range.is_some()));
    for end in totals.range.into_iter().flatten() {
        out.decimal(Some(end).filter(|end| totals.total != Some(*end)));
    }
}
