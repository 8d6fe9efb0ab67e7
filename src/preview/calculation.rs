//! The amounts of an order and its lines under one rounding mode: price → discount → tax → total (D18).

use crate::decimal::{Amount, Rounding};
use crate::options::{AmountOptions, TaxRate, TaxRounding};
use crate::record::Record;

use super::allocate::discount_shares;
use super::discount::Discount;
use super::estimate::Estimate;
use super::input::{Input, LineInput, TaxInput};
use super::lines::{LineAmounts, record_prices};
use super::log::{Location, Log};
use super::result::{RoundingRange, TaxSource};
use super::supplied_taxes::put_on_first_line;
use super::trace::{Formula, StepTarget};

/// The input of the amounts, which is the same under every rounding mode.
pub(super) struct Calculation<'c, 'a> {
    input: &'c Input<'a>,
    lines: Vec<LineInput>,
    /// `None` if no taxes are estimated.
    rates: Option<&'c [TaxRate]>,
    scale: u32,
}

/// The amounts of an order under one rounding mode; unknown ones are `None`.
pub(super) struct OrderAmounts {
    pub(super) lines: Vec<LineAmounts>,
    pub(super) subtotal: Option<Amount>,
    pub(super) discount: Discount,
    /// The estimated tax of each rate; empty if their sum is unknown.
    pub(super) taxes: Vec<Amount>,
    pub(super) tax: Option<Amount>,
    pub(super) total: Option<Amount>,
}

impl<'c, 'a> Calculation<'c, 'a> {
    pub(super) fn new(order: Record<'c, 'a>, input: &'c Input<'a>, options: &'c AmountOptions) -> Self {
        let rates = options.tax_rates.as_deref().filter(|_| matches!(input.taxes, TaxInput::Absent));
        let lines = LineInput::of_order(order, rates);
        Self { input, lines, rates, scale: options.scale.digits() }
    }

    pub(super) fn tax_source(&self) -> TaxSource {
        match (&self.input.taxes, self.rates) {
            (TaxInput::Supplied(_) | TaxInput::Unknown, _) => TaxSource::Supplied,
            (TaxInput::Absent, Some(_)) => TaxSource::Estimated,
            (TaxInput::Absent, None) => TaxSource::PointOfSale,
        }
    }

    /// Calculates the amounts from the extended prices under a rounding mode, with estimated taxes rounded at a level.
    pub(super) fn amounts(
        &self,
        prices: &[Option<Amount>],
        mode: Rounding,
        level: TaxRounding,
        log: &mut Log,
    ) -> OrderAmounts {
        let scale = self.scale;
        record_prices(&self.lines, prices, log);
        let mut lines: Vec<_> = prices.iter().map(|price| LineAmounts::of_price(*price)).collect();
        let subtotal = if prices.is_empty() {
            None
        } else {
            log.sum("D18", StepTarget::Total("/subtotal"), scale, None, prices)
        };

        let discount = Discount::new(&self.input.discount, subtotal, scale, mode, log);
        if let Some(total) = discount.total
            && let Some(shares) = discount_shares(total, prices, scale, log)
        {
            lines.iter_mut().zip(shares).for_each(|(line, share)| line.discount = Some(share));
        }

        let (taxes, tax) = match (&self.input.taxes, self.rates) {
            (TaxInput::Supplied(taxes), _) => (Vec::new(), put_on_first_line(taxes, &mut lines, scale, log)),
            (TaxInput::Absent, Some(rates)) => {
                Estimate { rates, level, scale, mode }.taxes(&self.lines, &mut lines, log)
            }
            (TaxInput::Absent, None) | (TaxInput::Unknown, _) => (Vec::new(), None),
        };

        for (index, line) in lines.iter_mut().enumerate() {
            let parts = [line.extended, line.discount, line.tax];
            line.total = log.net(StepTarget::Line(index, "total"), Some(Location::Item(index)), scale, parts);
        }
        let parts = [subtotal, discount.total, tax];
        // Otherwise a rule of the order reports it.
        let location = (self.tax_source() == TaxSource::Estimated).then_some(Location::Order);
        let total = log.net(StepTarget::Total("/total"), location, scale, parts);
        OrderAmounts { lines, subtotal, discount, taxes, tax, total }
    }

    /// Returns the lowest and the highest total over all rounding modes and tax levels, of which `total` is one. A total that does not
    /// fit is ignored: a point of sale could not calculate it either.
    pub(super) fn rounding_range(&self, total: Amount, log: &mut Log) -> Option<RoundingRange> {
        let levels = match self.tax_source() {
            TaxSource::Estimated => TaxRounding::ALL,
            // The level makes no difference.
            _ => &[TaxRounding::Line],
        };
        let [mut min, mut max] = [total, total];
        for mode in Rounding::ALL {
            let prices: Vec<_> = self.lines.iter().map(|line| line.extended(*mode, self.scale)).collect();
            for level in levels {
                let amounts = self.amounts(&prices, *mode, *level, &mut Log::default());
                let Some(other) = amounts.total else { continue };
                if other.compare(min).is_lt() {
                    min = other;
                }
                if other.compare(max).is_gt() {
                    max = other;
                }
            }
        }
        let lowest = Formula::Text("lowest total over all roundings and tax levels");
        log.trace.record("D19", StepTarget::Total("/roundingRange/min"), lowest, &min);
        let highest = Formula::Text("highest total over all roundings and tax levels");
        log.trace.record("D19", StepTarget::Total("/roundingRange/max"), highest, &max);
        Some(RoundingRange { min: min.into_decimal()?, max: max.into_decimal()? })
    }
}
