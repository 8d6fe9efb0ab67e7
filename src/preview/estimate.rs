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
use super::result::TaxSource;
use super::rounder::Rounder;
use super::tax_rate::{ExactTax, TaxableLine, exact_taxes};
use super::trace::{Formula, StepTarget, figures};

/// A tax on a line, before and after rounding.
struct PendingTax {
    line: usize,
    /// The position among the taxes of the line.
    position: usize,
    exact: ExactTax,
    /// The rounded amount, once it is known.
    amount: Option<Decimal>,
}

/// Whether the taxes of one line can be rounded.
#[derive(Clone, Copy, PartialEq, Eq)]
enum LineState {
    Pending,
    /// The taxable amount is unknown, or a tax does not fit.
    Unknown,
}

const ITEMS: Location = Location::Member(&order::ITEMS);

/// Estimates the taxes of every line, and of the order if those of all lines are known.
pub(super) fn estimated_taxes(
    rates: &[TaxRate],
    inputs: &[LineInput],
    lines: &mut [LineAmounts],
    rounder: &mut Rounder,
    log: &mut Log,
) -> TaxAmounts {
    let is_above_one =
        |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate() > Decimal::ONE;
    if rates.iter().any(is_above_one) {
        log.report(Location::Order, IssueCode::TaxRateAboveOne);
    }
    let (mut pending, mut states) = pending_taxes(rates, inputs, lines, log);
    let all_known = !lines.is_empty() && states.iter().all(|state| *state == LineState::Pending);
    let totals = match rounder.tax_per {
        TaxRounding::Line => {
            let all_rounded = round_per_line(lines, &states, &mut pending, rounder, log);
            (all_known && all_rounded).then(|| totals_per_rate(rates.len(), &pending, rounder, log)).flatten()
        }
        TaxRounding::Tax => {
            let totals = all_known.then(|| round_per_tax(rates.len(), &mut pending, rounder, log)).flatten();
            if totals.is_none() {
                // If the tax of one line is unknown, so are the tax over all lines and its share on each line.
                states.fill(LineState::Unknown);
            }
            sum_lines(lines, &states, &pending, rounder, log);
            totals
        }
    };
    let total = totals.as_ref().and_then(|totals| {
        let mut amounts = totals.iter().copied().map(Some);
        log.sum("D12", StepTarget::Total("/tax/total"), rounder.zero(), ITEMS, &mut amounts)
    });
    match (totals, total) {
        (Some(totals), Some(total)) => TaxAmounts {
            source: TaxSource::Estimated,
            total: Some(total),
            entries: totals.into_iter().enumerate().collect(),
        },
        _ => TaxAmounts::unknown(TaxSource::Estimated),
    }
}

/// Calculates the exact taxes of every line, in the order of lines and rates.
fn pending_taxes(
    rates: &[TaxRate],
    inputs: &[LineInput],
    lines: &[LineAmounts],
    log: &mut Log,
) -> (Vec<PendingTax>, Vec<LineState>) {
    let explains = log.trace.is_recorded();
    let mut all_fit = true;
    let mut pending = Vec::with_capacity(lines.len() * rates.len());
    let mut states = Vec::with_capacity(lines.len());
    for (index, (input, line)) in inputs.iter().zip(lines).enumerate() {
        let Some(taxable) = taxable_line(input, line) else {
            states.push(LineState::Unknown);
            continue;
        };
        let Some(taxes) = exact_taxes(rates, &taxable, explains) else {
            all_fit = false;
            states.push(LineState::Unknown);
            continue;
        };
        states.push(LineState::Pending);
        for (position, exact) in taxes.into_iter().enumerate() {
            pending.push(PendingTax { line: index, position, exact, amount: None });
        }
    }
    if !all_fit {
        log.report(ITEMS, IssueCode::AmountOutOfRange);
    }
    (pending, states)
}

/// Returns what the taxes of a line depend on; the taxable amount is the price after the discount (D16).
fn taxable_line(input: &LineInput, line: &LineAmounts) -> Option<TaxableLine> {
    let (quantity, _) = input.priced?;
    let taxable = Exact::new(subtract(line.extended?, line.discount?)?)?;
    Some(TaxableLine { quantity, taxable, catalog_item_id: input.catalog_item_id })
}

