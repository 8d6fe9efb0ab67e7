//! Invoice-level discounts: entries in order, then shares of the lines (D13–D15, D17).

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::{Exact, subtract};
use crate::issue::Place;
use crate::options::PreviewOptions;
use crate::shape::{DISCOUNT, DISCOUNT_ENTRY, discount, discount_entry, order};
use crate::written::{Entry, Member, Record, Value, ValueType};

use super::calculation::{Calculation, LineAmounts};
use super::shares::Part;
use super::steps::{How, Of};
use super::{DiscountEntry, DiscountPreview, name};

/// What the value of a discount is.
enum Meaning {
    Amount,
    Percent,
}

impl<'a> Calculation<'_, '_, 'a> {
    pub(super) fn discount(&mut self, subtotal: Option<Decimal>) -> DiscountPreview {
        let none = |total| DiscountPreview { total, entries: Vec::new() };
        let order = self.order.root();
        let member = order.get(order::DISCOUNT);
        if let Value::Passthrough(_) = member.value {
            self.tell_at(["Discount".into()], member.raw, IssueCode::RecordsNotRead);
            return none(None);
        }
        let list =
            order.record(order::DISCOUNT, &DISCOUNT).map(|discount| discount.get(discount::INVOICE_LEVEL));
        let list = match list.unwrap_or(member) {
            Member { value: Value::Absent | Value::Null, .. } => return none(Some(self.zero())),
            Member { value: Value::Unreadable, .. } => return none(None),
            list => self.order.entries(list, &DISCOUNT_ENTRY),
        };
        let mut entries = Vec::with_capacity(list.len());
        let mut running = subtotal;
        for (index, Entry { record: entry, .. }) in list.enumerate() {
            let amount = entry.and_then(|entry| self.entry(index, entry, running));
            running = running.zip(amount).and_then(|(running, amount)| subtract(running, amount));
            let name = entry.and_then(|entry| name(entry, discount_entry::NAME));
            entries.push(DiscountEntry { name, amount });
        }
        let mut amounts = entries.iter().map(|entry| entry.amount);
        let total = self.sum("D15", Of::At("/discount/total"), "Discount", &mut amounts);
        DiscountPreview { total, entries }
    }

    /// What one entry takes off what is left of the subtotal (D15).
    fn entry(&mut self, index: usize, entry: Record<'_, 'a>, running: Option<Decimal>) -> Option<Decimal> {
        let value_type = entry.get(discount_entry::VALUE_TYPE);
        if !value_type.is_text() && value_type.decimal().is_none() {
            return None;
        }
        let Some(meaning) = meaning(self.options, value_type) else {
            self.tell_entry(index, "ValueType", value_type.raw, IssueCode::DiscountMeaningUnknown);
            return None;
        };
        let member = entry.get(discount_entry::VALUE);
        let value = member.decimal()?;
        if matches!(meaning, Meaning::Percent) && value > Decimal::ONE_HUNDRED {
            self.tell_entry(index, "Value", member.raw, IssueCode::DiscountPercentOutOfRange);
            return None;
        }
        let running = running?;
        let exact = match meaning {
            Meaning::Amount => Exact::new(value)?,
            Meaning::Percent => Exact::product(running, value)?.percent(),
        };
        let wanted = self.round(&exact);
        // What does not even fit a decimal is more than what is left.
        let clamped = wanted.is_none_or(|wanted| wanted > running);
        let amount = if clamped { running } else { wanted? };
        if clamped {
            self.tell_entry(index, "Value", member.raw, IssueCode::DiscountClamped);
        }
        let of = Of::DiscountEntry(index);
        match meaning {
            _ if clamped => self.steps.note("D15", of, How::Rest(running), &amount),
            Meaning::Amount => {
                self.steps.note_rounded("D15", of, How::Sum(&mut std::iter::once(value)), &exact, &amount);
            }
            Meaning::Percent => {
                self.steps.note_rounded("D15", of, How::Percent(running, value), &exact, &amount);
            }
        }
        Some(amount)
    }

    fn tell_entry(&mut self, index: usize, member: &'static str, raw: &'a str, code: IssueCode) {
        let place = ["Discount".into(), "InvoiceLevel".into(), Place::Index(index), member.into()];
        self.tell_at(place, raw, code);
    }

    /// Gives every line its share, in proportion to its extended price (D17).
    pub(super) fn share_discount(&mut self, lines: &mut [LineAmounts], total: Option<Decimal>) {
        let Some(total) = total else { return };
        if total.is_zero() {
            // No discount is no discount, whatever the lines come to.
            lines.iter_mut().for_each(|line| line.discount = Some(total));
            return;
        }
        let mut parts = Vec::with_capacity(lines.len());
        for (index, line) in lines.iter().enumerate() {
            let Some(exact) = line.extended.and_then(Exact::new) else { return };
            parts.push(Part { of: Of::Line(index, "discount"), exact });
        }
        match self.shares(total, &parts, |exact| exact.clone().into_plain()) {
            Some(shares) => {
                for (line, share) in lines.iter_mut().zip(shares) {
                    line.discount = Some(share);
                }
            }
            None => self.tell_out_of_range("Discount"),
        }
    }
}

fn meaning(options: &PreviewOptions, value_type: &Member<'_>) -> Option<Meaning> {
    let is = |wanted: &ValueType| match wanted {
        ValueType::Number(number) => value_type.decimal() == Some(*number),
        ValueType::Text(text) => value_type.text().as_deref() == Some(text),
    };
    let types = options.discount_value_types.as_ref()?;
    if is(&types.amount) {
        Some(Meaning::Amount)
    } else if is(&types.percent) {
        Some(Meaning::Percent)
    } else {
        None
    }
}
