//! The amounts of an order: price → discount → tax → total, under one rounding (D18, D19). They come from the sums of its lines.
//! The amounts of lines are shares of them, and calculated only if there is a list for them.

use std::borrow::Cow;
use std::cell::OnceCell;

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Amount, Rounding};
use crate::options::{AmountOptions, TaxRate, TaxRateType, TaxRounding};
use crate::order::order;
use crate::record::Record;

use super::allocate::discount_shares;
use super::discount::Discount;
use super::estimate::{Estimate, ITEMS, all_known};
use super::input::{Input, LineInput, SuppliedTax, TaxInput};
use super::lines::LineAmounts;
use super::log::{Location, Log};
use super::result::TaxSource;
use super::running_totals::RunningTotals;
use super::tax_sums::TaxSums;
use super::trace::StepTarget;

/// How a preview treats the lines.
#[derive(Clone, Copy)]
pub enum LineDetail {
    /// Calculates and returns the lines.
    Full,
    /// Leaves the lines out of the result; calculates them only if the total is unknown, to report why.
    Omitted,
}

/// The input of the amounts that is the same under every rounding mode.
pub(super) struct Calculation<'c, 'a> {
    order: Record<'c, 'a>,
    input: &'c Input<'a>,
    /// `None` if no taxes are estimated.
    rates: Option<&'c [TaxRate]>,
    level: TaxRounding,
    pub(super) scale: u32,
    /// `None` if there are no lines.
    sums: Option<RunningTotals>,
    lines: OnceCell<Vec<LineInput>>,
}

/// The amounts of an order under one rounding; unknown ones are `None`.
pub(super) struct OrderAmounts<'c> {
    pub(super) subtotal: Option<Amount>,
    pub(super) discount: Discount,
    pub(super) tax_source: TaxSource,
    pub(super) tax: Option<Amount>,
    /// The estimated tax of each rate; empty if their sum is unknown.
    pub(super) taxes: Vec<Amount>,
    pub(super) total: Option<Amount>,
    /// The sums of the estimated taxes. They hold under every rounding mode if the prices are the same under all.
    pub(super) tax_sums: Option<Cow<'c, TaxSums>>,
}

impl<'c, 'a> Calculation<'c, 'a> {
    /// Sums the lines.
    pub(super) fn new(order: Record<'c, 'a>, input: &'c Input<'a>, options: &'c AmountOptions) -> Self {
        let scale = options.scale.digits();
        let rates = options.tax_rates.as_deref().filter(|_| matches!(input.taxes, TaxInput::Absent));
        let sums = RunningTotals::of_order(order, scale, rates.filter(|_| !input.is_discounted()));
        let (level, lines) = (options.round_tax_per, OnceCell::new());
        Self { order, input, rates, level, scale, sums, lines }
    }

    pub(super) fn lines(&self) -> &[LineInput] {
        self.lines.get_or_init(|| LineInput::of_order(self.order, self.rates, self.scale).collect())
    }

