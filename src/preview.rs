//! The amounts of an order before it is sent: lines, discount, taxes and total (§2.1).
//!
//! Every amount is computed from exact decimals and rounded once. An unknown amount is `None`, and an issue says why.
//!
//! | Stage | Module |
//! |---|---|
//! | the values of the order | `input` |
//! | extended prices and subtotal | `price` |
//! | discount entries | `discount` |
//! | shares of the lines | `allocate` |
//! | taxes: as supplied, or estimated from rates | `supplied`; `estimate` and `tax_rate` |
//! | price − discount + tax | `total` |
//! | the same under the other roundings | `rounding_range` |

mod allocate;
mod amounts;
mod calculation;
mod discount;
mod estimate;
mod input;
mod log;
mod price;
mod result;
mod rounder;
mod rounding_range;
mod running_totals;
mod supplied;
mod tax_rate;
mod total;
mod trace;

use rust_decimal::Decimal;

use crate::check::CheckedOrder;
use crate::code::IssueCode;
use crate::guid::Guid;
use crate::issue::{Details, IssueCollector};
use crate::options::{PreviewOptions, TaxRate, Version};
use crate::order::{discount as discount_record, item, order, tax};
use crate::record::{Entry, Record};
use crate::schema::Field;

use amounts::{LineAmounts, TaxAmounts};
use calculation::calculate;
use input::{DiscountInput, Input, SuppliedTax, TaxInput};
use log::{Finding, Location, Log};
use rounder::Rounder;
use trace::{Formula, StepTarget};

pub use result::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, TaxEntry, TaxPreview,
    TaxSource, Totals,
};
pub(crate) use running_totals::{InvalidTotals, RunningTotals};
pub use trace::Step;

/// How a preview treats the lines.
#[derive(Clone, Copy)]
pub(crate) enum LineDetail<'t> {
    /// Calculates and returns the lines.
    Full,
    /// Calculates the lines, but leaves them out of the result.
    Omitted,
    /// Uses the sums of lines that were calculated before.
    Precomputed(&'t RunningTotals),
}

impl CheckedOrder<'_> {
    /// Calculates the amounts of the order. Never fails: an amount that can't be computed is `None`, and an issue says
    /// why.
    ///
    /// ```
    /// use sales_order_intake::{ParseMode, PreviewOptions, Records, parse};
    ///
    /// let options = PreviewOptions::default();
    /// let order = r#"{ "Items": [{ "Quantity": 2, "SellAtPricePerUnit": 19.99 }], "Taxes": [] }"#;
    /// let checked = parse(order, ParseMode::Preview(Records::Strict)).check(&options.rules);
    /// assert_eq!(checked.preview(&options).totals.total, "39.98".parse().ok());
    /// ```
    #[must_use]
    pub fn preview(&self, options: &PreviewOptions) -> Preview {
        let (preview, issues) = preview_with(self, options, LineDetail::Full);
        Preview { issues: issues.finish(), ..preview }
    }
}

