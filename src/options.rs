//! What the caller knows beyond the order: [`RuleOptions`], [`PreviewOptions`] and their form as JSON.

mod from_json;

use std::fmt;
use std::str::FromStr;

use rust_decimal::Decimal;

use crate::code::UnknownName;
use crate::decimal::Rounding;
use crate::guid::Guid;
use crate::written::ValueType;

/// The operation an order is for (§4, §9).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Version {
    /// `PUT v2/ServiceOrder(…)`: no customer pricing.
    V2,
    /// `PUT v3/ServiceOrder(…)`: customer pricing.
    #[default]
    V3,
}

impl Version {
    /// The version as it stands in the path: `v2` or `v3`.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
        }
    }
}

impl FromStr for Version {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        [Self::V2, Self::V3].into_iter().find(|version| version.as_str() == name).ok_or(UnknownName)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The tax pricing configuration of a location, where it has one (§1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TaxPricing {
    /// Prices are without tax: what these operations are for.
    Exclusive,
    /// Prices hold the tax: an error (D21).
    Inclusive,
}

/// How the records are read whose shape the specification does not show (§2.4, §2.5).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Records {
    /// As the sibling operations have them (D10, D13).
    #[default]
    Strict,
    /// Not at all: they are passed through, and their amounts are unknown to the preview.
    Passthrough,
}

/// What the rules need to know beyond the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleOptions {
    /// The operation the order is for; v3 unless said otherwise.
    pub version: Version,
    /// The configuration of the location, where the caller knows it (D21).
    pub location_tax_pricing: Option<TaxPricing>,
    /// Says that `Taxes: []` is meant: it replaces the taxes of the point of sale by none (D9).
    pub allow_empty_taxes: bool,
    /// How Discount and Taxes records are read.
    pub records: Records,
    /// The orderId of the path, where the caller has it: fills a missing Id, and another Id is an error (D3).
    pub order_id: Option<Guid>,
}

/// What a preview needs to know beyond the order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PreviewOptions {
    /// What the rules need.
    pub rules: RuleOptions,
    /// Fraction digits of the currency, 0 to 4; larger ones count as 4 (D42).
    pub scale: u32,
    /// How half a unit is rounded (D18).
    pub rounding: Rounding,
    /// Where tax is rounded (D18).
    pub round_tax_per: TaxRounding,
    /// Rates for an estimate where the order brings no taxes (D12).
    pub tax_rates: Option<Vec<TaxRate>>,
    /// What the ValueType of a discount means (D14).
    pub discount_value_types: Option<DiscountValueTypes>,
    /// Whether to give the steps: how every number came about.
    pub explain: bool,
}

impl Default for PreviewOptions {
    fn default() -> Self {
        Self {
            rules: RuleOptions::default(),
            scale: 2,
            rounding: Rounding::default(),
            round_tax_per: TaxRounding::default(),
            tax_rates: None,
            discount_value_types: None,
            explain: false,
        }
    }
}

/// Where tax is rounded (D18).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TaxRounding {
    /// Each tax on each line.
    #[default]
    Line,
    /// Each tax once, over all lines; the lines show shares of it.
    Tax,
}

impl TaxRounding {
    /// Both levels, the default first.
    pub const ALL: [Self; 2] = [Self::Line, Self::Tax];
}

/// A tax that the location charges, as far as the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TaxRate {
    /// The caller's name for it in results.
    pub id: String,
    /// What to show.
    pub name: Option<String>,
    /// A fraction for [`TaxRateType::Percentage`] (0.05 is five percent), an amount per unit sold for a flat rate.
    pub rate: Decimal,
    /// What kind of rate it is.
    pub rate_type: TaxRateType,
    /// Layer 1 is calculated on the price and layer 0 together.
    pub layer: TaxLayer,
    /// The catalog items it applies to; all of them where absent.
    pub catalog_item_ids: Option<Vec<Guid>>,
}

/// What kind of rate a tax has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TaxRateType {
    /// A fraction of the taxable amount.
    #[default]
    Percentage,
    /// An amount per unit sold.
    FlatRate,
}

/// What a percentage is taken of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TaxLayer {
    /// The taxable amount.
    #[default]
    Zero,
    /// The taxable amount and the taxes of layer 0 on it.
    One,
}

/// What the ValueType of a discount means; published nowhere, so the caller says (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscountValueTypes {
    /// The ValueType of an amount in the currency.
    pub amount: ValueType,
    /// The ValueType of a percentage, 0 to 100.
    pub percent: ValueType,
}

/// An option that can't be used, in words that name it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InvalidOption(String);

impl InvalidOption {
    pub(crate) fn says(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidOption {}
