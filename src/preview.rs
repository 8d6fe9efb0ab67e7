//! What the order will come to: lines, discount, taxes and total, before it is sent (§2.1 rules 2 and 3).
//!
//! Every amount is computed from exact decimals and rounded once. What can't be known is `None`, and an issue says why.

mod calculation;
mod discount;
mod estimate;
mod factors;
mod rounding_range;
mod shares;
mod steps;
mod sums;
mod tax;

use std::borrow::Cow;

use rust_decimal::Decimal;
use serde::Serialize;

use crate::code::IssueCode;
use crate::decimal::{Rounding, as_text, as_text_or_null};
use crate::decode::{self, Reading};
use crate::issue::{Issue, Issues};
use crate::options::{PreviewOptions, Records, Version};
use crate::rules;
use crate::shape::{ITEM, item, order};
use crate::written::{Record, WrittenOrder};
use calculation::{Amounts, Calculation};
pub use steps::Step;
pub(crate) use sums::Sums;

/// The totals of an order as the point of sale will show them, as far as they can be known.
///
/// Amounts are in the currency, at its scale; a supplied tax may have more digits and keeps them.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Preview {
    /// The operation it was previewed for.
    pub version: Version,
    /// Fraction digits of the currency.
    pub scale: u32,
    /// How halves were rounded.
    pub rounding: Rounding,
    /// One line an item, in order.
    pub lines: Vec<PreviewLine>,
    /// Sum of the rounded extended prices.
    #[serde(serialize_with = "as_text_or_null")]
    pub subtotal: Option<Decimal>,
    /// The invoice-level discount.
    pub discount: DiscountPreview,
    /// The taxes.
    pub tax: TaxPreview,
    /// Subtotal − discount + tax; unknown while one of them is.
    #[serde(serialize_with = "as_text_or_null")]
    pub total: Option<Decimal>,
    /// How far the total could be from the one given here, by rounding alone; unknown where the total is (D19).
    pub rounding_range: Option<RoundingRange>,
    /// How every number came about, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steps: Option<Vec<Step>>,
    /// What is wrong with the order, and why a number is unknown.
    pub issues: Vec<Issue>,
}

/// One line of a [`Preview`].
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct PreviewLine {
    /// Position of the item, from 0.
    pub index: usize,
    /// Name of the item.
    pub name: Option<String>,
    /// Quantity with the digits it was given with.
    #[serde(serialize_with = "as_text_or_null")]
    pub quantity: Option<Decimal>,
    /// Price of one unit with the digits it was given with.
    #[serde(serialize_with = "as_text_or_null")]
    pub unit_price: Option<Decimal>,
    /// Quantity × unit price, rounded once (D18).
    #[serde(serialize_with = "as_text_or_null")]
    pub extended: Option<Decimal>,
    /// The line's share of the discount; shares sum to it exactly (D17).
    #[serde(serialize_with = "as_text_or_null")]
    pub discount: Option<Decimal>,
    /// The line's taxes; supplied ones are all on the first line (§2.1 rule 2).
    #[serde(serialize_with = "as_text_or_null")]
    pub tax: Option<Decimal>,
    /// The taxes one by one.
    pub taxes: Vec<LineTax>,
    /// Extended − discount + tax.
    #[serde(serialize_with = "as_text_or_null")]
    pub total: Option<Decimal>,
}

/// One tax on one line.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct LineTax {
    /// TaxId of a supplied tax, id of a rate otherwise.
    pub tax_id: String,
    /// In the currency.
    #[serde(serialize_with = "as_text")]
    pub amount: Decimal,
}

/// The invoice-level discount of a [`Preview`].
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DiscountPreview {
    /// All entries together; zero without any.
    #[serde(serialize_with = "as_text_or_null")]
    pub total: Option<Decimal>,
    /// One by one, in the order they are taken (D15).
    pub entries: Vec<DiscountEntry>,
}

/// One invoice-level discount.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct DiscountEntry {
    /// Name of the discount.
    pub name: Option<String>,
    /// What it takes off, in the currency.
    #[serde(serialize_with = "as_text_or_null")]
    pub amount: Option<Decimal>,
}

/// The taxes of a [`Preview`].
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct TaxPreview {
    /// Where the taxes come from.
    pub source: TaxSource,
    /// All of them together.
    #[serde(serialize_with = "as_text_or_null")]
    pub total: Option<Decimal>,
    /// One by one; empty while the total is unknown.
    pub entries: Vec<TaxEntry>,
}

/// Where the taxes of a [`Preview`] come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaxSource {
    /// The order brings them; they replace all that the point of sale would calculate (§2.1 rule 2, D11).
    Supplied,
    /// Calculated from rates that the caller knows (D12).
    Estimated,
    /// The point of sale calculates them: not known here (§2.1 rule 3, D12).
    PointOfSale,
}

impl TaxSource {
    /// The name used in results: `supplied`, `estimated` or `point-of-sale`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Supplied => "supplied",
            Self::Estimated => "estimated",
            Self::PointOfSale => "point-of-sale",
        }
    }
}

/// One tax of an order.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TaxEntry {
    /// TaxId of a supplied tax, id of a rate otherwise.
    pub tax_id: String,
    /// Name of the rate.
    pub name: Option<String>,
    /// In the currency.
    #[serde(serialize_with = "as_text")]
    pub amount: Decimal,
}

