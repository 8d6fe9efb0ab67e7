//! Evaluates and previews an order.

use sales_order_intake::Purpose;
use sales_order_intake::internals::{self, Detail, FoundTotals, ToJson as _, Writer};
use wasm_bindgen::prelude::wasm_bindgen;

use super::options::with_order;
use super::request::write_target;
use crate::fields::{Fields, json};

/// Returns fields (`fields`), and after them the body of the request if the order can be sent and is not the body already:
///
/// - the flags, and the path or the Id (`write_target`).
/// - the issues as JSON, if there are any.
/// - the issues of the request as JSON, if there is one and it lacks some: those about amounts do not concern it.
/// - the values of [`Totals`](sales_order_intake::Totals) in their order, without names.
///
/// ```
/// use sales_order_intake_wasm::evaluate_order;
///
/// assert!(evaluate_order("{}", "").contains(r#"[{"code":"missing","severity":"error","message":"Id is missing""#));
/// ```
#[must_use]
#[wasm_bindgen(js_name = evaluateOrder)]
pub fn evaluate_order(order: &str, options: &str) -> String {
    with_order(order, options, &|parsed, options| {
        let checked = options.check(options.purpose(), parsed);
        let (found, issues, is_ok) = internals::preview(&checked, &options.amounts, Detail::Totals);
        let mut fields = Fields::with_capacity(0);
        let body = write_target(&checked, order, is_ok, options.rules.version, &mut fields);
        fields.issues(&issues);
        let of_request = is_ok.then(|| checked.issues()).filter(|of_request| *of_request != issues);
        fields.optional(of_request.map(|issues| json(&issues)).as_deref());
        write_totals(&found.totals, &mut fields);
        fields.ending_with(body.as_deref())
    })
}

/// Returns the values of the totals (`write_totals`), and after them the rest of the preview as JSON.
///
/// ```
/// use sales_order_intake_wasm::preview_order;
///
/// let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }] }"#;
/// assert!(preview_order(order, "").starts_with("Cv3BHhalf-upF29.31"));
/// ```
#[must_use]
#[wasm_bindgen(js_name = previewOrder)]
pub fn preview_order(order: &str, options: &str) -> String {
    with_order(order, options, &|order, options| {
        let checked = options.check(Purpose::Preview, order);
        let (found, issues, _) = internals::preview(&checked, &options.amounts, Detail::Lines);
        let mut rest = Writer::default();
        rest.begin_object();
        found.range.write(rest.member("roundingRange"));
        found.lines.write(rest.member("lines"));
        if let Some(steps) = &found.steps {
            steps.write(rest.member("steps"));
        }
        issues.write(rest.member("issues"));
        rest.end_object();
        let mut fields = Fields::with_capacity(0);
        write_totals(&found.totals, &mut fields);
        fields.ending_with(Some(&rest.into_string()))
    })
}

/// Writes the values of the totals in their order, without names.
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
}
