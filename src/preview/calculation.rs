//! The computation of a preview, for one rounding and one tax level.

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Exact, Rounding, add, subtract, zero};
use crate::issue::{Issues, Place};
use crate::options::{PreviewOptions, TaxRounding};
use crate::shape::{ITEM, order};
use crate::written::{Entry, WrittenOrder};

use super::factors::factors;
use super::steps::{How, Of, Step, Steps};
use super::sums::Sums;
use super::{DiscountPreview, RoundingRange, TaxPreview, TaxSource};

/// Every amount of a preview.
pub(super) struct Amounts {
    pub(super) lines: Vec<LineAmounts>,
    pub(super) subtotal: Option<Decimal>,
    pub(super) discount: DiscountPreview,
    pub(super) tax: TaxPreview,
    pub(super) total: Option<Decimal>,
}

/// The amounts of one line.
#[derive(Default)]
pub(super) struct LineAmounts {
    pub(super) extended: Option<Decimal>,
    pub(super) discount: Option<Decimal>,
    pub(super) tax: Option<Decimal>,
    /// Position of the tax, and how much of it.
    pub(super) taxes: Vec<(usize, Decimal)>,
    pub(super) total: Option<Decimal>,
}

impl Amounts {
    /// Of an order that could not be read at all.
    pub(super) fn unknown() -> Self {
        Self {
            lines: Vec::new(),
            subtotal: None,
            discount: DiscountPreview { total: None, entries: Vec::new() },
            tax: TaxPreview { source: TaxSource::PointOfSale, total: None, entries: Vec::new() },
            total: None,
        }
    }
}

/// What computes them.
pub(super) struct Calculation<'i, 'o, 'a> {
    pub(super) order: &'o WrittenOrder<'a>,
    pub(super) options: &'o PreviewOptions,
    /// What the lines come to, where they were calculated apart.
    apart: Option<&'o Sums>,
    rounding: Rounding,
    pub(super) round_tax_per: TaxRounding,
    pub(super) steps: Steps,
    issues: Option<&'i mut Issues<'a>>,
    tie: bool,
}

impl<'i, 'o, 'a> Calculation<'i, 'o, 'a> {
    /// The computation as the options have it; it tells what it finds and notes its steps.
    pub(super) fn new(
        order: &'o WrittenOrder<'a>,
        options: &'o PreviewOptions,
        apart: Option<&'o Sums>,
        issues: Option<&'i mut Issues<'a>>,
    ) -> Self {
        Self {
            order,
            options,
            apart,
            rounding: options.rounding,
            round_tax_per: options.round_tax_per,
            steps: Steps::new(options.explain && issues.is_some()),
            issues,
            tie: apart.is_some_and(Sums::has_tie),
        }
    }

    /// The same order, rounded otherwise, without a word.
    pub(super) fn otherwise(
        order: &'o WrittenOrder<'a>,
        options: &'o PreviewOptions,
        apart: Option<&'o Sums>,
        rounding: Rounding,
        round_tax_per: TaxRounding,
    ) -> Self {
        Self { rounding, round_tax_per, ..Self::new(order, options, apart, None) }
    }

    /// Whether half a unit was rounded anywhere: without one, every rounding gives the same.
    pub(super) fn tie(&self) -> bool {
        self.tie
    }

    pub(super) fn into_steps(mut self, rounding_range: Option<&RoundingRange>) -> Option<Vec<Step>> {
        if let Some(RoundingRange { min, max }) = rounding_range {
            let lowest = How::As("lowest total over all roundings and tax levels");
            self.steps.note("D19", Of::At("/roundingRange/min"), lowest, min);
            let highest = How::As("highest total over all roundings and tax levels");
            self.steps.note("D19", Of::At("/roundingRange/max"), highest, max);
        }
        self.steps.into_steps()
    }

    pub(super) fn run(&mut self) -> Amounts {
        let mut lines = Vec::new();
        let subtotal = if let Some(sums) = self.apart {
            self.subtotal_apart(sums)
        } else {
            lines = self.extended_prices();
            self.subtotal(&lines)
        };
        let discount = self.discount(subtotal);
        self.share_discount(&mut lines, discount.total);
        let tax = self.tax(&mut lines);
        for (index, line) in lines.iter_mut().enumerate() {
            line.total = self.net(Of::Line(index, "total"), line.extended, line.discount, line.tax);
        }
        let total = self.net(Of::At("/total"), subtotal, discount.total, tax.total);
        Amounts { lines, subtotal, discount, tax, total }
    }

    /// Zero at the scale of the currency.
    pub(super) fn zero(&self) -> Decimal {
        zero(self.options.scale)
    }