/// The lowest and the highest total over all roundings and levels (D18, D19).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RoundingRange {
    /// The lowest.
    #[serde(serialize_with = "as_text")]
    pub min: Decimal,
    /// The highest.
    #[serde(serialize_with = "as_text")]
    pub max: Decimal,
}

/// Previews an order: never fails, what can't be computed is `None`.
///
/// `json` is the order as JSON text. A missing Id is not complained of; all else is judged as in
/// [`build_order`](crate::build_order).
///
/// ```
/// use sales_order_intake::{PreviewOptions, to_plain_string, preview_order};
///
/// let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }], "Taxes": null }"#;
/// let preview = preview_order(order, &PreviewOptions::default());
/// assert_eq!(preview.subtotal.as_ref().map(to_plain_string).as_deref(), Some("29.31"));
/// assert_eq!(preview.total, None); // the point of sale calculates the taxes
/// ```
#[must_use]
pub fn preview_order(json: &str, options: &PreviewOptions) -> Preview {
    preview(json, options, Lines::Shown)
}

/// What a preview is to have of its lines.
#[derive(Clone, Copy)]
pub(crate) enum Lines<'s> {
    Shown,
    /// Only what they come to: most callers look at the totals.
    Counted,
    /// Nothing: they were calculated apart, and come to this.
    Apart(&'s Sums),
}

pub(crate) fn preview(json: &str, options: &PreviewOptions, lines: Lines<'_>) -> Preview {
    let mut issues = Issues::new(json);
    let passthrough = options.rules.records == Records::Passthrough;
    let order = decode::read_order(json, Reading::Input, passthrough, &mut issues);
    if let Some(order) = &order {
        rules::check(order, &options.rules, true, &mut issues);
    }
    of(order.as_ref(), options, lines, issues)
}

/// The preview of an order that was held against the rules.
pub(crate) fn of<'a>(
    order: Option<&WrittenOrder<'a>>,
    options: &PreviewOptions,
    lines: Lines<'_>,
    mut issues: Issues<'a>,
) -> Preview {
    let clamped = (options.scale > 4).then(|| PreviewOptions { scale: 4, ..options.clone() });
    let options = clamped.as_ref().unwrap_or(options);
    let Some(order) = order else {
        return Preview::of(Amounts::unknown(), None, options, issues.finish());
    };
    let apart = if let Lines::Apart(sums) = lines { Some(sums) } else { None };
    let mut calculation = Calculation::new(order, options, apart, Some(&mut issues));
    let mut amounts = calculation.run();
    let rounding_range = rounding_range::of(order, options, apart, &amounts, calculation.tie());
    let steps = calculation.into_steps(rounding_range.as_ref());
    if let Lines::Counted = lines {
        amounts.lines.clear();
    }
    let mut preview = Preview::of(amounts, Some(order), options, issues.finish());
    preview.rounding_range = rounding_range;
    preview.steps = steps;
    preview
}

impl Preview {
    fn of(
        amounts: Amounts,
        order: Option<&WrittenOrder<'_>>,
        options: &PreviewOptions,
        issues: Vec<Issue>,
    ) -> Self {
        let mut lines = Vec::with_capacity(amounts.lines.len());
        let items = order.map(|order| order.root().entries(order::ITEMS, &ITEM));
        for (index, (item, amounts_of_line)) in items.into_iter().flatten().zip(amounts.lines).enumerate() {
            let decimal = |position| item.record.and_then(|item| item.get(position).decimal());
            let mut taxes = Vec::with_capacity(amounts_of_line.taxes.len());
            for (position, amount) in amounts_of_line.taxes {
                let supplied = amounts.tax.entries.get(position).map(|entry| &entry.tax_id);
                let rate = || options.tax_rates.as_ref()?.get(position).map(|rate| &rate.id);
                let tax_id = supplied.or_else(rate).cloned().unwrap_or_default();
                taxes.push(LineTax { tax_id, amount });
            }
            lines.push(PreviewLine {
                index,
                name: item.record.and_then(|item| name(item, item::NAME)),
                quantity: decimal(item::QUANTITY),
                unit_price: decimal(item::SELL_AT_PRICE_PER_UNIT),
                extended: amounts_of_line.extended,
                discount: amounts_of_line.discount,
                tax: amounts_of_line.tax,
                taxes,
                total: amounts_of_line.total,
            });
        }
        Self {
            version: options.rules.version,
            scale: options.scale,
            rounding: options.rounding,
            lines,
            subtotal: amounts.subtotal,
            discount: amounts.discount,
            tax: amounts.tax,
            total: amounts.total,
            rounding_range: None,
            steps: options.explain.then(Vec::new),
            issues,
        }
    }
}

fn name(record: Record<'_, '_>, position: usize) -> Option<String> {
    record.get(position).text().map(Cow::into_owned)
}

/// Tells of the taxes that the point of sale will calculate (D12).
fn tell_tax_unknown<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    let order = order.root();
    let taxes = order.get(order::TAXES);
    if taxes.is_absent() {
        issues.missing(order.raw(), "Taxes", IssueCode::TaxUnknown, None);
    } else {
        issues.at_place(["Taxes".into()], taxes.raw, IssueCode::TaxUnknown);
    }
}