/// Rounds each tax on each line; returns false if the taxes of a line are unknown.
fn round_per_line(
    lines: &mut [LineAmounts],
    states: &[LineState],
    pending: &mut [PendingTax],
    rounder: &mut Rounder,
    log: &mut Log,
) -> bool {
    let mut all_known = true;
    let mut pending = pending.iter_mut().peekable();
    for (index, (line, state)) in lines.iter_mut().zip(states).enumerate() {
        let mut is_known = *state == LineState::Pending;
        while let Some(tax) = pending.next_if(|tax| tax.line == index) {
            tax.amount = rounder.round(&tax.exact.amount);
            match tax.amount {
                Some(amount) => {
                    let formula = Formula::Text(&tax.exact.formula);
                    let target = StepTarget::LineTax { line: index, position: tax.position };
                    log.trace.record_rounded("D18", target, formula, &tax.exact.amount, &amount);
                    line.taxes.push((tax.exact.rate, amount));
                }
                None => {
                    log.report(ITEMS, IssueCode::AmountOutOfRange);
                    is_known = false;
                }
            }
        }
        sum_line(index, line, is_known, rounder, log);
        all_known &= is_known;
    }
    all_known
}

/// Rounds each tax once, over all lines, and allocates it to the lines (D17); returns `None` if one does not fit.
fn round_per_tax(
    rates: usize,
    pending: &mut [PendingTax],
    rounder: &mut Rounder,
    log: &mut Log,
) -> Option<Vec<Decimal>> {
    let mut totals = Vec::with_capacity(rates);
    for rate in 0..rates {
        let mut formula = String::new();
        let mut parts = Vec::new();
        for tax in pending.iter().filter(|tax| tax.exact.rate == rate) {
            formula.push_str(if formula.is_empty() { "" } else { " + " });
            formula.push_str(&tax.exact.formula);
            let target = StepTarget::LineTax { line: tax.line, position: tax.position };
            parts.push(Part { target, weight: tax.exact.amount });
        }
        let formula = if formula.is_empty() { "0" } else { &formula };
        let Some((total, shares)) = round_and_allocate(rate, &parts, formula, rounder, log) else {
            log.report(ITEMS, IssueCode::AmountOutOfRange);
            return None;
        };
        for (tax, share) in pending.iter_mut().filter(|tax| tax.exact.rate == rate).zip(shares) {
            tax.amount = Some(share);
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

/// Sums the rounded taxes of each line.
fn sum_lines(
    lines: &mut [LineAmounts],
    states: &[LineState],
    pending: &[PendingTax],
    rounder: &Rounder,
    log: &mut Log,
) {
    let mut pending = pending.iter().peekable();
    for (index, (line, state)) in lines.iter_mut().zip(states).enumerate() {
        while let Some(tax) = pending.next_if(|tax| tax.line == index) {
            line.taxes.extend(tax.amount.map(|amount| (tax.exact.rate, amount)));
        }
        sum_line(index, line, *state == LineState::Pending, rounder, log);
    }
}

fn sum_line(index: usize, line: &mut LineAmounts, is_known: bool, rounder: &Rounder, log: &mut Log) {
    if is_known {
        let mut amounts = line.taxes.iter().map(|(_, amount)| Some(*amount));
        line.tax = log.sum("D12", StepTarget::Line(index, "tax"), rounder.zero(), ITEMS, &mut amounts);
    } else {
        line.taxes.clear();
    }
}

/// Sums the rounded taxes of each rate over the lines.
fn totals_per_rate(
    rates: usize,
    pending: &[PendingTax],
    rounder: &Rounder,
    log: &mut Log,
) -> Option<Vec<Decimal>> {
    let mut totals = Vec::with_capacity(rates);
    for rate in 0..rates {
        let mut amounts = pending.iter().filter(|tax| tax.exact.rate == rate).map(|tax| tax.amount);
        totals.push(log.sum("D12", StepTarget::TaxEntry(rate), rounder.zero(), ITEMS, &mut amounts)?);
    }
    Some(totals)
}
