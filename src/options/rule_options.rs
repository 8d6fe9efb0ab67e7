//! Options of the rules.

use crate::guid::Guid;
use crate::json::json_struct;

use super::discount_value_types::DiscountValueTypes;
use super::{Records, TaxPricing, Version};

json_struct! {
    /// Options of the rules: what the caller knows beyond the order.
    ///
    /// ```
    /// use sales_order_intake::{DiscountValueTypes, RuleOptions, Version};
    ///
    /// let rules = RuleOptions::default()
    ///     .with_version(Version::V2)
    ///     .with_discount_value_types(DiscountValueTypes::new(1, 2)?);
    /// assert!(!rules.allow_empty_taxes); // what is not set is the default
    /// # Ok::<(), sales_order_intake::InvalidOption>(())
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct RuleOptions {
        /// The operation the order is for; v3 by default.
        pub version: Version => "version",
        /// The configuration of the location, if the caller knows it (D21).
        pub location_tax_pricing: Option<TaxPricing> => "locationTaxPricing" optional,
        /// Whether `Taxes: []` is allowed, which replaces all taxes with none (D9).
        pub allow_empty_taxes: bool => "allowEmptyTaxes",
        /// How Discount and Taxes records are read; strict by default.
        pub records: Records => "records",
        /// What the ValueType of a discount means (D14). With it, a percentage outside 0 to 100 is an error
        /// (D15).
        pub discount_value_types: Option<DiscountValueTypes> => "discountValueTypes" optional,
        /// The orderId of the path, if the caller has it: fills a missing Id, and a different Id is an error
        /// (D3).
        pub order_id: Option<Guid> => "orderId" optional,
        /// Whether warnings count as errors.
        pub strict: bool => "strict",
    }
}

impl RuleOptions {
    /// Sets the operation the order is for (§4).
    ///
    /// ```
    /// # use sales_order_intake::{RuleOptions, Version};
    /// assert_eq!(RuleOptions::default().with_version(Version::V2).version, Version::V2);
    /// ```
    #[must_use]
    pub fn with_version(mut self, version: Version) -> Self {
        self.version = version;
        self
    }

    /// Sets the tax pricing configuration of the location; inclusive prices are an error (D21).
    ///
    /// ```
    /// # use sales_order_intake::{RuleOptions, TaxPricing};
    /// let rules = RuleOptions::default().with_location_tax_pricing(TaxPricing::Exclusive);
    /// assert_eq!(rules.location_tax_pricing, Some(TaxPricing::Exclusive));
    /// ```
    #[must_use]
    pub fn with_location_tax_pricing(mut self, pricing: TaxPricing) -> Self {
        self.location_tax_pricing = Some(pricing);
        self
    }

    /// Sets whether `Taxes: []` is allowed, which replaces all taxes with none (D9).
    ///
    /// ```
    /// # use sales_order_intake::RuleOptions;
    /// assert!(RuleOptions::default().with_allow_empty_taxes(true).allow_empty_taxes);
    /// ```
    #[must_use]
    pub fn with_allow_empty_taxes(mut self, is_allowed: bool) -> Self {
        self.allow_empty_taxes = is_allowed;
        self
    }

    /// Sets how Discount and Taxes records are read (D10, D13).
    ///
    /// ```
    /// # use sales_order_intake::{Records, RuleOptions};
    /// assert_eq!(RuleOptions::default().with_records(Records::Passthrough).records, Records::Passthrough);
    /// ```
    #[must_use]
    pub fn with_records(mut self, records: Records) -> Self {
        self.records = records;
        self
    }

    /// Sets what the ValueType of a discount means (D14).
    ///
    /// ```
    /// # use sales_order_intake::{DiscountValueTypes, RuleOptions};
    /// let rules = RuleOptions::default().with_discount_value_types(DiscountValueTypes::new("Amount", "Percent")?);
    /// assert!(rules.discount_value_types.is_some());
    /// # Ok::<(), sales_order_intake::InvalidOption>(())
    /// ```
    #[must_use]
    pub fn with_discount_value_types(mut self, value_types: DiscountValueTypes) -> Self {
        self.discount_value_types = Some(value_types);
        self
    }

    /// Sets the orderId of the path: fills a missing Id, and a different Id is an error (D3).
    ///
    /// ```
    /// # use sales_order_intake::{Guid, RuleOptions};
    /// let id = Guid::new_random()?;
    /// assert_eq!(RuleOptions::default().with_order_id(id).order_id, Some(id));
    /// # Ok::<(), sales_order_intake::NoRandomSource>(())
    /// ```
    #[must_use]
    pub fn with_order_id(mut self, id: Guid) -> Self {
        self.order_id = Some(id);
        self
    }

    /// Sets whether warnings count as errors: their severity is then [`Severity::Error`](crate::Severity::Error).
    ///
    /// ```
    /// # use sales_order_intake::{Purpose, RuleOptions, parse};
    /// let rules = RuleOptions::default().with_strict(true);
    /// let checked = parse(r#"{ "notes": "x" }"#).check(Purpose::Send, &rules);
    /// assert!(checked.issues().iter().all(|issue| issue.severity.as_str() == "error"));
    /// ```
    #[must_use]
    pub fn with_strict(mut self, is_strict: bool) -> Self {
        self.strict = is_strict;
        self
    }
}