/// Returns the preview without its issues, and these unformatted.
pub(crate) fn preview_with<'a>(
    checked: &CheckedOrder<'a>,
    options: &PreviewOptions,
    detail: LineDetail<'_>,
) -> (Preview, IssueCollector<'a>) {
    let mut issues = checked.issues.snapshot();
    let scale = options.scale.min(PreviewOptions::MAX_SCALE);
    let Some(records) = &checked.records else {
        let totals = unknown_totals(checked.options.version, options, scale);
        let steps = options.explain.then(Vec::new);
        return (Preview { totals, lines: Vec::new(), steps, issues: Vec::new() }, issues);
    };
    let order = records.root();
    let precomputed = if let LineDetail::Precomputed(totals) = detail { Some(totals) } else { None };
    let mut log = Log::new(options.explain);
    let input = Input::new(order, checked.options.discount_value_types.as_ref(), &mut log);
    let rates = options.tax_rates.as_deref();
    let mut rounder =
        Rounder { scale, mode: options.rounding, tax_per: options.round_tax_per, met_tie: false };
    let is_full = matches!(detail, LineDetail::Full);
    let mut amounts = calculate(&input, rates, precomputed, is_full, &mut rounder, &mut log);
    if !is_full && amounts.total.is_none() && amounts.tax.total.is_some() {
        // The first line has all supplied taxes, so it can be out of range too.
        log = Log::new(options.explain);
        let input = Input::new(order, checked.options.discount_value_types.as_ref(), &mut log);
        amounts = calculate(&input, rates, precomputed, true, &mut rounder, &mut log);
    }
    let range = rounding_range::rounding_range(&input, rates, precomputed, &rounder, &amounts);
    if let Some(RoundingRange { min, max }) = &range {
        let lowest = Formula::Text("lowest total over all roundings and tax levels");
        log.trace.record("D19", StepTarget::Total("/roundingRange/min"), lowest, min);
        let highest = Formula::Text("highest total over all roundings and tax levels");
        log.trace.record("D19", StepTarget::Total("/roundingRange/max"), highest, max);
    }
    if let (TaxInput::Absent, None) = (&input.taxes, rates) {
        report_unknown_tax(order, &mut issues);
    }
    log.findings.iter().for_each(|finding| report(finding, order, &mut issues));

    let totals = Totals {
        version: checked.options.version,
        scale,
        rounding: options.rounding,
        subtotal: amounts.subtotal,
        discount: DiscountPreview {
            total: amounts.discount,
            entries: discount_preview(input.discount, amounts.discount_entries),
        },
        tax: tax_preview(&input.taxes, amounts.tax, rates),
        total: amounts.total,
        rounding_range: range,
    };
    let lines = match detail {
        LineDetail::Full => preview_lines(order, amounts.lines, &totals.tax, options),
        LineDetail::Omitted | LineDetail::Precomputed(_) => Vec::new(),
    };
    (Preview { totals, lines, steps: log.trace.into_steps(), issues: Vec::new() }, issues)
}

/// Returns the totals of an order that could not be read at all.
fn unknown_totals(version: Version, options: &PreviewOptions, scale: u32) -> Totals {
    Totals {
        version,
        scale,
        rounding: options.rounding,
        subtotal: None,
        discount: DiscountPreview { total: None, entries: Vec::new() },
        tax: TaxPreview { source: TaxSource::PointOfSale, total: None, entries: Vec::new() },
        total: None,
        rounding_range: None,
    }
}

/// Returns the discount entries with their names.
fn discount_preview(input: DiscountInput, amounts: Vec<Option<Decimal>>) -> Vec<DiscountEntry> {
    let DiscountInput::Entries(terms) = input else { return Vec::new() };
    let entries = terms.into_iter().zip(amounts);
    entries.map(|(term, amount)| DiscountEntry { name: term.name, amount }).collect()
}

/// Returns the tax entries: supplied ones with their TaxId, estimated ones with id and name of their rate.
fn tax_preview(input: &TaxInput, amounts: TaxAmounts, rates: Option<&[TaxRate]>) -> TaxPreview {
    let mut entries = Vec::with_capacity(amounts.entries.len());
    for (index, amount) in amounts.entries {
        let (tax_id, name) = match (input, rates) {
            (TaxInput::Supplied(taxes), _) => (supplied_id(taxes, index), None),
            (_, Some(rates)) => match rates.get(index) {
                Some(rate) => (rate.id.clone(), rate.name.clone()),
                None => continue,
            },
            _ => continue,
        };
        entries.push(TaxEntry { tax_id, name, amount });
    }
    TaxPreview { source: amounts.source, total: amounts.total, entries }
}

fn supplied_id(taxes: &[SuppliedTax], index: usize) -> String {
    taxes.get(index).and_then(|tax| tax.id).map_or_else(String::new, Guid::into_string)
}

