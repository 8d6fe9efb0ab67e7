//! Taxes: supplied ones as they are, an estimate from rates, or unknown (§2.1 rules 2 and 3, D11, D12).

use crate::code::IssueCode;
use crate::decimal::{is_negative, pad};
use crate::issue::Place;
use crate::shape::{TAX, order, tax};
use crate::written::{Entry, Value};

use super::calculation::{Calculation, LineAmounts};
use super::steps::{How, Of};
use super::{TaxEntry, TaxPreview, TaxSource, tell_tax_unknown};

impl<'a> Calculation<'_, '_, 'a> {
    pub(super) fn tax(&mut self, lines: &mut [LineAmounts]) -> TaxPreview {
        let order = self.order;
        let taxes = order.root().get(order::TAXES);
        match taxes.value {
            Value::List { .. } | Value::Passthrough(0) => self.supplied(order.entries(taxes, &TAX), lines),
            Value::Absent | Value::Null => match &self.options.tax_rates {
                Some(rates) => self.estimated(rates, lines),
                None => {
                    self.tell(|issues| tell_tax_unknown(order, issues));
                    unknown(TaxSource::PointOfSale)
                }
            },
            Value::Passthrough(_) => {
                self.tell_at(["Taxes".into()], taxes.raw, IssueCode::RecordsNotRead);
                unknown(TaxSource::Supplied)
            }
            _ => unknown(TaxSource::Supplied),
        }
    }

    /// Supplied taxes replace all others, are never recalculated, and are all on the first line (§2.1 rule 2, D11).
    fn supplied<'w>(
        &mut self,
        taxes: impl ExactSizeIterator<Item = Entry<'w, 'a>>,
        lines: &mut [LineAmounts],
    ) -> TaxPreview
    where
        'a: 'w,
    {
        let scale = self.options.scale;
        let mut amounts = Vec::with_capacity(taxes.len());
        let mut entries = Vec::with_capacity(taxes.len());
        for (index, Entry { record: tax, .. }) in taxes.enumerate() {
            let amount = tax.and_then(|tax| tax.get(tax::TAX_AMOUNT).decimal());
            let amount = amount.filter(|amount| !is_negative(*amount));
            let amount = amount.map(|amount| pad(amount, scale));
            amounts.push(amount);
            let (Some(tax), Some(amount)) = (tax, amount) else { continue };
            if amount.scale() > scale {
                let place = ["Taxes".into(), Place::Index(index), "TaxAmount".into()];
                self.tell_at(place, tax.get(tax::TAX_AMOUNT).raw, IssueCode::TaxAmountFractionDigits);
            }
            if let Some(id) = tax.get(tax::TAX_ID).guid() {
                entries.push(TaxEntry { tax_id: id.into_text(), name: None, amount });
            }
        }
        let total = self.sum("D11", Of::At("/tax/total"), "Taxes", &mut amounts.iter().copied());
        let zero = self.zero();
        for line in lines.iter_mut() {
            line.tax = Some(zero);
        }
        if let Some(first) = lines.first_mut() {
            first.tax = total;
            for (index, entry) in entries.iter().enumerate() {
                first.taxes.push((index, entry.amount));
            }
            if let Some(total) = &total {
                let terms = &mut amounts.into_iter().flatten();
                self.steps.note("§2.1", Of::Line(0, "tax"), How::Sum(terms), total);
            }
        }
        TaxPreview { source: TaxSource::Supplied, total, entries }
    }
}

pub(super) fn unknown(source: TaxSource) -> TaxPreview {
    TaxPreview { source, total: None, entries: Vec::new() }
}
