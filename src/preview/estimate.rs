//! The estimated taxes of lines, from rates that the caller knows, rounded per line or per tax (D12, D16–D18).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Amount, Rounding};
use crate::options::{TaxRate, TaxRateType, TaxRounding};

use super::allocate::{Part, allocate};
use super::input::LineInput;
use super::lines::{ITEMS, LineAmounts};
use super::log::{Location, Log};
use super::tax_rate::TaxableLine;
use super::trace::{Formula, StepTarget, figures};

/// The rates of an estimate, and how taxes are rounded.
pub(super) struct Estimate<'e> {
    pub(super) rates: &'e [TaxRate],
    pub(super) level: TaxRounding,
    pub(super) scale: u32,
    pub(super) mode: Rounding,
}

/// A tax on a line, before and after rounding.
struct PendingTax {
    target: StepTarget,
    /// The index of the rate.
    rate: usize,
    exact: Amount,
    /// The computation in figures; empty unless it is explained.
    formula: String,
    /// The rounded amount, once it is known.
    amount: Option<Amount>,
}

/// The taxes of a line; `None` if the taxable amount or the rates of the item are unknown, or a tax does not fit.
type LineTaxes = Option<Vec<PendingTax>>;

impl Estimate<'_> {
    /// Calculates the taxes of every line. Returns the tax of each rate, none if one is unknown or does not fit, and their sum.
    pub(super) fn taxes(
        &self,
        inputs: &[LineInput],
        lines: &mut [LineAmounts],
        log: &mut Log,
    ) -> (Vec<Amount>, Option<Amount>) {
        let is_above_one =
            |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate() > Decimal::ONE;
        if self.rates.iter().any(is_above_one) {
            log.report(Location::Order, IssueCode::TaxRateAboveOne);
        }
        let mut taxes = self.exact_taxes(inputs, lines, log);
        let once = if self.level == TaxRounding::Tax { self.round_per_tax(&mut taxes, log) } else { None };
        for (index, (line, taxes)) in lines.iter_mut().zip(&mut taxes).enumerate() {
            match self.level {
                TaxRounding::Line => self.round_per_line(taxes, log),
                // If the tax of one line is unknown, so are the tax over all lines and its share on each line.
                TaxRounding::Tax if once.is_none() => *taxes = None,
                TaxRounding::Tax => {}
            }
            let Some(taxes) = taxes else { continue };
            line.taxes.extend(taxes.iter().filter_map(|tax| Some((tax.rate, tax.amount?))));
            let target = StepTarget::Line(index, "tax");
            let amounts: Vec<_> = taxes.iter().map(|tax| tax.amount).collect();
            line.tax = log.sum("D12", target, self.scale, Some(ITEMS), &amounts);
        }
        let totals = once.or_else(|| self.sums(&taxes, log));
        let target = StepTarget::Total("/tax/total");
        let total = totals.as_ref().and_then(|totals| {
            let totals: Vec<_> = totals.iter().copied().map(Some).collect();
            log.sum("D12", target, self.scale, Some(ITEMS), &totals)
        });
        (totals.filter(|_| total.is_some()).unwrap_or_default(), total)
    }

    /// Calculates the exact taxes of every line, in the order of lines and rates.
    fn exact_taxes(&self, inputs: &[LineInput], lines: &[LineAmounts], log: &mut Log) -> Vec<LineTaxes> {
        let mut all_fit = true;
        let mut taxes = Vec::with_capacity(lines.len());
        for (index, (input, line)) in inputs.iter().zip(lines).enumerate() {
            let known = line.taxable().zip(input.priced).filter(|_| input.has_known_rates(self.rates));
            taxes.push(known.and_then(|(taxable, (quantity, _))| {
                let line = TaxableLine::new(self.rates, quantity, taxable, input.catalog_item_id);
                let taxes = line.and_then(|line| self.line_taxes(index, &line, log.trace.is_recorded()));
                all_fit &= taxes.is_some();
                taxes
            }));
        }
        if !all_fit {
            log.report(ITEMS, IssueCode::AmountOutOfRange);
        }
        taxes
    }

    /// Calculates the exact taxes of a line in the order of the rates; returns `None` if one does not fit.
    fn line_taxes(&self, line: usize, taxable: &TaxableLine, explains: bool) -> LineTaxes {
        let mut taxes = Vec::with_capacity(self.rates.len());
        for (index, rate) in self.rates.iter().enumerate().filter(|(_, rate)| taxable.has(rate)) {
            taxes.push(PendingTax {
                target: StepTarget::LineTax { line, position: taxes.len() },
                rate: index,
                exact: taxable.tax(rate)?,
                formula: if explains { taxable.formula(rate) } else { String::new() },
                amount: None,
            });
        }
        Some(taxes)
    }

    /// Rounds each tax on a line; the taxes are unknown if one does not fit.
    fn round_per_line(&self, taxes: &mut LineTaxes, log: &mut Log) {
        let mut all_fit = true;
        for tax in taxes.iter_mut().flatten() {
            tax.amount = tax.exact.rounded(self.mode, self.scale);
            match &tax.amount {
                Some(amount) => {
                    let formula = Formula::Text(&tax.formula);
                    log.trace.record_rounded("D18", tax.target, formula, &tax.exact, amount);
                }
                None => {
                    log.report(ITEMS, IssueCode::AmountOutOfRange);
                    all_fit = false;
                }
            }
        }
        if !all_fit {
            *taxes = None;
        }
    }

    /// Rounds each tax once, over all lines, and allocates it to the lines (D17). Returns the taxes, `None` if one is unknown or does
    /// not fit.
    fn round_per_tax(&self, lines: &mut [LineTaxes], log: &mut Log) -> Option<Vec<Amount>> {
        if !all_known(lines) {
            return None;
        }
        let mut totals = Vec::with_capacity(self.rates.len());
        for rate in 0..self.rates.len() {
            let mut formula = String::new();
            let mut parts = Vec::new();
            let mut sum = Some(Amount::zero(0));
            for tax in taxes_of(lines, rate) {
                formula.push_str(if formula.is_empty() { "" } else { " + " });
                formula.push_str(&tax.formula);
                parts.push(Part { target: tax.target, weight: tax.exact });
                sum = sum.and_then(|sum| sum.plus(tax.exact));
            }
            let formula = Formula::Text(if formula.is_empty() { "0" } else { &formula });
            let total = sum.and_then(|sum| sum.rounded(self.mode, self.scale));
            if let (Some(exact), Some(total)) = (&sum, &total) {
                log.trace.record_rounded("D18", StepTarget::TaxEntry(rate), formula, exact, total);
            }
            let shares = total.and_then(|total| allocate(total, &parts, self.scale, figures, log));
            let Some((total, shares)) = total.zip(shares) else {
                log.report(ITEMS, IssueCode::AmountOutOfRange);
                return None;
            };
            let taxes = lines.iter_mut().flatten().flatten().filter(|tax| tax.rate == rate);
            taxes.zip(shares).for_each(|(tax, share)| tax.amount = Some(share));
            totals.push(total);
        }
        Some(totals)
    }

    /// Sums each tax over the lines, on which it is rounded; returns `None` if one is unknown or does not fit.
    fn sums(&self, lines: &[LineTaxes], log: &mut Log) -> Option<Vec<Amount>> {
        if !all_known(lines) {
            return None;
        }
        let mut sums = Vec::with_capacity(self.rates.len());
        for rate in 0..self.rates.len() {
            let amounts: Vec<_> = taxes_of(lines, rate).map(|tax| tax.amount).collect();
            sums.push(log.sum("D12", StepTarget::TaxEntry(rate), self.scale, Some(ITEMS), &amounts)?);
        }
        Some(sums)
    }
}

/// Returns true if the taxes of all lines are known, and there are lines.
fn all_known(lines: &[LineTaxes]) -> bool {
    !lines.is_empty() && lines.iter().all(Option::is_some)
}

/// Iterates over the taxes of one rate on all lines.
fn taxes_of(lines: &[LineTaxes], rate: usize) -> impl Iterator<Item = &PendingTax> {
    lines.iter().flatten().flatten().filter(move |tax| tax.rate == rate)
}
