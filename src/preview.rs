//! The amounts of an order before it is sent: lines, discount, taxes and total (§2.1).
//!
//! Every amount is computed from exact decimals and rounded once. An unknown amount is `None`, and an issue says why.
//!
//! | Stage | Module |
//! |---|---|
//! | the values of the order | `input` |
//! | the lines, summed for every rounding mode | `running_totals`, `tax_sums` |
//! | price, discount, tax and total of the order, and their range over all roundings | `calculation`, `discount` |
//! | shares of the lines in the discount, and in taxes that are rounded once | `allocate` |
//! | estimated taxes of a line | `tax_rate`, `estimate` |
//! | the amounts of lines | `lines` |
//!
//! The amounts of lines are calculated only if they are requested, or if they are needed to report why the total is unknown.

mod allocate;
mod calculation;
mod discount;
mod estimate;
mod found_totals;
mod input;
mod lines;
mod log;
mod result;
mod rounding_range;
mod running_totals;
mod tax_rate;
mod tax_sums;
mod trace;

use std::borrow::Cow;

use crate::check::{CheckedOrder, ValidOrder};
use crate::code::IssueCode;
use crate::decimal::Amount;
use crate::issue::IssueCollector;
use crate::options::AmountOptions;
use crate::order::{item, order};
use crate::record::{Entry, Record};

use calculation::{Calculation, OrderAmounts};
use input::{Input, TaxInput};
use lines::{LineAmounts, extended_prices};
use log::{Finding, Log};
use trace::{Formula, StepTarget};

pub use calculation::LineDetail;
pub use found_totals::FoundTotals;
pub use result::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, TaxEntry, TaxPreview,
    TaxSource, Totals,
};
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
        self.preview_with(options, LineDetail::Full, self.issues.snapshot()).into_preview()
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
    /// Returns the amounts, unformatted. Adds their issues to those of the order.
    pub(crate) fn preview_with<'p>(
        &self,
        options: &'p AmountOptions,
        detail: LineDetail,
        mut issues: IssueCollector<'a>,
    ) -> FoundPreview<'p, 'a> {
        let Self { records, rules, .. } = self;
        let Some(records) = records else {
            let totals = FoundTotals::unknown(rules.version, options);
            let steps = options.explain.then(Vec::new);
            return FoundPreview { totals, lines: Vec::new(), steps, issues };
        };
        let (mode, scale) = (options.rounding, options.scale.digits());
        let order = records.root();
        let is_full = matches!(detail, LineDetail::Full);
        let mut log = Log::new(options.explain && is_full);
        let input = Input::new(order, rules.discount_value_types.as_ref(), scale, &mut log);
        let calculation = Calculation::new(order, &input, options);
        let found_in_input = log.findings.len();
        let mut lines =
            if is_full { extended_prices(calculation.lines(), mode, scale, &mut log) } else { Vec::new() };
        let mut amounts = calculation.amounts(mode, is_full.then_some(&mut *lines), &mut log);
        let found = log.findings.iter().skip(found_in_input);
        if matches!(detail, LineDetail::Omitted) && is_found_in_lines(&amounts, found) {
            log.findings.truncate(found_in_input);
            lines = extended_prices(calculation.lines(), mode, scale, &mut log);
            amounts = calculation.amounts(mode, Some(&mut lines), &mut log);
        }
        let range = calculation.rounding_range(&amounts, mode);
        if let Some([min, max]) = &range {
            let lowest = Formula::Text("lowest total over all roundings and tax levels");
            log.trace.record("D19", StepTarget::Total("/roundingRange/min"), lowest, min);
            let highest = Formula::Text("highest total over all roundings and tax levels");
            log.trace.record("D19", StepTarget::Total("/roundingRange/max"), highest, max);
        }
        if amounts.tax_source == TaxSource::PointOfSale {
            // The point of sale will calculate them (D12).
            issues.report_member(&order::TAXES, IssueCode::TaxUnknown);
        }
        log.findings.iter().for_each(|finding| finding.report(&mut issues));

        let lines = if is_full { preview_lines(order, &input, lines, options) } else { Vec::new() };
        let OrderAmounts { subtotal, discount, tax_source, tax, taxes, total, .. } = amounts;
        let version = rules.version;
        let totals =
            FoundTotals { version, options, input, subtotal, discount, tax_source, tax, taxes, total, range };
        FoundPreview { totals, lines, steps: log.trace.into_steps(), issues }
    }
}

/// The amounts of an order, unformatted.
pub struct FoundPreview<'p, 'a> {
    /// The totals.
    pub totals: FoundTotals<'p, 'a>,
    /// One line per item, if the lines were requested.
    pub lines: Vec<PreviewLine>,
    /// How each number was computed; `None` unless `explain` is set.
    pub steps: Option<Vec<Step>>,
    /// The issues of the order and of its amounts.
    pub(crate) issues: IssueCollector<'a>,
}

impl FoundPreview<'_, '_> {
    pub(crate) fn into_preview(self) -> Preview {
        let Self { totals, lines, steps, issues } = self;
        Preview { totals: totals.into(), lines, steps, issues: issues.finish() }
    }
}

/// Returns true if only the amounts of lines can say why the total is unknown.
fn is_found_in_lines<'f>(
    amounts: &OrderAmounts<'_>,
    mut findings: impl Iterator<Item = &'f Finding>,
) -> bool {
    // The first line has all supplied taxes, so it can be out of range too.
    let has_taxes = amounts.tax.is_some() || amounts.tax_source == TaxSource::Estimated;
    amounts.total.is_none()
        && (has_taxes || findings.any(|finding| finding.code == IssueCode::AmountOutOfRange))
}

fn preview_lines(
    order: Record<'_, '_>,
    input: &Input<'_>,
    lines: Vec<LineAmounts>,
    options: &AmountOptions,
) -> Vec<PreviewLine> {
    let items = order.entries(&order::ITEMS).zip(lines).enumerate();
    items.map(|(index, (item, amounts))| preview_line(index, item, input, amounts, options)).collect()
}

fn preview_line(
    index: usize,
    item: Entry<'_, '_>,
    input: &Input<'_>,
    amounts: LineAmounts,
    options: &AmountOptions,
) -> PreviewLine {
    let taxes = amounts.taxes.into_iter().filter_map(|(index, amount)| {
        let tax_id = match &input.taxes {
            TaxInput::Supplied(taxes) => taxes.get(index)?.id.as_deref()?.to_owned(),
            _ => options.tax_rates.as_ref()?.get(index)?.id.clone(),
        };
        Some(LineTax { tax_id, amount: amount.into_decimal() })
    });
    let given = |field| item.record.and_then(|item| item.get(field).decimal());
    let decimal = |amount: Option<Amount>| amount.map(Amount::into_decimal);
    PreviewLine {
        index,
        name: item.record.and_then(|item| item.get(&item::NAME).string()).map(Cow::into_owned),
        quantity: given(&item::QUANTITY),
        unit_price: given(&item::SELL_AT_PRICE_PER_UNIT),
        extended: decimal(amounts.extended),
        discount: decimal(amounts.discount),
        tax: decimal(amounts.tax),
        taxes: taxes.collect(),
        total: decimal(amounts.total),
    }
}