fn preview_lines(
    order: Record<'_, '_>,
    lines: Vec<LineAmounts>,
    tax: &TaxPreview,
    options: &PreviewOptions,
) -> Vec<PreviewLine> {
    let items = order.entries(&order::ITEMS).zip(lines).enumerate();
    items.map(|(index, (item, amounts))| preview_line(index, item, amounts, tax, options)).collect()
}

fn preview_line(
    index: usize,
    item: Entry<'_, '_>,
    amounts: LineAmounts,
    tax: &TaxPreview,
    options: &PreviewOptions,
) -> PreviewLine {
    let mut taxes = Vec::with_capacity(amounts.taxes.len());
    for (position, (rate, amount)) in amounts.taxes.into_iter().enumerate() {
        let tax_id = match tax.source {
            // Supplied taxes are on the first line in the order of the entries.
            TaxSource::Supplied => tax.entries.get(position).map(|entry| &entry.tax_id),
            _ => options.tax_rates.as_ref().and_then(|rates| rates.get(rate)).map(|rate| &rate.id),
        };
        let tax_id = tax_id.cloned().unwrap_or_default();
        taxes.push(LineTax { tax_id, amount });
    }
    let decimal = |field| item.record.and_then(|item| item.get(field).decimal());
    PreviewLine {
        index,
        name: item.record.and_then(|item| item.get(&item::NAME).string()),
        quantity: decimal(&item::QUANTITY),
        unit_price: decimal(&item::SELL_AT_PRICE_PER_UNIT),
        extended: amounts.extended,
        discount: amounts.discount,
        tax: amounts.tax,
        taxes,
        total: amounts.total,
    }
}

/// Reports that the point of sale will calculate the taxes (D12).
fn report_unknown_tax<'a>(order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let taxes = order.get(&order::TAXES);
    if taxes.is_absent() {
        issues.report_absent(order.raw(), &order::TAXES, IssueCode::TaxUnknown, &Details::default);
    } else {
        issues.report_member(&order::TAXES, taxes.raw, IssueCode::TaxUnknown);
    }
}

/// Reports a finding at its location in the order.
fn report<'a>(finding: &Finding, order: Record<'_, 'a>, issues: &mut IssueCollector<'a>) {
    let code = finding.code;
    match finding.location {
        Location::Order => issues.report(order.raw(), code),
        Location::Member(field) if order.get(field).is_absent() => issues.report(order.raw(), code),
        Location::Member(field) => issues.report_member(field, order.get(field).raw, code),
        Location::Item(index) => {
            let raw = raw_of_entry(Some(order), &order::ITEMS, index, None);
            issues.report_in(&[(&order::ITEMS).into(), index.into()], raw, code);
        }
        Location::DiscountEntry(index, field) => {
            let list = &discount_record::INVOICE_LEVEL;
            let raw = raw_of_entry(order.record(&order::DISCOUNT), list, index, Some(field));
            let path = [(&order::DISCOUNT).into(), list.into(), index.into(), field.into()];
            issues.report_in(&path, raw, code);
        }
        Location::TaxAmount(index) => {
            let raw = raw_of_entry(Some(order), &order::TAXES, index, Some(&tax::TAX_AMOUNT));
            let path = [(&order::TAXES).into(), index.into(), (&tax::TAX_AMOUNT).into()];
            issues.report_in(&path, raw, code);
        }
    }
}

/// Returns the JSON of an entry of a list, or of one of its members.
fn raw_of_entry<'a>(
    record: Option<Record<'_, 'a>>,
    list: &Field,
    index: usize,
    field: Option<&Field>,
) -> &'a str {
    let Some(entry) = record.and_then(|record| record.entry(list, index)) else { return "" };
    match (entry.record, field) {
        (Some(record), Some(field)) => record.get(field).raw,
        _ => entry.raw,
    }
}
