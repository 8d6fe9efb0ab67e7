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
//!
//! `calculation` does all of this. Without lines, `order_totals` sums the prices for every rounding mode at once, and
//! `tax_totals` the estimated taxes at both levels. `rounding_range` compares these sums under the other roundings; the lines are
//! calculated only if they are asked for, or if they must say why the total is unknown.

mod allocate;
mod amounts;
mod calculation;
mod detail;
mod discount;
mod estimate;
mod input;
mod log;
mod order_totals;
mod price;
mod report;
mod result;
mod rounder;
mod rounding_range;
mod running_totals;
mod supplied;
mod tax_rate;
mod tax_totals;
mod total;
mod trace;

use rust_decimal::Decimal;

use crate::check::{CheckedOrder, ValidOrder};
use crate::code::IssueCode;
use crate::issue::IssueCollector;
use crate::options::{AmountOptions, TaxRate, Version};
use crate::order::{item, order};
use crate::record::{Entry, Record};

use amounts::{Amounts, LineAmounts, TaxAmounts};
use calculation::{calculate, without_lines};
use input::{DiscountInput, Input, LineInput, SuppliedTax, TaxInput};
use log::Log;
use order_totals::OrderTotals;
use report::report;
use rounder::Rounder;
use rounding_range::rounding_range;
use trace::{Formula, StepTarget};

pub use detail::LineDetail;
pub use result::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, TaxEntry, TaxPreview,
    TaxSource, Totals,
};
pub use running_totals::{InvalidTotals, RunningTotals};
pub use trace::Step;

impl CheckedOrder<'_> {
    /// Calculates the amounts of the order. Never fails: an amount that can't be computed is `None`, and an issue says
    /// why.
    ///
    /// ```
    /// use sales_order_intake::{AmountOptions, Purpose, RuleOptions, parse};
    ///
    /// let order = r#"{ "Items": [{ "Quantity": 2, "SellAtPricePerUnit": 19.99 }], "Taxes": [] }"#;
    /// let rules = RuleOptions::default();
    /// let totals = parse(order).check(Purpose::Preview, &rules).preview(&AmountOptions::default()).totals;
    /// assert_eq!(totals.total.unwrap().to_string(), "39.98");
    /// ```
    #[must_use]
    pub fn preview(&self, options: &AmountOptions) -> Preview {
        let (preview, issues) = self.preview_with(options, LineDetail::Full);
        Preview { issues: issues.finish(), ..preview }
    }
}

impl ValidOrder {
    /// Calculates the amounts. An amount that can't be known is `None`, and an issue says why. The issues of the order come with
    /// those of the amounts.
    ///
    /// Reads the order again: [`CheckedOrder::preview`] is faster if you have that.
    ///
    /// ```
    /// # use sales_order_intake::{AmountOptions, Purpose, RuleOptions, TaxRate, parse, parse_decimal};
    /// # let order = r#"{ "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1000, "EntityId": 2000, "IntegratorId": "7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "Items": [{ "Name": "Tea", "CatalogItemId": "0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "Quantity": 2, "SellAtPricePerUnit": "19.90" }] }"#;
    /// # let rules = RuleOptions::default();
    /// let valid = parse(order).check(Purpose::Send, &rules).into_valid()?;
    /// let gst = TaxRate::new("gst", parse_decimal("0.05")?)?;
    /// let totals = valid.preview(&AmountOptions::default().with_tax_rates([gst])).totals;
    /// assert_eq!(totals.total, Some(parse_decimal("41.79")?));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn preview(&self, options: &AmountOptions) -> Preview {
        self.checked().preview(options)
    }
}

impl<'a> CheckedOrder<'a> {
    /// Returns the preview without its issues, and these unformatted, after those of the order.
    pub(crate) fn preview_with(
        &self,
        options: &AmountOptions,
        detail: LineDetail<'_>,
    ) -> (Preview, IssueCollector<'a>) {
        let Self { records, issues, rules, .. } = self;
        let mut issues = issues.snapshot();
        let scale = options.scale.digits();
        let Some(records) = records else {
            let totals = unknown_totals(rules.version, options);
            let steps = options.explain.then(Vec::new);
            return (Preview { totals, lines: Vec::new(), steps, issues: Vec::new() }, issues);
        };
        let order = records.root();
        let is_full = matches!(detail, LineDetail::Full);
        let mut log = Log::new(options.explain && is_full);
        let input = Input::new(order, rules.discount_value_types.as_ref(), &mut log);
        let rates = options.tax_rates.as_deref();
        let totals = OrderTotals::new(order, &input, rates, scale, detail);
        let mut rounder =
            Rounder { scale, mode: options.rounding, tax_per: options.round_tax_per, met_tie: false };
        let mut log_of_totals = Log::new(false);
        let own = totals.under(&mut rounder, &mut log_of_totals);
        let amounts = without_lines(&input, &own, rates, &rounder, &mut log_of_totals);
        let needs_lines = match detail {
            LineDetail::Full => true,
            LineDetail::Omitted => is_found_in_lines(&amounts, &log_of_totals),
            LineDetail::Precomputed(_) => false,
        };
        let amounts = if needs_lines {
            calculate(&input, &LineInput::of_order(order, rates), rates, &mut Rounder { ..rounder }, &mut log)
        } else {
            log.findings.extend(log_of_totals.findings);
            amounts
        };
        let range = rounding_range(&totals, &own, &amounts, &rounder);
        if let Some(RoundingRange { min, max }) = &range {
            let lowest = Formula::Text("lowest total over all roundings and tax levels");
            log.trace.record("D19", StepTarget::Total("/roundingRange/min"), lowest, min);
            let highest = Formula::Text("highest total over all roundings and tax levels");
            log.trace.record("D19", StepTarget::Total("/roundingRange/max"), highest, max);
        }
        if let (TaxInput::Absent, None) = (&input.taxes, rates) {
            // The point of sale will calculate them (D12).
            issues.report_member(&order::TAXES, IssueCode::TaxUnknown);
        }
        log.findings.iter().for_each(|finding| report(finding, order, &mut issues));

        let totals = Totals {
            version: rules.version,
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
}

/// Returns true if only the calculation of all lines can find why the total is unknown.
fn is_found_in_lines(amounts: &Amounts, log: &Log) -> bool {
    // The first line has all supplied taxes, so it can be out of range too.
    let has_taxes = amounts.tax.total.is_some() || amounts.tax.source == TaxSource::Estimated;
    let is_out_of_range = log.findings.iter().any(|finding| finding.code == IssueCode::AmountOutOfRange);
    amounts.total.is_none() && (has_taxes || is_out_of_range)
}

/// Returns the totals of an order that could not be read at all.
fn unknown_totals(version: Version, options: &AmountOptions) -> Totals {
    Totals {
        version,
        scale: options.scale.digits(),
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
    taxes.get(index).and_then(|tax| tax.id.clone()).unwrap_or_default()
}

fn preview_lines(
    order: Record<'_, '_>,
    lines: Vec<LineAmounts>,
    tax: &TaxPreview,
    options: &AmountOptions,
) -> Vec<PreviewLine> {
    let items = order.entries(&order::ITEMS).zip(lines).enumerate();
    items.map(|(index, (item, amounts))| preview_line(index, item, amounts, tax, options)).collect()
}

fn preview_line(
    index: usize,
    item: Entry<'_, '_>,
    amounts: LineAmounts,
    tax: &TaxPreview,
    options: &AmountOptions,
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
