//! Taxes: supplied ones as they are, an estimate from rates, or unknown (§2.1 rules 2 and 3, D11, D12, D16).

use rust_decimal::Decimal;

use crate::code::Code;
use crate::decimal::{Exact, pad, plain, subtract};
use crate::issue::Place;
use crate::options::{TaxLayer, TaxRate, TaxRateType, TaxRounding};
use crate::written::{List, Records, Value, WrittenItem, WrittenTax};

use super::calculation::{Calculation, LineAmounts, factors};
use super::shares::shares;
use super::steps::line_pointer;
use super::{LineTax, TaxEntry, TaxPreview, TaxSource, steps, tell_tax_unknown};

/// One tax on one line before rounding.
struct ExactTax {
    /// Position of its rate.
    rate: usize,
    exact: Exact,
    expression: String,
}

impl<'a> Calculation<'_, '_, 'a> {
    pub(super) fn tax(&mut self, lines: &mut [LineAmounts]) -> TaxPreview {
        let order = self.order;
        match &order.taxes.value {
            Value::Is(Records::Read(taxes)) => self.supplied(taxes, lines),
            Value::Is(Records::Opaque(0)) => self.supplied(&Vec::new(), lines),
            Value::Is(Records::Opaque(_)) => {
                self.tell(|issues| {
                    issues.within("Taxes", |issues| issues.at(order.taxes.raw, Code::RecordsNotRead));
                });
                unknown(TaxSource::Supplied)
            }
            Value::Unreadable => unknown(TaxSource::Supplied),
            Value::Absent | Value::Null => match &self.options.tax_rates {
                Some(rates) => self.estimated(rates, lines),
                None => {
                    self.tell(|issues| tell_tax_unknown(order, issues));
                    unknown(TaxSource::PointOfSale)
                }
            },
        }
    }

    /// Supplied taxes replace all others, are never recalculated, and are all on the first line (§2.1 rule 2, D11).
    fn supplied(&mut self, taxes: &List<'a, WrittenTax<'a>>, lines: &mut [LineAmounts]) -> TaxPreview {
        let scale = self.options.scale;
        let mut amounts = Vec::with_capacity(taxes.len());
        let mut entries = Vec::with_capacity(taxes.len());
        for (index, member) in taxes.iter().enumerate() {
            let tax = member.get();
            let amount = tax.and_then(|tax| tax.tax_amount.get());
            let amount = amount.filter(|amount| **amount >= Decimal::ZERO);
            amounts.push(amount.map(|amount| pad(*amount, scale)));
            let (Some(tax), Some(amount)) = (tax, amount) else { continue };
            if amount.scale() > scale {
                self.tell(|issues| {
                    issues.within("Taxes", |issues| {
                        issues.within(Place::Index(index), |issues| {
                            issues.within("TaxAmount", |issues| {
                                issues.at(tax.tax_amount.raw, Code::TaxAmountFractionDigits);
                            });
                        });
                    });
                });
            }
            if let Some(id) = tax.tax_id.get() {
                entries.push(TaxEntry { tax_id: id.to_string(), name: None, amount: pad(*amount, scale) });
            }
        }
        let total = self.sum("Taxes", amounts.iter().copied());
        if let Some(total) = &total {
            let terms = || amounts.iter().flatten();
            self.steps.note_sum("D11", || "/tax/total".to_owned(), terms(), total);
        }
        let zero = self.zero();
        for line in lines.iter_mut() {
            line.tax = Some(zero);
        }
        if let Some(first) = lines.first_mut() {
            first.tax = total;
            first.taxes = entries.iter().map(on_line).collect();
            if let Some(total) = &total {
                let terms = amounts.iter().flatten();
                self.steps.note_sum("§2.1", || line_pointer(0, "tax"), terms, total);
            }
        }
        TaxPreview { source: TaxSource::Supplied, total, entries }
    }

