//! The amounts of an order before it is sent: lines, discount, taxes and total (§2.1).
//!
//! Every amount is computed from exact decimals and rounded once. An unknown amount is `None`, and an issue says why.
//!
//! | Stage | Module |
//! |---|---|
//! | the values of the order | `input` |
//! | price, discount, tax and total, of the order and its lines, under one rounding mode, and the rounding range | `calculation` |
//! | the price of a line | `lines` |
//! | the discount, and its share on each line | `discount`, `allocate` |
//! | taxes: supplied, or estimated from rates | `supplied_taxes`, `estimate`, `tax_rate` |

mod allocate;
mod calculation;
mod discount;
mod estimate;
mod found_totals;
mod input;
mod lines;
mod log;
mod result;
mod supplied_taxes;
mod tax_rate;
mod trace;

use std::borrow::Cow;

use crate::check::{CheckedOrder, ValidOrder, check_amounts};
use crate::code::IssueCode;
use crate::decimal::Amount;
use crate::issue::IssueCollector;
use crate::options::AmountOptions;
use crate::order::{item, order};
use crate::record::{Entry, Record};

use calculation::{Calculation, OrderAmounts};
use input::{Input, TaxInput};
use lines::LineAmounts;
use log::Log;

pub use found_totals::FoundTotals;
pub use result::{
    DiscountEntry, DiscountPreview, LineTax, Preview, PreviewLine, RoundingRange, TaxEntry, TaxPreview,
    TaxSource, Totals,
};
pub use trace::Step;

/// What a caller needs of the amounts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Detail {
    /// The totals alone.
    Totals,
    /// The lines, the rounding range and the steps too.
    Lines,
}

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
        self.preview_with(options, Detail::Lines, self.issues.snapshot()).into_preview()
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
        detail: Detail,
        mut issues: IssueCollector<'a>,
    ) -> FoundPreview<'p, 'a> {
        let Self { records, rules, .. } = self;
        let Some(records) = records else {
            let totals = FoundTotals::unknown(rules.version, options);
            let steps = options.explain.then(Vec::new);
            return FoundPreview { totals, range: None, lines: Vec::new(), steps, issues };
        };
        let order = records.root();
        // The rules may have been applied to other amounts.
        let other = (options.currency() != self.currency)
            .then(|| check_amounts(order, options.currency(), &mut issues));
        let prices = other.as_ref().unwrap_or(&self.prices);
        let mut log = Log::new(options.explain && detail == Detail::Lines);
        let input = Input::new(order, rules.discount_value_types.as_ref(), options.scale.digits(), &mut log);
        let calculation = Calculation::new(order, &input, options);
        let amounts = calculation.amounts(prices, options.rounding, options.round_tax_per, &mut log);
        let OrderAmounts { lines, subtotal, discount, taxes, tax, total } = amounts;
        let tax_source = calculation.tax_source();
        if tax_source == TaxSource::PointOfSale {
            // The point of sale will calculate them (D12).
            issues.report_member(&order::TAXES, IssueCode::TaxUnknown);
        }
        log.findings.iter().for_each(|finding| finding.report(&mut issues));

        let (range, lines) = match detail {
            Detail::Totals => (None, Vec::new()),
            Detail::Lines => {
                let range = total.and_then(|total| calculation.rounding_range(total, &mut log));
                (range, preview_lines(order, &input, lines, options))
            }
        };
        let version = rules.version;
        let totals =
            FoundTotals { version, options, input, subtotal, discount, tax_source, tax, taxes, total };
        FoundPreview { totals, range, lines, steps: log.trace.into_steps(), issues }
    }
}

/// The amounts of an order, unformatted.
pub struct FoundPreview<'p, 'a> {
    /// The totals.
    pub totals: FoundTotals<'p, 'a>,
    /// The lowest and the highest total over all rounding modes and levels, if it was requested and the total is known (D19).
    pub range: Option<RoundingRange>,
    /// One line per item, if the lines were requested.
    pub lines: Vec<PreviewLine>,
    /// How each number was computed; `None` unless `explain` is set.
    pub steps: Option<Vec<Step>>,
    /// The issues of the order and of its amounts.
    pub(crate) issues: IssueCollector<'a>,
}

impl FoundPreview<'_, '_> {
    pub(crate) fn into_preview(self) -> Preview {
        let Self { totals, range, lines, steps, issues } = self;
        Preview { totals: totals.into(), rounding_range: range, lines, steps, issues: issues.finish() }
    }
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
        Some(LineTax { tax_id, amount: amount.into_decimal()? })
    });
    let given = |field| item.record.and_then(|item| item.get(field).decimal());
    let decimal = |amount: Option<Amount>| amount.and_then(Amount::into_decimal);
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
