//! Options: [`RuleOptions`] for the rules, [`AmountOptions`] for the amounts. `json` reads them in the form
//! that they have in the npm package.

mod amount_options;
mod discount_value_types;
pub(crate) mod json;
mod rule_options;
mod tax_rate;

use std::fmt;

use crate::closed_set::closed_set;

pub use amount_options::{AmountOptions, Scale};
pub use discount_value_types::DiscountValueTypes;
pub use rule_options::RuleOptions;
pub use tax_rate::{TaxLayer, TaxRate, TaxRateType};

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
    /// How the Discount and Taxes records are read; the specification does not publish their members (§2.4,
    /// §2.5).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Records {
        /// Checked against the members that sibling operations have (D10, D13).
        #[default]
        Strict = "strict",
        /// Sent unread; their amounts are unknown to the preview, and a [`SalesOrder`](crate::SalesOrder) has
        /// their JSON in `other`.
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

/// The reason why a value can't be an option.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidOption {
    /// A currency has 0 to 4 fraction digits.
    Scale,
    /// A tax rate is not negative.
    NegativeRate,
    /// The ValueTypes of an amount and of a percentage differ.
    SameValueTypes,
}

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Scale => "the scale must be from 0 to 4",
            Self::NegativeRate => "a tax rate must not be negative",
            Self::SameValueTypes => "the ValueTypes of amounts and percentages must differ",
        })
    }
}

impl std::error::Error for InvalidOption {}
