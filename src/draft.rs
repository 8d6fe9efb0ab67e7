//! A draft of an order, judged in parts: each line by itself, the totals from what the lines come to.
//!
//! A draft is edited line by line, and judging thousands of lines again for one quantity would take too long for a
//! keystroke. The host keeps for each line its text and what [`draft_line`] said, all of them texts, and asks
//! [`draft_totals`] with the order in which one line stands for all. The core keeps nothing.
//!
//! What lines come to is their [`Sums`]: whole units at the scale of the currency, for each rounding, so that a line that
//! changed is taken out of the sum exactly and put in again. The host only passes them on.

use rust_decimal::Decimal;

use crate::answer::{json, with_options};
use crate::decimal::{Exact, Rounding};
use crate::issue::Issues;
use crate::preview;
use crate::wide::Wide;
use crate::written::WrittenItem;
use crate::{decode, rules};

/// One item of an order at its position: its sums, and after a line break its issues, where there are any.
///
/// They are those of [`answer::build_order`](crate::answer::build_order) and of the preview, `pointer` and `path` as in
/// the whole order.
#[must_use]
pub fn draft_line(text: &str, index: &str, options: &str) -> String {
    with_options(options, |options| {
        let mut issues = Issues::new(text);
        let index = index.parse().unwrap_or_default();
        let item = decode::read_item(text, index, &mut issues);
        issues.within("Items", |issues| rules::item(index, &item, issues));
        let sums = item.get().map_or_else(Sums::unknown, |item| Sums::of(item, options.scale));
        let mut answer = sums.to_text();
        let issues = issues.finish();
        if !issues.is_empty() {
            answer.push('\n');
            answer.push_str(&json(&issues));
        }
        answer
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
        let sums = terms.lines().fold(Sums::default(), Sums::changed_by);
        let preview = preview::preview(order, options, Some(&sums));
        [&*sums.to_text(), "\n", &json(&preview)].concat()
    })
}

/// What lines come to together.
#[derive(Clone, Copy, Default)]
pub(crate) struct Sums {
    /// In units of the last digit, by [`Rounding::ALL`].
    subtotals: [u128; 3],
    /// Lines whose price is half a unit, where the roundings differ.
    ties: u128,
    /// Lines without a price: a subtotal with one of them is unknown.
    unknown: u128,
    /// Lines whose price is no decimal.
    out_of_range: u128,
}

impl Sums {
    fn unknown() -> Self {
        Self { unknown: 1, ..Self::default() }
    }

    fn of(item: &WrittenItem<'_>, scale: u32) -> Self {
        let Some((quantity, price)) = preview::factors(item) else { return Self::unknown() };
        let exact = Exact::new(quantity).and_then(|exact| exact.times(price));
        let rounded = exact.and_then(|exact| Self::rounded(exact, scale));
        rounded.unwrap_or(Self { out_of_range: 1, ..Self::default() })
    }

    /// Each extended price is rounded once (D18).
    fn rounded(exact: Exact, scale: u32) -> Option<Self> {
        let mut sums = Self::default();
        for (subtotal, rounding) in sums.subtotals.iter_mut().zip(Rounding::ALL) {
            let (rounded, tie) = exact.round(scale, rounding)?;
            *subtotal = Exact::new(rounded)?.units_at(scale)?.small()?;
            sums.ties = tie.into();
        }
        Some(sums)
    }

    /// The subtotal at a scale; nothing where a line has no price or the sum is no decimal.
    pub(crate) fn subtotal(&self, rounding: Rounding, scale: u32) -> Option<Decimal> {
        let known = self.unknown == 0 && self.out_of_range == 0;
        let by_rounding = Rounding::ALL.into_iter().zip(self.subtotals);
        let (_, units) = by_rounding.filter(|_| known).find(|(of, _)| *of == rounding)?;
        Exact::from_units(Wide::Small(units), scale).at_scale(scale)
    }

    /// Whether no decimal holds the price of a line, or all of them together.
    pub(crate) fn is_out_of_range(&self, subtotal: Option<Decimal>) -> bool {
        self.out_of_range != 0 || (self.unknown == 0 && subtotal.is_none())
    }

    pub(crate) fn has_tie(&self) -> bool {
        self.ties != 0
    }

    /// Sums only ever meet the ones they were made of, so they neither wrap nor fall below zero.
    fn changed_by(self, term: &str) -> Self {
        let (sign, digits) = term.split_at_checked(1).unwrap_or_default();
        let mut numbers = digits.split(' ').map(|digits| digits.parse().unwrap_or_default());
        let mut change = |value: u128| {
            let by = numbers.next().unwrap_or_default();
            if sign == "-" { value.saturating_sub(by) } else { value.saturating_add(by) }
        };
        Self {
            subtotals: self.subtotals.map(&mut change),
            ties: change(self.ties),
            unknown: change(self.unknown),
            out_of_range: change(self.out_of_range),
        }
    }

    fn to_text(self) -> String {
        let [up, even, down] = self.subtotals;
        let numbers = [up, even, down, self.ties, self.unknown, self.out_of_range];
        numbers.map(|number| Exact::from_units(Wide::Small(number), 0).to_plain()).join(" ")
    }
}
