//! What a calculation reports besides its amounts: steps and findings.

use crate::code::IssueCode;
use crate::decimal::Amount;
use crate::issue::IssueCollector;
use crate::order::field::Field;
use crate::order::{discount, order, tax};

use super::trace::{Formula, StepTarget, Trace};

/// What a calculation reports besides its amounts.
#[derive(Default)]
pub(super) struct Log {
    pub(super) trace: Trace,
    pub(super) findings: Vec<Finding>,
}

/// An amount that is unknown or unusual, and why.
pub(super) struct Finding {
    pub(super) location: Location,
    pub(super) code: IssueCode,
}

/// The part of the order that a finding is about.
#[derive(Clone, Copy)]
pub(super) enum Location {
    Order,
    Member(&'static Field),
    Item(usize),
    DiscountEntry(usize, &'static Field),
    TaxAmount(usize),
}

impl Log {
    pub(super) fn new(explains: bool) -> Self {
        Self { trace: Trace::new(explains), findings: Vec::new() }
    }

    /// Reports a finding, unless it repeats the last one: amounts of one member can be out of range on every line.
    pub(super) fn report(&mut self, location: Location, code: IssueCode) {
        let repeats = |last: &Finding| last.code == code && last.location.is_same_member(location);
        if !self.findings.last().is_some_and(repeats) {
            self.findings.push(Finding { location, code });
        }
    }

    /// Sums amounts of a currency; returns `None` if one is unknown, and reports a sum that does not fit. Without a location, a rule
    /// of the order reports it.
    pub(super) fn sum(
        &mut self,
        rule: &'static str,
        target: StepTarget,
        scale: u32,
        location: Option<Location>,
        amounts: &[Option<Amount>],
    ) -> Option<Amount> {
        let mut sum = Some(Amount::zero(scale));
        for amount in amounts {
            let amount = (*amount)?;
            sum = sum.and_then(|sum| sum.plus_in_currency(amount, scale));
        }
        match &sum {
            Some(sum) => self.trace.record(rule, target, Formula::Sum(amounts), sum),
            None => self.report_out_of_range(location),
        }
        sum
    }

    /// Calculates price − discount + tax; returns `None` if one of them is unknown, and reports a result that does not fit. Without a
    /// location, a rule of the order reports it.
    pub(super) fn net(
        &mut self,
        target: StepTarget,
        location: Option<Location>,
        scale: u32,
        [price, discount, tax]: [Option<Amount>; 3],
    ) -> Option<Amount> {
        let (price, discount, tax) = (price?, discount?, tax?);
        let net = price.minus(discount).and_then(|net| net.plus_in_currency(tax, scale));
        match &net {
            Some(net) => self.trace.record("§2.1", target, Formula::Net(price, discount, tax), net),
            None => self.report_out_of_range(location),
        }
        net
    }

    fn report_out_of_range(&mut self, location: Option<Location>) {
        if let Some(location) = location {
            self.report(location, IssueCode::AmountOutOfRange);
        }
    }
}

impl Location {
    /// Returns true if both are the same member of the order.
    fn is_same_member(self, other: Self) -> bool {
        matches!((self, other), (Self::Member(one), Self::Member(other)) if one.index == other.index)
    }
}

impl Finding {
    /// Reports the finding at its location in the order.
    pub(super) fn report(&self, issues: &mut IssueCollector<'_>) {
        let code = self.code;
        match self.location {
            Location::Order => issues.report(code),
            Location::Member(field) => issues.report_member(field, code),
            Location::Item(index) => issues.report_in(&[(&order::ITEMS).into(), index.into()], code),
            Location::DiscountEntry(index, field) => {
                let list = &discount::INVOICE_LEVEL;
                issues.report_in(&[(&order::DISCOUNT).into(), list.into(), index.into(), field.into()], code);
            }
            Location::TaxAmount(index) => {
                issues.report_in(&[(&order::TAXES).into(), index.into(), (&tax::TAX_AMOUNT).into()], code);
            }
        }
    }
}
