//! A draft of an order, judged in parts: each line by itself, the totals from what the lines come to.
//!
//! A draft is edited line by line, and judging thousands of lines again for one quantity would take too long for a
//! keystroke. The host keeps for each line its text and what [`draft_line`] said, all of them texts, and asks
//! [`draft_totals`] with the order in which one line stands for all. The core keeps nothing.
//!
//! What lines come to is their [`Sums`]: whole units at the scale of the currency, for each rounding, so that a line that
//! changed is taken out of the sum exactly and put in again. The host only passes them on.

use rust_decimal::Decimal;

use crate::answer::{issues_text, preview_text, with_options};
use crate::decimal::{Exact, Rounding};
use crate::issue::Issues;
use crate::preview;
use crate::wide::Wide;
use crate::words::joined;
use crate::written::Record;
use crate::{decode, rules};

/// One item of an order at its position: its sums, and after a line break its issues, where there are any.
///
/// They are those of [`answer::build_order`](crate::answer::build_order) and of the preview, `pointer` and `path` as in
/// the whole order.
#[must_use]
pub fn draft_line(text: &str, index: &str, options: &str) -> String {
    with_options(options, |options| {
        let mut issues = Issues::new(text);
        issues.enter("Items");
        let order = decode::read_item(text, index.parse().unwrap_or_default(), &mut issues);
        let item = order.as_ref().and_then(|order| order.item());
        if let Some(item) = item {
            rules::item(item, &mut issues);
        }
        let sums = item.map_or_else(Sums::unknown, |item| Sums::of(item, options.scale)).into_text();
        match issues.finish() {
            issues if issues.is_empty() => sums,
            issues => joined(&[&sums, "\n", &issues_text(&issues)]),
        }
    })
}

/// The new sums, and after a line break the preview of the order without its lines.
///
/// `order` holds one line that stands for all and has no issue. `terms` are sums, each after its sign and before a line
/// break: the ones to add first, then the ones to take out.
///
/// The rest of the order is judged as in the full preview. An `amount_out_of_range` and an estimate need the lines; the
/// host asks for the full preview then.
///
/// ```
/// use sales_order_intake::draft::{draft_line, draft_totals};
///
/// let item = |quantity: &str| {
///     [r#"{ "Name": "Tea", "CatalogItemId": "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b", "#,
///      r#""SellAtPricePerUnit": "19.99", "Quantity": "#, quantity, "}"].concat()
/// };
/// let (two, three) = (draft_line(&item("2"), "0", ""), draft_line(&item("3"), "0", ""));
/// let order = [r#"{ "Items": ["#, &*item("1"), "] }"].concat();
///
/// let before = draft_totals(&order, &["+", &*two].concat(), "");
/// let (sums, preview) = before.split_once('\n').unwrap();
/// assert!(preview.contains(r#""subtotal":"39.98""#));
/// let after = draft_totals(&order, &["+", sums, "\n+", &*three, "\n-", &*two].concat(), "");
/// assert!(after.contains(r#""subtotal":"59.97""#));
/// ```
#[must_use]
pub fn draft_totals(order: &str, terms: &str, options: &str) -> String {
    with_options(options, |options| {
        let sums = terms.split('\n').fold(Sums::default(), Sums::changed_by);
        let preview = preview::preview(order, options, Some(&sums));
        joined(&[&sums.into_text(), "\n", &preview_text(&preview)])
    })
}

/// What lines come to together.
///
/// First the subtotals in units of the last digit, by [`Rounding::ALL`]; then how many lines are half a unit, where the
/// roundings differ, how many have no price, and how many a price that is no decimal.
#[derive(Default)]
pub(crate) struct Sums([Wide; 6]);

const TIES: usize = 3;
const UNKNOWN: usize = 4;
const OUT_OF_RANGE: usize = 5;

impl Sums {
    fn one(what: usize) -> Self {
        let mut sums = Self::default();
        sums.0.iter_mut().skip(what).take(1).for_each(|number| *number = Wide::Small(1));
        sums
    }

    fn unknown() -> Self {
        Self::one(UNKNOWN)
    }

    fn of(item: Record<'_, '_>, scale: u32) -> Self {
        let Some((quantity, price)) = preview::factors(item) else { return Self::unknown() };
        let exact = Exact::new(quantity).and_then(|exact| exact.times(price));
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
    pub(crate) fn subtotal(&self, rounding: Rounding, scale: u32) -> Option<Decimal> {
        let position = Rounding::ALL.iter().position(|of| *of == rounding)?;
        let known = !self.has(UNKNOWN) && !self.has(OUT_OF_RANGE);
        let units = self.0.get(position).filter(|_| known)?;
        Exact::from_units(units.clone(), scale).at_scale(scale)
    }

    /// Whether no decimal holds the price of a line, or all of them together.
    pub(crate) fn is_out_of_range(&self, subtotal: Option<Decimal>) -> bool {
        self.has(OUT_OF_RANGE) || (!self.has(UNKNOWN) && subtotal.is_none())
    }

    pub(crate) fn has_tie(&self) -> bool {
        self.has(TIES)
    }

    /// Sums only ever meet the ones they were made of, so they neither overflow nor fall below zero.
    fn changed_by(mut self, term: &str) -> Self {
        let mut numbers = term.get(1..).unwrap_or_default().split(' ');
        for number in &mut self.0 {
            let by = numbers.next().and_then(Wide::of_digits).unwrap_or_default();
            let changed = if term.starts_with('-') { number.subtract(&by) } else { number.add(&by) };
            *number = changed.unwrap_or_default();
        }
        self
    }

    fn into_text(self) -> String {
        let mut text = String::new();
        for number in self.0 {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(&Exact::from_units(number, 0).into_plain());
        }
        text
    }
}