    /// The one rounding of a value.
    pub(super) fn round(&mut self, exact: &Exact) -> Option<Decimal> {
        let (rounded, tie) = exact.round(self.options.scale, self.rounding)?;
        self.tie |= tie;
        Some(rounded)
    }

    /// Tells the caller, where this is the computation that was asked for.
    pub(super) fn tell(&mut self, say: impl FnOnce(&mut Issues<'a>)) {
        if let Some(issues) = &mut self.issues {
            say(issues);
        }
    }

    pub(super) fn tell_at<const N: usize>(&mut self, place: [Place<'a>; N], raw: &str, code: IssueCode) {
        self.tell(|issues| issues.at_place(place, raw, code));
    }

    /// Quantity × unit price, rounded once (D18).
    fn extended_prices(&mut self) -> Vec<LineAmounts> {
        let items = self.order.root().entries(order::ITEMS, &ITEM);
        let mut lines = Vec::with_capacity(items.len());
        for (index, item) in items.enumerate() {
            let extended = self.extended_price(index, item);
            lines.push(LineAmounts { extended, ..LineAmounts::default() });
        }
        lines
    }

    fn extended_price(&mut self, index: usize, item: Entry<'_, 'a>) -> Option<Decimal> {
        let (quantity, price) = factors(item.record?)?;
        let exact = Exact::product(quantity, price);
        let extended = exact.as_ref().and_then(|exact| self.round(exact));
        let (Some(exact), Some(extended)) = (&exact, extended) else {
            self.tell_at(["Items".into(), Place::Index(index)], item.raw, IssueCode::AmountOutOfRange);
            return None;
        };
        let how = How::Product(quantity, price);
        self.steps.note_rounded("D18", Of::Line(index, "extended"), how, exact, &extended);
        Some(extended)
    }

    /// Sum of the rounded extended prices; an order without lines has none.
    fn subtotal(&mut self, lines: &[LineAmounts]) -> Option<Decimal> {
        if lines.is_empty() {
            return None;
        }
        self.sum("D18", Of::At("/subtotal"), "Items", &mut lines.iter().map(|line| line.extended))
    }

    fn subtotal_apart(&mut self, sums: &Sums) -> Option<Decimal> {
        let subtotal = sums.subtotal(self.rounding, self.options.scale);
        if sums.is_out_of_range(subtotal) {
            self.tell_out_of_range("Items");
        }
        subtotal
    }

    /// The sum of amounts that are all known; where it does not fit, that is told of at the member.
    pub(super) fn sum(
        &mut self,
        rule: &'static str,
        of: Of,
        member: &'static str,
        amounts: &mut dyn Iterator<Item = Option<Decimal>>,
    ) -> Option<Decimal> {
        let mut sum = Some(self.zero());
        let mut terms = Vec::new();
        for amount in amounts {
            let amount = amount?;
            sum = sum.and_then(|sum| add(sum, amount));
            if self.steps.wanted() {
                terms.push(amount);
            }
        }
        match &sum {
            Some(sum) => self.steps.note(rule, of, How::Sum(&mut terms.into_iter()), sum),
            None => self.tell_out_of_range(member),
        }
        sum
    }

    pub(super) fn tell_out_of_range(&mut self, member: &'static str) {
        let order = self.order.root();
        let raw = match member {
            "Items" => order.get(order::ITEMS).raw,
            "Discount" => order.get(order::DISCOUNT).raw,
            "Taxes" => order.get(order::TAXES).raw,
            _ => "",
        };
        if raw.is_empty() {
            self.tell_at([], order.raw(), IssueCode::AmountOutOfRange);
        } else {
            self.tell_at([member.into()], raw, IssueCode::AmountOutOfRange);
        }
    }

    /// Price − discount + tax; unknown while one of them is.
    fn net(
        &mut self,
        of: Of,
        price: Option<Decimal>,
        discount: Option<Decimal>,
        tax: Option<Decimal>,
    ) -> Option<Decimal> {
        let (price, discount, tax) = (price?, discount?, tax?);
        let net = subtract(price, discount).and_then(|net| add(net, tax));
        match &net {
            Some(net) => self.steps.note("§2.1", of, How::Net(price, discount, tax), net),
            None => match (of, self.order.root().entries(order::ITEMS, &ITEM)) {
                (Of::Line(index, _), mut items) => {
                    let raw = items.nth(index).map_or("", |item| item.raw);
                    self.tell_at(["Items".into(), Place::Index(index)], raw, IssueCode::AmountOutOfRange);
                }
                _ => self.tell_out_of_range(""),
            },
        }
        net
    }
}
