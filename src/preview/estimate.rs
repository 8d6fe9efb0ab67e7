//! An estimate of the taxes from rates that the caller knows (D12, D16–D18).

use rust_decimal::Decimal;

use crate::code::Code;
use crate::decimal::{Exact, plain, subtract};
use crate::options::{TaxLayer, TaxRate, TaxRateType, TaxRounding};
use crate::shape::{ITEM, item, order};
use crate::written::Record;

use super::calculation::{Calculation, LineAmounts, factors};
use super::shares::{quotient, shares};
use super::steps::line_pointer;
use super::tax::unknown;
use super::{LineTax, TaxEntry, TaxPreview, TaxSource, steps};

/// One tax on one line before rounding.
struct ExactTax {
    /// Position of its rate.
    rate: usize,
    exact: Exact,
    expression: String,
}

impl Calculation<'_, '_, '_> {
    /// An estimate from rates; the discount comes first (D12, D16).
    pub(super) fn estimated(&mut self, rates: &[TaxRate], lines: &mut [LineAmounts]) -> TaxPreview {
        let above_one =
            |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate > Decimal::ONE;
        if rates.iter().any(above_one) {
            let order = self.order.root().raw();
            self.tell(|issues| issues.at(order, Code::TaxRateAboveOne));
        }
        let exact = self.exact_taxes(rates, lines);
        let amounts = match self.round_tax_per {
            TaxRounding::Line => self.rounded_per_line(rates, lines, &exact),
            TaxRounding::Tax => self.rounded_per_tax(rates, lines, &exact),
        };
        let Some(amounts) = amounts else {
            return unknown(TaxSource::Estimated);
        };
        let entries: Vec<_> = rates
            .iter()
            .zip(&amounts)
            .map(|(rate, amount)| TaxEntry {
                tax_id: rate.id.clone(),
                name: rate.name.clone(),
                amount: *amount,
            })
            .collect();
        let total = self.sum("Items", amounts.iter().copied().map(Some));
        match &total {
            Some(total) => {
                self.steps.note_sum("D12", || "/tax/total".to_owned(), &amounts, total);
                TaxPreview { source: TaxSource::Estimated, total: Some(*total), entries }
            }
            None => unknown(TaxSource::Estimated),
        }
    }

    /// The taxes of every line before rounding; nothing for a line whose taxable amount is not known.
    fn exact_taxes(&mut self, rates: &[TaxRate], lines: &[LineAmounts]) -> Vec<Option<Vec<ExactTax>>> {
        let items = self.order.root().entries(order::ITEMS, &ITEM);
        let mut out_of_range = false;
        let exact = lines
            .iter()
            .zip(items)
            .map(|(line, item)| {
                let taxable = subtract(line.extended?, line.discount?)?;
                let taxes = line_taxes(rates, item.record?, taxable, self.options.explain);
                out_of_range |= taxes.is_none();
                taxes
            })
            .collect();
        if out_of_range {
            self.tell_out_of_range("Items");
        }
        exact
    }

    /// Rounds each tax on each line; a tax is the sum over the lines.
    fn rounded_per_line(
        &mut self,
        rates: &[TaxRate],
        lines: &mut [LineAmounts],
        exact: &[Option<Vec<ExactTax>>],
    ) -> Option<Vec<Decimal>> {
        let mut sums: Vec<_> = rates.iter().map(|_| Vec::new()).collect();
        let mut all_known = true;
        for (index, (line, taxes)) in lines.iter_mut().zip(exact).enumerate() {
            let mut amounts = Vec::new();
            for (position, tax) in taxes.iter().flatten().enumerate() {
                let amount = self.round(&tax.exact);
                if let (Some(amount), Some(sum)) = (amount, sums.get_mut(tax.rate)) {
                    self.steps.note(
                        "D18",
                        || tax_pointer(index, position),
                        || tax.expression.clone(),
                        || steps::figures(&tax.exact),
                        &amount,
                    );
                    sum.push(amount);
                } else {
                    self.tell_out_of_range("Items");
                }
                amounts.push(amount);
            }
            let known = taxes.is_some() && amounts.iter().all(Option::is_some);
            all_known &= known;
            if known {
                self.line_tax(index, line, rates, taxes.iter().flatten(), amounts.into_iter().flatten());
            }
        }
        if !all_known || lines.is_empty() {
            return None;
        }
        let mut totals = Vec::with_capacity(rates.len());
        for (index, amounts) in sums.iter().enumerate() {
            let total = self.sum("Items", amounts.iter().copied().map(Some))?;
            self.steps.note_sum("D12", || entry_pointer(index), amounts, &total);
            totals.push(total);
        }
        Some(totals)
    }

    /// Rounds each tax once, over all lines; the lines get shares of it (D17, D18).
    fn rounded_per_tax(
        &mut self,
        rates: &[TaxRate],
        lines: &mut [LineAmounts],
        exact: &[Option<Vec<ExactTax>>],
    ) -> Option<Vec<Decimal>> {
        let exact: Vec<&[ExactTax]> = exact.iter().map(Option::as_deref).collect::<Option<_>>()?;
        if lines.is_empty() {
            return None;
        }
        let mut totals = Vec::with_capacity(rates.len());
        let mut line_amounts: Vec<Vec<Decimal>> = lines.iter().map(|_| Vec::new()).collect();
        for rate in 0..rates.len() {
            let on_lines: Vec<_> = exact
                .iter()
                .enumerate()
                .filter_map(|(line, taxes)| {
                    let position = taxes.iter().position(|tax| tax.rate == rate)?;
                    Some((line, position, taxes.get(position)?))
                })
                .collect();
            let Some((total, shares)) = self.share_tax(rate, &on_lines) else {
                self.tell_out_of_range("Items");
                return None;
            };
            for ((line, _, _), share) in on_lines.iter().zip(shares) {
                if let Some(amounts) = line_amounts.get_mut(*line) {
                    amounts.push(share);
                }
            }
            totals.push(total);
        }
        for (index, ((line, taxes), amounts)) in lines.iter_mut().zip(exact).zip(line_amounts).enumerate() {
            self.line_tax(index, line, rates, taxes.iter(), amounts);
        }
        Some(totals)
    }

    /// One tax rounded once, and the shares of the lines it is on: each with its position among their taxes.
    fn share_tax(
        &mut self,
        rate: usize,
        on_lines: &[(usize, usize, &ExactTax)],
    ) -> Option<(Decimal, Vec<Decimal>)> {
        let mut taxes = on_lines.iter().map(|(_, _, tax)| tax);
        let sum = taxes.clone().try_fold(Exact::ZERO, |sum, tax| sum.plus(&tax.exact))?;
        let total = self.round(&sum)?;
        let expression = || {
            let terms: Vec<_> = taxes.clone().map(|tax| &*tax.expression).collect();
            if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
        };
        self.steps.note("D18", || entry_pointer(rate), expression, || steps::figures(&sum), &total);

        let scale = self.options.scale;
        let whole = sum.units_at(sum.scale())?;
        let weights: Vec<_> = taxes.try_fold(Vec::new(), |mut weights, tax| {
            weights.push(tax.exact.units_at(sum.scale())?);
            Some(weights)
        })?;
        let units = Exact::new(total)?.units_at(scale)?;
        let shares: Option<Vec<_>> = shares(&units, &weights)?
            .into_iter()
            .map(|share| Exact::from_units(share, scale).at_scale(scale))
            .collect();
        let shares = shares?;
        for (((line, position, tax), share), weight) in on_lines.iter().zip(&shares).zip(weights) {
            self.steps.note(
                "D17",
                || tax_pointer(*line, *position),
                || {
                    let product = [&plain(&total), " × ", &*steps::figures(&tax.exact)].concat();
                    [&*product, " ÷ ", &*steps::figures(&sum)].concat()
                },
                || quotient(&units, &weight, &whole, scale).unwrap_or_else(|| plain(share)),
                share,
            );
        }
        Some((total, shares))
    }

    fn line_tax<'t>(
        &mut self,
        index: usize,
        line: &mut LineAmounts,
        rates: &[TaxRate],
        taxes: impl Iterator<Item = &'t ExactTax>,
        amounts: impl IntoIterator<Item = Decimal>,
    ) {
        line.taxes = taxes
            .zip(amounts)
            .filter_map(|(tax, amount)| Some(LineTax { tax_id: rates.get(tax.rate)?.id.clone(), amount }))
            .collect();
        line.tax = self.sum("Items", line.taxes.iter().map(|tax| Some(tax.amount)));
        if let Some(tax) = &line.tax {
            let terms = line.taxes.iter().map(|tax| &tax.amount);
            self.steps.note_sum("D12", || line_pointer(index, "tax"), terms, tax);
        }
    }
}

