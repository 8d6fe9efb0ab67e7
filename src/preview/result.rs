//! The result of a preview: totals and lines.

use rust_decimal::Decimal;

use crate::closed_set::closed_set;
use crate::decimal::Rounding;
use crate::issue::Issue;
use crate::json::json_struct;
use crate::options::Version;

use super::trace::Step;

json_struct! {
    /// The amounts of an order as the point of sale will show them, as far as they can be known.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Preview {
        /// The totals.
        pub totals: Totals => flat,
        /// The lowest and the highest total over all rounding modes and levels; `None` if the total is unknown (D19).
        pub rounding_range: Option<RoundingRange> => "roundingRange",
        /// One line per item, in order.
        pub lines: Vec<PreviewLine> => "lines",
        /// How each number was computed; `None` unless `explain` is set.
        pub steps: Option<Vec<Step>> => "steps" optional,
        /// The issues of the order; a notice or an error among them says why an amount is unknown.
        pub issues: Vec<Issue> => "issues",
    }
}

json_struct! {
    /// The totals of an order.
    ///
    /// Amounts are in the currency, at its scale; a supplied tax with more fraction digits is not rounded.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct Totals {
        /// The operation the order is for.
        pub version: Version => "version",
        /// Fraction digits of the currency.
        pub scale: u32 => "scale",
        /// How half a unit is rounded.
        pub rounding: Rounding => "rounding",
        /// The sum of the rounded extended prices.
        pub subtotal: Option<Decimal> => "subtotal",
        /// The invoice-level discount.
        pub discount: DiscountPreview => "discount",
        /// The taxes.
        pub tax: TaxPreview => "tax",
        /// Subtotal − discount + tax; `None` while one of them is unknown.
        pub total: Option<Decimal> => "total",
    }
}

json_struct! {
    /// One line of a [`Preview`].
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct PreviewLine {
        /// The index of the item, from 0.
        pub index: usize => "index",
        /// The name of the item.
        pub name: Option<String> => "name",
        /// The quantity with the digits it was given with.
        pub quantity: Option<Decimal> => "quantity",
        /// The price of one unit with the digits it was given with.
        pub unit_price: Option<Decimal> => "unitPrice",
        /// Quantity × unit price, rounded once (D18).
        pub extended: Option<Decimal> => "extended",
        /// The line's share of the discount; the shares sum to it exactly (D17).
        pub discount: Option<Decimal> => "discount",
        /// The line's taxes; supplied ones are all on the first line (§2.1).
        pub tax: Option<Decimal> => "tax",
        /// The taxes one by one.
        pub taxes: Vec<LineTax> => "taxes",
        /// Extended − discount + tax.
        pub total: Option<Decimal> => "total",
    }
}

json_struct! {
    /// One tax on one line.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct LineTax {
        /// The TaxId of a supplied tax, or the id of the rate of an estimated tax.
        pub tax_id: String => "taxId",
        /// The amount in the currency.
        pub amount: Decimal => "amount",
    }
}

json_struct! {
    /// The invoice-level discount of an order.
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct DiscountPreview {
        /// All entries together; zero if there are none.
        pub total: Option<Decimal> => "total",
        /// The entries, in the order they apply (D15).
        pub entries: Vec<DiscountEntry> => "entries",
    }
}

json_struct! {
    /// One invoice-level discount.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct DiscountEntry {
        /// The name of the discount.
        pub name: Option<String> => "name",
        /// The amount it takes off, in the currency.
        pub amount: Option<Decimal> => "amount",
    }
}

json_struct! {
    /// The taxes of an order.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct TaxPreview {
        /// Where the taxes come from.
        pub source: TaxSource => "source",
        /// All taxes together.
        pub total: Option<Decimal> => "total",
        /// The taxes one by one: every supplied tax with a TaxId and a valid amount, even if the total is unknown; every
        /// estimated tax, and none of them while the total is unknown.
        pub entries: Vec<TaxEntry> => "entries",
    }
}

closed_set! {
    /// Where the taxes of a [`Preview`] come from.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum TaxSource {
        /// The order supplies them; they replace all that the point of sale would calculate (§2.1, D11).
        Supplied = "supplied",
        /// Calculated from rates that the caller knows (D12).
        Estimated = "estimated",
        /// The point of sale calculates them: unknown here (§2.1, D12).
        PointOfSale = "point-of-sale",
    }
}

json_struct! {
    /// One tax of an order.
    #[derive(Clone, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct TaxEntry {
        /// The TaxId of a supplied tax, or the id of the rate of an estimated tax.
        pub tax_id: String => "taxId",
        /// The name of the rate.
        pub name: Option<String> => "name",
        /// The amount in the currency.
        pub amount: Decimal => "amount",
    }
}

json_struct! {
    /// The lowest and the highest total over all rounding modes and tax levels (D18, D19).
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct RoundingRange {
        /// The lowest total.
        pub min: Decimal => "min",
        /// The highest total.
        pub max: Decimal => "max",
    }
}
