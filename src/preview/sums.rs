//! What lines come to together, as text that a host keeps between two previews (see [`crate::draft`]).

use rust_decimal::Decimal;

use crate::decimal::{Exact, Rounding};
use crate::u512::U512;
use crate::written::Record;

use super::factors::factors;

/// What lines come to together.
///
/// First the subtotals in units of the last digit, by [`Rounding::ALL`]; then how many lines are half a unit, where the
/// roundings differ, how many have no price, and how many a price that is no decimal.
#[derive(Default)]
pub(crate) struct Sums([U512; 6]);

const TIES: usize = 3;
const UNKNOWN: usize = 4;
const OUT_OF_RANGE: usize = 5;

impl Sums {
    fn one(what: usize) -> Self {
        let mut sums = Self::default();
        sums.0.iter_mut().skip(what).take(1).for_each(|number| *number = U512::Small(1));
        sums
    }

    pub(crate) fn unknown() -> Self {
        Self::one(UNKNOWN)
    }

    pub(crate) fn of(item: Record<'_, '_>, scale: u32) -> Self {
        let Some((quantity, price)) = factors(item) else { return Self::unknown() };
        let exact = Exact::product(quantity, price);
        exact.and_then(|exact| Self::rounded(&exact, scale)).unwrap_or_else(|| Self::one(OUT_OF_RANGE))
    }

    /// Each extended price is rounded once (D18).
    fn rounded(exact: &Exact, scale: u32) -> Option<Self> {
        let (_, tie) = exact.round(scale, Rounding::HalfUp)?;
        let mut sums = if tie { Self::one(TIES) } else { Self::default() };
        for (subtotal, rounding) in sums.0.iter_mut().zip(Rounding::ALL) {
            let (rounded, _) = exact.round(scale, rounding)?;
            *subtotal = Exact::new(rounded)?.units_at(scale)?;
        }
        Some(sums)
    }

    fn has(&self, what: usize) -> bool {
        self.0.get(what).is_some_and(|number| !number.is_zero())
    }

    /// The subtotal at a scale; nothing where a line has no price or the sum is no decimal.
    pub(super) fn subtotal(&self, rounding: Rounding, scale: u32) -> Option<Decimal> {
        let position = Rounding::ALL.iter().position(|of| *of == rounding)?;
        let known = !self.has(UNKNOWN) && !self.has(OUT_OF_RANGE);
        let units = self.0.get(position).filter(|_| known)?;
        Exact::from_units(units.clone(), scale).at_scale(scale)
    }

    /// Whether no decimal holds the price of a line, or all of them together.
    pub(super) fn is_out_of_range(&self, subtotal: Option<Decimal>) -> bool {
        self.has(OUT_OF_RANGE) || (!self.has(UNKNOWN) && subtotal.is_none())
    }

    pub(super) fn has_tie(&self) -> bool {
        self.has(TIES)
    }

    /// Sums only ever meet the ones they were made of, so they neither overflow nor fall below zero.
    pub(crate) fn changed_by(mut self, term: &str) -> Self {
        let mut numbers = term.get(1..).unwrap_or_default().split(' ');
        for number in &mut self.0 {
            let by = numbers.next().and_then(U512::of_digits).unwrap_or_default();
            let changed = if term.starts_with('-') { number.subtract(&by) } else { number.add(&by) };
            *number = changed.unwrap_or_default();
        }
        self
    }

    pub(crate) fn into_text(self) -> String {
        let mut text = String::new();
        for number in self.0 {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(&Exact::from_units(number, 0).into_plain());
        }
        text
    }
}