    /// Calculates the amounts under one rounding mode. If there are `lines` with their prices, sets their other amounts.
    pub(super) fn amounts(
        &self,
        mode: Rounding,
        mut lines: Option<&mut [LineAmounts]>,
        log: &mut Log,
    ) -> OrderAmounts<'_> {
        let mut amounts = self.untaxed(mode, lines.as_deref_mut(), log);
        match &self.input.taxes {
            TaxInput::Supplied(taxes) => {
                amounts.tax = self.supplied(taxes, lines.as_deref_mut(), log);
            }
            TaxInput::Absent => {
                if let Some(rates) = self.rates {
                    let estimate = Estimate { rates, level: self.level, scale: self.scale, mode };
                    self.estimate(&estimate, &mut amounts, lines.as_deref_mut(), log);
                }
            }
            TaxInput::Unknown => {}
        }
        for (index, line) in lines.into_iter().flatten().enumerate() {
            let target = StepTarget::Line(index, "total");
            let parts = [line.extended, line.discount, line.tax];
            line.total = log.net(target, Location::Item(index), self.scale, parts);
        }
        amounts.total = self.total(&amounts, amounts.tax, log);
        amounts
    }

    /// Calculates subtotal and discount, and the sums of estimated taxes.
    pub(super) fn untaxed(
        &self,
        mode: Rounding,
        mut lines: Option<&mut [LineAmounts]>,
        log: &mut Log,
    ) -> OrderAmounts<'_> {
        let scale = self.scale;
        let subtotal = self.subtotal(mode, lines.as_deref(), log);
        let mut discount = Discount::new(&self.input.discount, subtotal, scale, mode, log);
        discount.has_tie |= self.sums.as_ref().is_some_and(|sums| sums.has_tie());
        let needs_shares = lines.is_some() || self.rates.is_some() && self.input.is_discounted();
        let shares = discount.total.filter(|_| needs_shares).and_then(|discount| {
            let prices = self.lines().iter().map(|line| line.extended(mode, scale));
            discount_shares(discount, prices, scale, log)
        });
        for (line, share) in lines.iter_mut().flat_map(|lines| lines.iter_mut()).zip(shares.iter().flatten())
        {
            line.discount = Some(*share);
        }
        let tax_source = match (&self.input.taxes, self.rates) {
            (TaxInput::Supplied(_) | TaxInput::Unknown, _) => TaxSource::Supplied,
            (TaxInput::Absent, Some(_)) => TaxSource::Estimated,
            (TaxInput::Absent, None) => TaxSource::PointOfSale,
        };
        let tax_sums = self.rates.filter(|_| discount.total.is_some()).and_then(|rates| {
            if self.input.is_discounted() {
                self.discounted_taxes(rates, shares.as_deref()?, mode).map(Cow::Owned)
            } else {
                Some(Cow::Borrowed(&self.sums.as_ref()?.taxes))
            }
        });
        OrderAmounts { subtotal, discount, tax_source, tax: None, taxes: Vec::new(), total: None, tax_sums }
    }

    fn subtotal(&self, mode: Rounding, lines: Option<&[LineAmounts]>, log: &mut Log) -> Option<Amount> {
        let sums = self.sums.as_ref()?;
        if let Some(lines) = lines {
            let target = StepTarget::Total("/subtotal");
            return log.sum("D18", target, self.scale, ITEMS, &mut lines.iter().map(|line| line.extended));
        }
        if sums.is_out_of_range(mode, self.scale) {
            log.report(ITEMS, IssueCode::AmountOutOfRange);
        }
        sums.total(mode, self.scale)
    }

    /// Sums the taxes on the prices after the discount. Without a tie, prices and shares are the same under every mode.
    fn discounted_taxes(&self, rates: &[TaxRate], shares: &[Amount], mode: Rounding) -> Option<TaxSums> {
        let mut sums = TaxSums::none(rates);
        for (line, share) in self.lines().iter().zip(shares) {
            let taxable = line.extended(mode, self.scale)?.minus(*share)?;
            sums.add(rates, line, taxable.exact(), self.scale, None);
        }
        Some(sums)
    }

    /// Sums the supplied taxes, which replace all others and are never recalculated. They are all on the first line (§2.1, D11).
    fn supplied(
        &self,
        taxes: &[SuppliedTax<'_>],
        lines: Option<&mut [LineAmounts]>,
        log: &mut Log,
    ) -> Option<Amount> {
        for (index, tax) in taxes.iter().enumerate() {
            if tax.amount.is_some_and(|amount| amount.scale() > self.scale) {
                log.report(Location::TaxAmount(index), IssueCode::TaxAmountFractionDigits);
            }
        }
        let location = Location::Member(&order::TAXES);
        let mut sum = |rule, target| {
            log.sum(rule, target, self.scale, location, &mut taxes.iter().map(|tax| tax.amount))
        };
        let total = sum("D11", StepTarget::Total("/tax/total"));
        if let Some([first, others @ ..]) = lines {
            first.tax = total.and_then(|_| sum("§2.1", StepTarget::Line(0, "tax")));
            let with_id = taxes.iter().enumerate().filter(|(_, tax)| tax.id.is_some());
            first.taxes.extend(with_id.filter_map(|(index, tax)| Some((index, tax.amount?))));
            others.iter_mut().for_each(|line| line.tax = Some(Amount::zero(self.scale)));
        }
        total
    }

    /// Estimates the taxes. They are unknown if those of one line are.
    fn estimate(
        &self,
        estimate: &Estimate<'_>,
        amounts: &mut OrderAmounts<'_>,
        lines: Option<&mut [LineAmounts]>,
        log: &mut Log,
    ) {
        let is_above_one =
            |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate() > Decimal::ONE;
        if estimate.rates.iter().any(is_above_one) {
            log.report(Location::Order, IssueCode::TaxRateAboveOne);
        }
        let (line_taxes, is_known) = match lines {
            Some(lines) => {
                let taxes = estimate.tax_lines(self.lines(), amounts.tax_sums.as_deref(), lines, log);
                let is_known = all_known(&taxes);
                (taxes, is_known)
            }
            None => (Vec::new(), amounts.subtotal.is_some()),
        };
        if let Some(sums) = amounts.tax_sums.as_deref().filter(|_| is_known) {
            (amounts.taxes, amounts.tax) = estimate.totals(sums, &line_taxes, log);
        }
    }

    pub(super) fn total(
        &self,
        amounts: &OrderAmounts<'_>,
        tax: Option<Amount>,
        log: &mut Log,
    ) -> Option<Amount> {
        let parts = [amounts.subtotal, amounts.discount.total, tax];
        log.net(StepTarget::Total("/total"), Location::Order, self.scale, parts)
    }
}