    /// An estimate from rates; the discount comes first (D12, D16).
    fn estimated(&mut self, rates: &[TaxRate], lines: &mut [LineAmounts]) -> TaxPreview {
        let above_one =
            |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate > Decimal::ONE;
        if rates.iter().any(above_one) {
            let order = self.order.raw;
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
        let items = self.order.items.get().into_iter().flatten();
        let mut out_of_range = false;
        let exact = lines
            .iter()
            .zip(items)
            .map(|(line, item)| {
                let taxable = subtract(line.extended?, line.discount?)?;
                let taxes = line_taxes(rates, item.get()?, taxable, self.options.explain);
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
                let amount = self.round(tax.exact);
                if let (Some(amount), Some(sum)) = (amount, sums.get_mut(tax.rate)) {
                    self.note_line_tax(index, position, tax, &amount);
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
            self.steps.note_sum("D18", || entry_pointer(index), amounts, &total);
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
        for index in 0..rates.len() {
            let on_lines = || {
                let taxes = exact.iter().map(|taxes| taxes.iter().find(|tax| tax.rate == index));
                taxes.enumerate().filter_map(|(line, tax)| Some((line, tax?)))
            };
            let shared = self.share_tax(index, on_lines().map(|(_, tax)| tax));
            let Some((total, shares)) = shared else {
                self.tell_out_of_range("Items");
                return None;
            };
            for ((line, _), share) in on_lines().zip(shares) {
                if let Some(amounts) = line_amounts.get_mut(line) {
                    amounts.push(share);
                }
            }
            totals.push(total);
        }
        for (index, ((line, taxes), amounts)) in lines.iter_mut().zip(exact).zip(line_amounts).enumerate() {
            for (position, (tax, amount)) in taxes.iter().zip(&amounts).enumerate() {
                self.note_line_tax(index, position, tax, amount);
            }
            self.line_tax(index, line, rates, taxes.iter(), amounts);
        }
        Some(totals)
    }

    /// One tax rounded once, and the shares of the lines it is on.
    fn share_tax<'t>(
        &mut self,
        index: usize,
        taxes: impl Iterator<Item = &'t ExactTax> + Clone,
    ) -> Option<(Decimal, Vec<Decimal>)> {
        let sum = taxes.clone().try_fold(Exact::ZERO, |sum, tax| sum.plus(tax.exact))?;
        let total = self.round(sum)?;
        let expression = || {
            let terms: Vec<_> = taxes.clone().map(|tax| steps::figures(tax.exact)).collect();
            if terms.is_empty() { "0".to_owned() } else { terms.join(" + ") }
        };
        self.steps.note("D18", || entry_pointer(index), expression, || steps::figures(sum), &total);
        let weights: Vec<_> = taxes.map(|tax| tax.exact.units_at(sum.scale())).collect::<Option<_>>()?;
        let scale = self.options.scale;
        let units = shares(Exact::new(total)?.units_at(scale)?, &weights)?;
        let amounts = units.into_iter().map(|units| Exact::from_units(units, scale).at_scale(scale));
        Some((total, amounts.collect::<Option<_>>()?))
    }

    fn note_line_tax(&mut self, index: usize, position: usize, tax: &ExactTax, amount: &Decimal) {
        let of = || line_pointer(index, &["taxes/", &position.to_string(), "/amount"].concat());
        self.steps.note(
            if self.round_tax_per == TaxRounding::Line { "D18" } else { "D17" },
            of,
            || tax.expression.clone(),
            || steps::figures(tax.exact),
            amount,
        );
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

fn unknown(source: TaxSource) -> TaxPreview {
    TaxPreview { source, total: None, entries: Vec::new() }
}

fn on_line(entry: &TaxEntry) -> LineTax {
    LineTax { tax_id: entry.tax_id.clone(), amount: entry.amount }
}

fn entry_pointer(index: usize) -> String {
    ["/tax/entries/", &index.to_string(), "/amount"].concat()
}

/// The taxes of one line before rounding; nothing where one does not fit.
///
/// Layer 0 is calculated on the taxable amount, layer 1 on that and the exact taxes of layer 0.
fn line_taxes(
    rates: &[TaxRate],
    item: &WrittenItem<'_>,
    taxable: Decimal,
    explain: bool,
) -> Option<Vec<ExactTax>> {
    let (quantity, _) = factors(item)?;
    let applies = |rate: &&TaxRate| {
        rate.catalog_item_ids
            .as_ref()
            .is_none_or(|ids| item.catalog_item_id.get().is_some_and(|id| ids.contains(id)))
    };
    let price = Exact::new(taxable)?;
    let mut compounded = price;
    for rate in rates.iter().filter(applies).filter(|rate| rate.layer == TaxLayer::Zero) {
        compounded = compounded.plus(of_base(rate, price, quantity)?)?;
    }
    let applying = rates.iter().enumerate().filter(|(_, rate)| applies(rate));
    applying
        .map(|(index, rate)| {
            let base = if rate.layer == TaxLayer::Zero { price } else { compounded };
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
fn of_base(rate: &TaxRate, base: Exact, quantity: Decimal) -> Option<Exact> {
    match rate.rate_type {
        TaxRateType::Percentage => base.times(rate.rate),
        TaxRateType::FlatRate => Exact::new(quantity)?.times(rate.rate),
    }
}
