//! Options: [`RuleOptions`] for the rules, [`AmountOptions`] for the amounts.

mod invalid;
mod tax_rate;

use crate::closed_set::closed_set;
use crate::decimal::Rounding;
use crate::guid::Guid;
use crate::order::ValueType;

pub use invalid::InvalidOption;
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
    /// How the Discount and Taxes records are read; the specification does not publish their members (§2.4, §2.5).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Records {
        /// Checked against the members that sibling operations have (D10, D13).
        #[default]
        Strict = "strict",
        /// Sent unread; their amounts are unknown to the preview, and a [`SalesOrder`](crate::SalesOrder) has their JSON in `other`.
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

/// Options of the rules: what the caller knows beyond the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RuleOptions {
    /// The operation the order is for; v3 by default.
    pub version: Version,
    /// The configuration of the location, if the caller knows it (D21).
    pub location_tax_pricing: Option<TaxPricing>,
    /// Whether `Taxes: []` is allowed, which replaces all taxes with none (D9).
    pub allow_empty_taxes: bool,
    /// How Discount and Taxes records are read; strict by default.
    pub records: Records,
    /// What the ValueType of a discount means (D14). With it, a percentage outside 0 to 100 is an error (D15).
    pub discount_value_types: Option<DiscountValueTypes>,
    /// The orderId of the path, if the caller has it: fills a missing Id, and a different Id is an error (D3).
    pub order_id: Option<Guid>,
}

/// Options of amounts: what the caller knows beyond the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AmountOptions {
    /// Fraction digits of the currency; 2 by default (D42).
    pub scale: Scale,
    /// How half a unit is rounded; up by default (D18).
    pub rounding: Rounding,
    /// Where tax is rounded; on each line by default (D18).
    pub round_tax_per: TaxRounding,
    /// Rates for an estimate if the order has no taxes (D12).
    pub tax_rates: Option<Vec<TaxRate>>,
    /// Whether to return the steps that computed each number.
    pub explain: bool,
}

/// The number of fraction digits of a currency, 0 to 4; 2 by default (D42).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Scale(u8);

impl Scale {
    /// The largest number of fraction digits.
    pub const MAX: u32 = 4;

    /// Returns the scale of a currency with this number of fraction digits.
    ///
    /// ```
    /// use sales_order_intake::{InvalidOption, Scale};
    ///
    /// assert_eq!(Scale::new(0)?.digits(), 0); // yen
    /// assert_eq!(Scale::default().digits(), 2);
    /// assert_eq!(Scale::new(9), Err(InvalidOption::Scale));
    /// # Ok::<(), InvalidOption>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOption::Scale`] for more than 4 digits.
    pub fn new(digits: u32) -> Result<Self, InvalidOption> {
        match u8::try_from(digits) {
            Ok(small) if digits <= Self::MAX => Ok(Self(small)),
            _ => Err(InvalidOption::Scale),
        }
    }

    /// Returns the number of fraction digits.
    ///
    /// ```
    /// assert_eq!(sales_order_intake::Scale::default().digits(), 2);
    /// ```
    #[must_use]
    pub fn digits(self) -> u32 {
        self.0.into()
    }
}

impl Default for Scale {
    fn default() -> Self {
        Self(2)
    }
}

/// What the ValueType of a discount means, which is not published (D14).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscountValueTypes {
    amount: ValueType,
    percent: ValueType,
}

impl DiscountValueTypes {
    /// Defines the ValueType of an amount in the currency, and that of a percentage from 0 to 100.
    ///
    /// ```
    /// use sales_order_intake::{DiscountValueTypes, InvalidOption};
    ///
    /// assert!(DiscountValueTypes::new(1, 2).is_ok());
    /// assert!(DiscountValueTypes::new("Amount", "Percent").is_ok());
    /// assert_eq!(DiscountValueTypes::new(1, 1), Err(InvalidOption::SameValueTypes));
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOption::SameValueTypes`] if both are the same.
    pub fn new(amount: impl Into<ValueType>, percent: impl Into<ValueType>) -> Result<Self, InvalidOption> {
        let (amount, percent) = (amount.into(), percent.into());
        if amount == percent { Err(InvalidOption::SameValueTypes) } else { Ok(Self { amount, percent }) }
    }

    /// Returns the ValueType of an amount in the currency.
    ///
    /// ```
    /// use sales_order_intake::{DiscountValueTypes, ValueType};
    ///
    /// assert_eq!(DiscountValueTypes::new(1, 2)?.amount(), &ValueType::from(1));
    /// # Ok::<(), sales_order_intake::InvalidOption>(())
    /// ```
    #[must_use]
    pub fn amount(&self) -> &ValueType {
        &self.amount
    }

    /// Returns the ValueType of a percentage.
    ///
    /// ```
    /// use sales_order_intake::{DiscountValueTypes, ValueType};
    ///
    /// assert_eq!(DiscountValueTypes::new(1, 2)?.percent(), &ValueType::from(2));
    /// # Ok::<(), sales_order_intake::InvalidOption>(())
    /// ```
    #[must_use]
    pub fn percent(&self) -> &ValueType {
        &self.percent
    }
}
