//! The exact tax of one rate on one line, before rounding: one function per type of rate (D12, D16).

use rust_decimal::Decimal;

use crate::decimal::{Exact, to_plain_string};
use crate::guid::Guid;
use crate::options::{TaxLayer, TaxRate, TaxRateType};

use super::trace::figures;

/// The values that the taxes of a line depend on.
pub(super) struct TaxableLine {
    pub(super) quantity: Decimal,
    /// The extended price after the discount (D16).
    pub(super) taxable: Exact,
    pub(super) catalog_item_id: Option<Guid>,
}

/// The exact tax of one rate on one line.
pub(super) struct ExactTax {
    /// The index of the rate.
    pub(super) rate: usize,
    pub(super) amount: Exact,
    /// The computation in figures; empty unless it is explained.
    pub(super) formula: String,
}

/// Calculates the taxes of a line in the order of the rates; returns `None` if one does not fit.
///
/// Layer 0 applies to the taxable amount, layer 1 to that plus the exact taxes of layer 0.
pub(super) fn exact_taxes(rates: &[TaxRate], line: &TaxableLine, explains: bool) -> Option<Vec<ExactTax>> {
    let applicable = || rates.iter().enumerate().filter(|(_, rate)| applies(rate, line));
    let mut compounded = line.taxable;
    if rates.iter().any(|rate| rate.layer == TaxLayer::One) {
        for (_, rate) in applicable().filter(|(_, rate)| rate.layer == TaxLayer::Zero) {
            let (amount, _) = exact_tax(rate, line.quantity, &line.taxable, false)?;
            compounded = compounded.plus(&amount)?;
        }
    }
    let mut taxes = Vec::with_capacity(rates.len());
    for (index, rate) in applicable() {
        let taxable = match rate.layer {
            TaxLayer::Zero => &line.taxable,
            TaxLayer::One => &compounded,
        };
        let (amount, formula) = exact_tax(rate, line.quantity, taxable, explains)?;
        taxes.push(ExactTax { rate: index, amount, formula });
    }
    Some(taxes)
}

fn applies(rate: &TaxRate, line: &TaxableLine) -> bool {
    match &rate.catalog_item_ids {
        Some(ids) => line.catalog_item_id.is_some_and(|id| ids.contains(&id)),
        None => true,
    }
}

fn exact_tax(rate: &TaxRate, quantity: Decimal, taxable: &Exact, explains: bool) -> Option<(Exact, String)> {
    match rate.rate_type {
        TaxRateType::Percentage => percentage(rate.rate(), taxable, explains),
        TaxRateType::FlatRate => flat_rate(rate.rate(), quantity, explains),
    }
}

/// Calculates a fraction of the taxable amount.
fn percentage(rate: Decimal, taxable: &Exact, explains: bool) -> Option<(Exact, String)> {
    let formula = if explains { product(&figures(taxable), rate) } else { String::new() };
    Some((taxable.times(rate)?, formula))
}

/// Calculates an amount per unit sold, whatever the price.
fn flat_rate(rate: Decimal, quantity: Decimal, explains: bool) -> Option<(Exact, String)> {
    let formula = if explains { product(&to_plain_string(&quantity), rate) } else { String::new() };
    Some((Exact::new(quantity)?.times(rate)?, formula))
}

fn product(left: &str, rate: Decimal) -> String {
    [left, " × ", &to_plain_string(&rate)].concat()
}
