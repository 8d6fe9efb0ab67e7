//! An estimate of the taxes from rates that the caller knows, rounded per line or per tax (D12, D16–D18).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Exact, subtract};
use crate::options::{TaxRate, TaxRateType, TaxRounding};
use crate::order::order;

use super::allocate::{Part, allocate};
use super::amounts::{LineAmounts, TaxAmounts};
use super::input::LineInput;
use super::log::{Location, Log};
use super::rounder::Rounder;
use super::tax_rate::TaxableLine;
use super::trace::{Formula, StepTarget, figures};

/// A tax on a line, before and after rounding.
struct PendingTax {
    target: StepTarget,
    /// The index of the rate.
    rate: usize,
    exact: Exact,
    /// The computation in figures; empty unless it is explained.
    formula: String,
    /// The rounded amount, once it is known.
    amount: Option<Decimal>,
}

/// The taxes of a line; `None` if the taxable amount is unknown, or a tax does not fit.
type LineTaxes = Option<Vec<PendingTax>>;

const ITEMS: Location = Location::Member(&order::ITEMS);

/// Estimates the taxes of every line, and of the order if those of all lines are known.
pub(super) fn estimated_taxes(
    rates: &[TaxRate],
    inputs: &[LineInput],
    lines: &mut [LineAmounts],
    rounder: &mut Rounder,
    log: &mut Log,
) -> TaxAmounts {
    report_rates(rates, log);
    let mut taxes = exact_taxes(rates, inputs, lines, log);
    let mut totals = None;
    if rounder.tax_per == TaxRounding::Tax {
        totals = round_per_tax(rates.len(), &mut taxes, rounder, log);
        if totals.is_none() {
            // If the tax of one line is unknown, so are the tax over all lines and its share on each line.
            taxes.fill_with(|| None);
        }
    }
    for (index, (line, taxes)) in lines.iter_mut().zip(&mut taxes).enumerate() {
        if rounder.tax_per == TaxRounding::Line {
            round_per_line(taxes, rounder, log);
        }
        sum_line(index, line, taxes, rounder, log);
    }
    if rounder.tax_per == TaxRounding::Line {
        totals = totals_per_rate(rates.len(), &taxes, rounder, log);
    }
    let total = totals.as_ref().and_then(|totals| {
        let amounts: Vec<_> = totals.iter().copied().map(Some).collect();
        log.sum("D12", StepTarget::Total("/tax/total"), rounder.zero(), ITEMS, &amounts)
    });
    TaxAmounts::estimated(totals, total)
}

/// Reports a percentage above 1.
pub(super) fn report_rates(rates: &[TaxRate], log: &mut Log) {
    let is_above_one =
        |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate() > Decimal::ONE;
    if rates.iter().any(is_above_one) {
        log.report(Location::Order, IssueCode::TaxRateAboveOne);
    }
}

/// Calculates the exact taxes of every line, in the order of lines and rates.
fn exact_taxes(
    rates: &[TaxRate],
    inputs: &[LineInput],
    lines: &[LineAmounts],
    log: &mut Log,
) -> Vec<LineTaxes> {
    let mut all_fit = true;
    let mut taxes = Vec::with_capacity(lines.len());
    for (index, (input, line)) in inputs.iter().zip(lines).enumerate() {
        taxes.push(taxable(input, line).and_then(|(quantity, taxable)| {
            let line = TaxableLine::new(rates, quantity, taxable, input.catalog_item_id);
            let taxes = line.and_then(|line| line_taxes(index, rates, &line, log.trace.is_recorded()));
            all_fit &= taxes.is_some();
            taxes
        }));
    }
    if !all_fit {
        log.report(ITEMS, IssueCode::AmountOutOfRange);
    }
    taxes
}

/// Returns the quantity, and the taxable amount: the price after the discount (D16).
fn taxable(input: &LineInput, line: &LineAmounts) -> Option<(Decimal, Exact)> {
    let (quantity, _) = input.priced?;
    Some((quantity, Exact::new(subtract(line.extended?, line.discount?)?)?))
}

