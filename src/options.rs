//! Options: [`RuleOptions`], [`PreviewOptions`] and their JSON form.

use rust_decimal::Decimal;

use crate::closed_set::{UnknownName, closed_set};
use crate::decimal::Rounding;
use crate::guid::Guid;
use crate::order::ValueType;

closed_set! {
    /// The operation an order is for (§4, §9).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Version {
        /// `PUT v2/ServiceOrder(…)`: no customer pricing.
        V2 = "v2",
        /// `PUT v3/ServiceOrder(…)`: customer pricing.
        #[default]
        V3 = "v3",
    }
}

closed_set! {
    /// The tax pricing configuration of a location that has one (§1).
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum TaxPricing {
        /// Prices exclude tax, as these operations require.
        Exclusive = "Exclusive",
        /// Prices include tax: an error (D21).
        Inclusive = "Inclusive",
    }
}

closed_set! {
    /// How the Discount and Taxes records are read; the specification does not publish their members (§2.4, §2.5).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Records {
        /// Checked against the members that sibling operations have (D10, D13).
        #[default]
        Strict = "strict",
        /// Sent unread; their amounts are unknown to the preview.
        Passthrough = "passthrough",
    }
}

closed_set! {
    /// Where tax is rounded (D18).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum TaxRounding {
        /// Each tax on each line.
        #[default]
        Line = "line",
        /// Each tax once, over all lines; the lines show shares of it.
        Tax = "tax",
    }
}

closed_set! {
    /// The type of a tax rate. A new type is one new variant here and one new function in `preview/tax_rate.rs`.
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum TaxRateType {
        /// A fraction of the taxable amount.
        #[default]
        Percentage = "Percentage",
        /// An amount per unit sold.
        FlatRate = "FlatRate",
    }
}

/// The amount that a percentage applies to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum TaxLayer {
    /// The taxable amount.
    #[default]
    Zero,
    /// The taxable amount plus the taxes of layer 0 on it.
    One,
}

/// Options of the rules: what the caller knows beyond the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleOptions {
    /// The operation the order is for; v3 by default.
    pub version: Version,
    /// The configuration of the location, if the caller knows it (D21).
    pub location_tax_pricing: Option<TaxPricing>,
    /// Whether `Taxes: []` is allowed, which replaces all taxes with none (D9).
    pub allow_empty_taxes: bool,
    /// How Discount and Taxes records are read.
    pub records: Records,
    /// What the ValueType of a discount means (D14). With it, a percentage outside 0 to 100 is an error (D15).
    pub discount_value_types: Option<DiscountValueTypes>,
    /// The orderId of the path, if the caller has it: fills a missing Id, and a different Id is an error (D3).
    pub order_id: Option<Guid>,
}

/// Options of a preview: what the caller knows beyond the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewOptions {
    /// The options of the rules.
    pub rules: RuleOptions,
    /// Fraction digits of the currency, 0 to 4; larger values count as 4 (D42).
    pub scale: u32,
    /// How half a unit is rounded (D18).
    pub rounding: Rounding,
    /// Where tax is rounded (D18).
    pub round_tax_per: TaxRounding,
    /// Rates for an estimate if the order has no taxes (D12).
    pub tax_rates: Option<Vec<TaxRate>>,
    /// Whether to return the steps that computed each number.
    pub explain: bool,
}

impl PreviewOptions {
    /// The largest number of fraction digits a currency has (D42).
    pub const MAX_SCALE: u32 = 4;
}

impl Default for PreviewOptions {
    fn default() -> Self {
        Self {
            rules: RuleOptions::default(),
            scale: 2,
            rounding: Rounding::default(),
            round_tax_per: TaxRounding::default(),
            tax_rates: None,
            explain: false,
        }
    }
}

/// A tax that the location charges, as far as the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxRate {
    /// The caller's identifier for it in results.
    pub id: String,
    /// The name to display.
    pub name: Option<String>,
    /// A fraction for [`TaxRateType::Percentage`] (0.05 is five percent), an amount per unit sold for a flat rate.
    pub rate: Decimal,
    /// The type of the rate.
    pub rate_type: TaxRateType,
    /// Layer 1 is calculated on the price and layer 0 together.
    pub layer: TaxLayer,
    /// The catalog items it applies to; `None` is all.
    pub catalog_item_ids: Option<Vec<Guid>>,
}

impl TryFrom<u8> for TaxLayer {
    type Error = UnknownName;

    fn try_from(number: u8) -> Result<Self, UnknownName> {
        match number {
            0 => Ok(Self::Zero),
            1 => Ok(Self::One),
            _ => Err(UnknownName),
        }
    }
}

impl From<TaxLayer> for u8 {
    fn from(layer: TaxLayer) -> Self {
        match layer {
            TaxLayer::Zero => 0,
            TaxLayer::One => 1,
        }
    }
}

/// What the ValueType of a discount means, which is not published (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscountValueTypes {
    /// The ValueType of an amount in the currency.
    pub amount: ValueType,
    /// The ValueType of a percentage, 0 to 100.
    pub percent: ValueType,
}
