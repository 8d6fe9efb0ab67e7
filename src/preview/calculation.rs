//! The computation of a preview, for one rounding and one tax level.

use rust_decimal::Decimal;

use crate::code::Code;
use crate::decimal::{Exact, Rounding, add, pad, plain, subtract};
use crate::draft::Sums;
use crate::issue::{Issues, Place};
use crate::options::{PreviewOptions, TaxRounding};
use crate::written::{Member, WrittenItem, WrittenOrder};

use super::steps::{Step, Steps, line_pointer};
use super::{DiscountPreview, LineTax, PennyRisk, TaxPreview, TaxSource, steps};

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
    pub(super) taxes: Vec<LineTax>,
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

    pub(super) fn into_steps(mut self, penny_risk: Option<&PennyRisk>) -> Option<Vec<Step>> {
        if let Some(PennyRisk { min, max }) = penny_risk {
            for (of, which, result) in [("min", "lowest", min), ("max", "highest", max)] {
                self.steps.note(
                    "D19",
                    || ["/pennyRisk/", of].concat(),
                    || [which, " total over all roundings and tax levels"].concat(),
                    || plain(result),
                    result,
                );
            }
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
        self.share_discount(&mut lines, subtotal, discount.total);
        let tax = self.tax(&mut lines);
        self.line_totals(&mut lines);
        let total = self.total(subtotal, discount.total, tax.total);
        Amounts { lines, subtotal, discount, tax, total }
    }

    /// Zero at the scale of the currency.
    pub(super) fn zero(&self) -> Decimal {
        pad(Decimal::ZERO, self.options.scale)
    }

    /// The one rounding of a value.
    pub(super) fn round(&mut self, exact: Exact) -> Option<Decimal> {
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

    pub(super) fn tell_at<const N: usize>(&mut self, place: [Place<'a>; N], raw: &str, code: Code) {
        self.tell(|issues| issues.at_place(place, raw, code));
    }

    /// Quantity × unit price, rounded once (D18).
    fn extended_prices(&mut self) -> Vec<LineAmounts> {
        let order = self.order;
        let items = order.items.get().into_iter().flatten().enumerate();
        items.map(|(index, item)| self.extended_price(index, item)).collect()
    }

    fn extended_price(&mut self, index: usize, item: &Member<'a, WrittenItem<'a>>) -> LineAmounts {
        let Some((quantity, price)) = item.get().and_then(factors) else {
            return LineAmounts::default();
        };
        let exact = Exact::new(quantity).and_then(|exact| exact.times(price));
        let extended = exact.and_then(|exact| self.round(exact));
        match (exact, extended) {
            (Some(exact), Some(extended)) => self.steps.note(
                "D18",
                || line_pointer(index, "extended"),
                || steps::product(&plain(&quantity), &price),
                || steps::figures(exact),
                &extended,
            ),
            _ => self.tell_at(["Items".into(), Place::Index(index)], item.raw, Code::AmountOutOfRange),
        }
        LineAmounts { extended, ..LineAmounts::default() }
    }

    /// Sum of the rounded extended prices; an order without lines has none.
    fn subtotal(&mut self, lines: &[LineAmounts]) -> Option<Decimal> {
        if lines.is_empty() {
            return None;
        }
        let subtotal = self.sum("Items", lines.iter().map(|line| line.extended))?;
        let terms = lines.iter().filter_map(|line| line.extended.as_ref());
        self.steps.note_sum("D18", || "/subtotal".to_owned(), terms, &subtotal);
        Some(subtotal)
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
        member: &'static str,
        amounts: impl IntoIterator<Item = Option<Decimal>>,
    ) -> Option<Decimal> {
        let mut sum = Some(self.zero());
        for amount in amounts {
            let amount = amount?;
            sum = sum.and_then(|sum| add(sum, amount));
        }
        if sum.is_none() {
            self.tell_out_of_range(member);
        }
        sum
    }

    pub(super) fn tell_out_of_range(&mut self, member: &'static str) {
        let raw = match member {
            "Items" => self.order.items.raw,
            "Discount" => self.order.discount.raw,
            "Taxes" => self.order.taxes.raw,
            _ => self.order.raw,
        };
        if raw.is_empty() {
            self.tell_at([], self.order.raw, Code::AmountOutOfRange);
        } else {
            self.tell_at([member.into()], raw, Code::AmountOutOfRange);
        }
    }

    fn line_totals(&mut self, lines: &mut [LineAmounts]) {
        for (index, line) in lines.iter_mut().enumerate() {
            line.total = self.net(|| line_pointer(index, "total"), line.extended, line.discount, line.tax);
        }
    }

    fn total(
        &mut self,
        subtotal: Option<Decimal>,
        discount: Option<Decimal>,
        tax: Option<Decimal>,
    ) -> Option<Decimal> {
        self.net(|| "/total".to_owned(), subtotal, discount, tax)
    }

    /// Price − discount + tax; unknown while one of them is.
    fn net(
        &mut self,
        of: impl FnOnce() -> String,
        price: Option<Decimal>,
        discount: Option<Decimal>,
        tax: Option<Decimal>,
    ) -> Option<Decimal> {
        let (price, discount, tax) = (price?, discount?, tax?);
        let net = subtract(price, discount).and_then(|net| add(net, tax));
        let Some(net) = net else {
            self.tell_out_of_range("");
            return None;
        };
        let expression = || [&plain(&price), " − ", &plain(&discount), " + ", &plain(&tax)].concat();
        self.steps.note("§2.1", of, expression, || plain(&net), &net);
        Some(net)
    }
}

/// Quantity and price of an item, where neither breaks a rule (D6, D7).
pub(crate) fn factors(item: &WrittenItem<'_>) -> Option<(Decimal, Decimal)> {
    let quantity = item.quantity.get().filter(|quantity| **quantity > Decimal::ZERO)?;
    let price = item.sell_at_price_per_unit.get().filter(|price| **price >= Decimal::ZERO)?;
    Some((*quantity, *price))
}