/// `/lines/3/taxes/0/amount`
fn tax_pointer(line: usize, position: usize) -> String {
    line_pointer(line, &["taxes/", &position.to_string(), "/amount"].concat())
}

fn entry_pointer(index: usize) -> String {
    ["/tax/entries/", &index.to_string(), "/amount"].concat()
}

/// The taxes of one line before rounding; nothing where one does not fit.
///
/// Layer 0 is calculated on the taxable amount, layer 1 on that and the exact taxes of layer 0.
fn line_taxes(
    rates: &[TaxRate],
    item: Record<'_, '_>,
    taxable: Decimal,
    explain: bool,
) -> Option<Vec<ExactTax>> {
    let (quantity, _) = factors(item)?;
    let applies = |rate: &&TaxRate| {
        rate.catalog_item_ids
            .as_ref()
            .is_none_or(|ids| item.get(item::CATALOG_ITEM_ID).guid().is_some_and(|id| ids.contains(&id)))
    };
    let price = Exact::new(taxable)?;
    let mut compounded = price.clone();
    for rate in rates.iter().filter(applies).filter(|rate| rate.layer == TaxLayer::Zero) {
        compounded = compounded.plus(&of_base(rate, &price, quantity)?)?;
    }
    let applying = rates.iter().enumerate().filter(|(_, rate)| applies(rate));
    applying
        .map(|(index, rate)| {
            let base = if rate.layer == TaxLayer::Zero { &price } else { &compounded };
            let exact = of_base(rate, base, quantity)?;
            let expression = match rate.rate_type {
                _ if !explain => String::new(),
                TaxRateType::FlatRate => steps::product(&plain(&quantity), &rate.rate),
                TaxRateType::Percentage => steps::product(&steps::figures(base), &rate.rate),
            };
            Some(ExactTax { rate: index, exact, expression })
        })
        .collect()
}

/// A flat rate is an amount per unit sold, whatever the price.
fn of_base(rate: &TaxRate, base: &Exact, quantity: Decimal) -> Option<Exact> {
    match rate.rate_type {
        TaxRateType::Percentage => base.times(rate.rate),
        TaxRateType::FlatRate => Exact::new(quantity)?.times(rate.rate),
    }
}