/// Calculates the exact taxes of a line in the order of the rates; returns `None` if one does not fit.
fn line_taxes(line: usize, rates: &[TaxRate], taxable: &TaxableLine, explains: bool) -> LineTaxes {
    let mut taxes = Vec::with_capacity(rates.len());
    for (index, rate) in rates.iter().enumerate().filter(|(_, rate)| taxable.has(rate)) {
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
fn round_per_line(taxes: &mut LineTaxes, rounder: &mut Rounder, log: &mut Log) {
    let mut all_fit = true;
    for tax in taxes.iter_mut().flatten() {
        tax.amount = rounder.round(&tax.exact);
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

/// Rounds each tax once, over all lines, and allocates it to the lines (D17); returns `None` if one is unknown or does not fit.
fn round_per_tax(
    rates: usize,
    lines: &mut [LineTaxes],
    rounder: &mut Rounder,
    log: &mut Log,
) -> Option<Vec<Decimal>> {
    if !all_known(lines) {
        return None;
    }
    let mut totals = Vec::with_capacity(rates);
    for rate in 0..rates {
        let mut formula = String::new();
        let mut parts = Vec::new();
        for line in lines.iter().flatten() {
            for tax in line.iter().filter(|tax| tax.rate == rate) {
                formula.push_str(if formula.is_empty() { "" } else { " + " });
                formula.push_str(&tax.formula);
                parts.push(Part { target: tax.target, weight: tax.exact });
            }
        }
        let formula = if formula.is_empty() { "0" } else { &formula };
        let Some((total, shares)) = round_and_allocate(rate, &parts, formula, rounder, log) else {
            log.report(ITEMS, IssueCode::AmountOutOfRange);
            return None;
        };
        let mut shares = shares.into_iter();
        for line in lines.iter_mut().flatten() {
            for tax in line.iter_mut().filter(|tax| tax.rate == rate) {
                tax.amount = shares.next();
            }
        }
        totals.push(total);
    }
    Some(totals)
}

fn round_and_allocate(
    rate: usize,
    parts: &[Part],
    formula: &str,
    rounder: &mut Rounder,
    log: &mut Log,
) -> Option<(Decimal, Vec<Decimal>)> {
    let sum = parts.iter().try_fold(Exact::ZERO, |sum, part| sum.plus(&part.weight))?;
    let total = rounder.round(&sum)?;
    log.trace.record_rounded("D18", StepTarget::TaxEntry(rate), Formula::Text(formula), &sum, &total);
    Some((total, allocate(total, parts, rounder.scale, figures, log)?))
}

/// Returns true if the taxes of all lines are known, and there are lines.
fn all_known(lines: &[LineTaxes]) -> bool {
    !lines.is_empty() && lines.iter().all(Option::is_some)
}

/// Sums the rounded taxes of a line.
fn sum_line(index: usize, line: &mut LineAmounts, taxes: &LineTaxes, rounder: &Rounder, log: &mut Log) {
    let Some(taxes) = taxes else { return };
    line.taxes.extend(taxes.iter().filter_map(|tax| Some((tax.rate, tax.amount?))));
    let amounts: Vec<_> = taxes.iter().map(|tax| tax.amount).collect();
    line.tax = log.sum("D12", StepTarget::Line(index, "tax"), rounder.zero(), ITEMS, &amounts);
}

/// Sums the rounded taxes of each rate over the lines.
fn totals_per_rate(
    rates: usize,
    lines: &[LineTaxes],
    rounder: &Rounder,
    log: &mut Log,
) -> Option<Vec<Decimal>> {
    if !all_known(lines) {
        return None;
    }
    let mut totals = Vec::with_capacity(rates);
    for rate in 0..rates {
        let mut amounts = Vec::with_capacity(lines.len());
        for line in lines.iter().flatten() {
            let taxes = line.iter().filter(|tax| tax.rate == rate);
            amounts.extend(taxes.map(|tax| tax.amount));
        }
        totals.push(log.sum("D12", StepTarget::TaxEntry(rate), rounder.zero(), ITEMS, &amounts)?);
    }
    Some(totals)
}
