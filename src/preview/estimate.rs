//! An estimate of the taxes from rates that the caller knows (D12, D16–D18).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Exact, subtract, to_plain_string};
use crate::options::{TaxLayer, TaxRate, TaxRateType, TaxRounding};
use crate::shape::{ITEM, item, order};
use crate::words::joined;
use crate::written::Record;

use super::calculation::{Calculation, LineAmounts};
use super::factors::factors;
use super::shares::Part;
use super::steps::{How, Of, figures};
use super::tax::unknown;
use super::{TaxEntry, TaxPreview, TaxSource};

/// One tax on one line.
struct OnLine {
    line: usize,
    /// Position of its rate.
    rate: usize,
    /// Position among the taxes of the line.
    position: usize,
    exact: Exact,
    /// The computation in figures, where that was asked for.
    expression: String,
    /// Once it is rounded.
    amount: Option<Decimal>,
}

impl Calculation<'_, '_, '_> {
    /// An estimate from rates; the discount comes first (D12, D16).
    pub(super) fn estimated(&mut self, rates: &[TaxRate], lines: &mut [LineAmounts]) -> TaxPreview {
        let above_one =
            |rate: &TaxRate| rate.rate_type == TaxRateType::Percentage && rate.rate > Decimal::ONE;
        if rates.iter().any(above_one) {
            self.tell_at([], self.order.root().raw(), IssueCode::TaxRateAboveOne);
        }
        match self.estimate(rates, lines) {
            Some((total, entries)) => {
                TaxPreview { source: TaxSource::Estimated, total: Some(total), entries }
            }
            None => unknown(TaxSource::Estimated),
        }
    }

    fn estimate(&mut self, rates: &[TaxRate], lines: &mut [LineAmounts]) -> Option<(Decimal, Vec<TaxEntry>)> {
        let mut taxes = Vec::new();
        let all_known = self.exact_taxes(rates, lines, &mut taxes) && !lines.is_empty();
        let mut totals = Vec::with_capacity(rates.len());
        if self.round_tax_per == TaxRounding::Tax {
            let mut rounded = all_known;
            for rate in 0..rates.len() {
                let total = if rounded { self.round_tax(rate, &mut taxes) } else { None };
                rounded &= total.is_some();
                totals.extend(total);
            }
            // A tax over all lines is unknown on each of them where it is unknown on one.
            if !rounded {
                lines.iter_mut().for_each(|line| line.tax = None);
                return None;
            }
        }
        let all_rounded = self.line_taxes(lines, &mut taxes);
        if !all_known || !all_rounded {
            return None;
        }
        if self.round_tax_per == TaxRounding::Line {
            for rate in 0..rates.len() {
                let mut amounts = taxes.iter().filter(|tax| tax.rate == rate).map(|tax| tax.amount);
                totals.push(self.sum("D12", Of::TaxEntry(rate), "Items", &mut amounts)?);
            }
        }
        let mut entries = Vec::with_capacity(rates.len());
        for (rate, amount) in rates.iter().zip(&totals) {
            entries.push(TaxEntry { tax_id: rate.id.clone(), name: rate.name.clone(), amount: *amount });
        }
        let total = self.sum("D12", Of::At("/tax/total"), "Items", &mut totals.into_iter().map(Some))?;
        Some((total, entries))
    }

    /// The taxes of every line before rounding; false where the taxable amount of a line is not known.
    fn exact_taxes(&mut self, rates: &[TaxRate], lines: &mut [LineAmounts], taxes: &mut Vec<OnLine>) -> bool {
        let items = self.order.root().entries(order::ITEMS, &ITEM);
        let (mut all_known, mut all_fit) = (true, true);
        for (index, (line, item)) in lines.iter_mut().zip(items).enumerate() {
            let taxable =
                line.extended.zip(line.discount).and_then(|(price, discount)| subtract(price, discount));
            let Some((item, taxable)) = item.record.zip(taxable) else {
                all_known = false;
                continue;
            };
            let before = taxes.len();
            if self.line_before_rounding(index, rates, item, taxable, taxes).is_some() {
                // Until its taxes are summed up, this says that they can be.
                line.tax = Some(Decimal::ZERO);
            } else {
                taxes.truncate(before);
                all_fit = false;
            }
        }
        if !all_fit {
            self.tell_out_of_range("Items");
        }
        all_known && all_fit
    }

    /// The taxes of one line before rounding; nothing where one does not fit.
    ///
    /// Layer 0 is calculated on the taxable amount, layer 1 on that and the exact taxes of layer 0.
    fn line_before_rounding(
        &self,
        line: usize,
        rates: &[TaxRate],
        item: Record<'_, '_>,
        taxable: Decimal,
        taxes: &mut Vec<OnLine>,
    ) -> Option<()> {
        let (quantity, _) = factors(item)?;
        let id = item.get(item::CATALOG_ITEM_ID).guid();
        let applies = |rate: &TaxRate| match &rate.catalog_item_ids {
            Some(ids) => id.is_some_and(|id| ids.contains(&id)),
            None => true,
        };
        let base = |rate: &TaxRate, price: &Exact| match rate.rate_type {
            TaxRateType::Percentage => Some(price.clone()),
            // A flat rate is an amount per unit sold, whatever the price.
            TaxRateType::FlatRate => Exact::new(quantity),
        };
        let price = Exact::new(taxable)?;
        let mut compounded = price.clone();
        if rates.iter().any(|rate| rate.layer == TaxLayer::One) {
            for rate in rates.iter().filter(|rate| rate.layer == TaxLayer::Zero && applies(rate)) {
                compounded = compounded.plus(&base(rate, &price)?.times(rate.rate)?)?;
            }
        }
        let first = taxes.len();
        for (index, rate) in rates.iter().enumerate().filter(|(_, rate)| applies(rate)) {
            let base = base(rate, if rate.layer == TaxLayer::Zero { &price } else { &compounded })?;
            let exact = base.times(rate.rate)?;
            let expression = match rate.rate_type {
                _ if !self.steps.wanted() => String::new(),
                TaxRateType::FlatRate => {
                    joined(&[&to_plain_string(&quantity), " × ", &to_plain_string(&rate.rate)])
                }
                TaxRateType::Percentage => joined(&[&figures(&base), " × ", &to_plain_string(&rate.rate)]),
            };
            let position = taxes.len() - first;
            taxes.push(OnLine { line, rate: index, position, exact, expression, amount: None });
        }
        Some(())
    }

    /// Rounds one tax once, over all lines; the lines get shares of it (D17, D18).
    fn round_tax(&mut self, rate: usize, taxes: &mut [OnLine]) -> Option<Decimal> {
        let mut expression = String::new();
        let mut parts = Vec::new();
        for tax in taxes.iter().filter(|tax| tax.rate == rate) {
            expression.push_str(if expression.is_empty() { "" } else { " + " });
            expression.push_str(&tax.expression);
            parts.push(Part { of: Of::LineTax(tax.line, tax.position), exact: tax.exact.clone() });
        }
        if expression.is_empty() {
            expression.push('0');
        }
        let Some((total, shares)) = self.round_and_share(rate, &parts, &expression) else {
            self.tell_out_of_range("Items");
            return None;
        };
        for (tax, share) in taxes.iter_mut().filter(|tax| tax.rate == rate).zip(shares) {
            tax.amount = Some(share);
        }
        Some(total)
    }

    fn round_and_share(
        &mut self,
        rate: usize,
        parts: &[Part],
        expression: &str,
    ) -> Option<(Decimal, Vec<Decimal>)> {
        let sum = parts.iter().try_fold(Exact::ZERO, |sum, part| sum.plus(&part.exact))?;
        let total = self.round(&sum)?;
        self.steps.note_rounded("D18", Of::TaxEntry(rate), How::As(expression), &sum, &total);
        Some((total, self.shares(total, parts, figures)?))
    }

    /// The taxes of each line, rounded one by one where they are not yet; false where one does not fit.
    fn line_taxes(&mut self, lines: &mut [LineAmounts], taxes: &mut [OnLine]) -> bool {
        let mut all_rounded = true;
        let mut taxes = taxes.iter_mut().peekable();
        for (index, line) in lines.iter_mut().enumerate() {
            let mut known = line.tax.take().is_some();
            while let Some(tax) = taxes.next_if(|tax| tax.line == index) {
                if tax.amount.is_none() {
                    tax.amount = self.round(&tax.exact);
                    match &tax.amount {
                        Some(amount) => {
                            let of = Of::LineTax(index, tax.position);
                            self.steps.note_rounded("D18", of, How::As(&tax.expression), &tax.exact, amount);
                        }
                        None => self.tell_out_of_range("Items"),
                    }
                }
                match tax.amount {
                    Some(amount) => line.taxes.push((tax.rate, amount)),
                    None => known = false,
                }
            }
            if known {
                let mut amounts = line.taxes.iter().map(|(_, amount)| Some(*amount));
                line.tax = self.sum("D12", Of::Line(index, "tax"), "Items", &mut amounts);
            } else {
                line.taxes.clear();
            }
            all_rounded &= known;
        }
        all_rounded
    }
}
