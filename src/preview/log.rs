//! What a calculation reports beside its amounts: steps and findings.

use rust_decimal::Decimal;

use crate::code::IssueCode;
use crate::decimal::add;
use crate::order::schema::Field;

use super::trace::{Formula, StepTarget, Trace};

/// What a calculation reports beside its amounts.
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

    pub(super) fn report(&mut self, location: Location, code: IssueCode) {
        self.findings.push(Finding { location, code });
    }

    /// Sums amounts; returns `None` if one is unknown, and reports a sum that does not fit.
    pub(super) fn sum(
        &mut self,
        rule: &'static str,
        target: StepTarget,
        zero: Decimal,
        location: Location,
        amounts: &[Option<Decimal>],
    ) -> Option<Decimal> {
        let mut sum = Some(zero);
        for amount in amounts {
            let amount = (*amount)?;
            sum = sum.and_then(|sum| add(sum, amount, zero.scale()));
        }
        match &sum {
            Some(sum) => self.trace.record(rule, target, Formula::Sum(amounts), sum),
            None => self.report(location, IssueCode::AmountOutOfRange),
        }
        sum
    }
}
