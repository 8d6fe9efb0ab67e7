//! What the ValueType of a discount means (D14).

use crate::json::{ToJson, Writer, key, serialize_as_json};
use crate::order::ValueType;

use super::InvalidOption;

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

serialize_as_json! { DiscountValueTypes }

impl ToJson for DiscountValueTypes {
    fn write(&self, out: &mut Writer) {
        out.begin_object();
        self.amount.write(out.key(key!("amount")));
        self.percent.write(out.key(key!("percent")));
        out.end_object();
    }
}
