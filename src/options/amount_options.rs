//! Options of the amounts.

use crate::decimal::Rounding;
use crate::json::{ToJson, Writer, json_struct, serialize_as_json};

use super::InvalidOption;
use super::TaxRounding;
use super::tax_rate::TaxRate;

json_struct! {
    /// Options of amounts: what the caller knows beyond the order.
    ///
    /// ```
    /// use sales_order_intake::{AmountOptions, Rounding, TaxRate, parse_decimal};
    ///
    /// let gst = TaxRate::new("gst", parse_decimal("0.05")?)?;
    /// let amounts = AmountOptions::default().with_rounding(Rounding::HalfEven).with_tax_rates([gst]);
    /// assert_eq!(amounts.scale.digits(), 2); // what is not set is the default
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[derive(Clone, Debug, Default, PartialEq, Eq)]
    #[non_exhaustive]
    pub struct AmountOptions {
        /// Fraction digits of the currency; 2 by default (D42).
        pub scale: Scale => "scale",
        /// How half a unit is rounded (D18).
        pub rounding: Rounding => "rounding",
        /// Where tax is rounded (D18).
        pub round_tax_per: TaxRounding => "roundTaxPer",
        /// Rates for an estimate if the order has no taxes (D12).
        pub tax_rates: Option<Vec<TaxRate>> => "taxRates" optional,
        /// Whether to return the steps that computed each number.
        pub explain: bool => "explain",
    }
}

impl AmountOptions {
    /// Sets the fraction digits of the currency (D42).
    ///
    /// ```
    /// # use sales_order_intake::{AmountOptions, Scale};
    /// assert_eq!(AmountOptions::default().with_scale(Scale::new(0)?).scale.digits(), 0); // yen
    /// # Ok::<(), sales_order_intake::InvalidOption>(())
    /// ```
    #[must_use]
    pub fn with_scale(mut self, scale: Scale) -> Self {
        self.scale = scale;
        self
    }

    /// Sets how half a unit is rounded (D18).
    ///
    /// ```
    /// # use sales_order_intake::{AmountOptions, Rounding};
    /// assert_eq!(AmountOptions::default().with_rounding(Rounding::HalfDown).rounding, Rounding::HalfDown);
    /// ```
    #[must_use]
    pub fn with_rounding(mut self, rounding: Rounding) -> Self {
        self.rounding = rounding;
        self
    }

    /// Sets where tax is rounded (D18).
    ///
    /// ```
    /// # use sales_order_intake::{AmountOptions, TaxRounding};
    /// assert_eq!(AmountOptions::default().with_round_tax_per(TaxRounding::Tax).round_tax_per, TaxRounding::Tax);
    /// ```
    #[must_use]
    pub fn with_round_tax_per(mut self, level: TaxRounding) -> Self {
        self.round_tax_per = level;
        self
    }

    /// Sets the rates for an estimate if the order has no taxes (D12). An empty list estimates that there is
    /// no tax.
    ///
    /// ```
    /// # use sales_order_intake::{AmountOptions, TaxRate, parse_decimal};
    /// let gst = TaxRate::new("gst", parse_decimal("0.05")?)?;
    /// assert_eq!(AmountOptions::default().with_tax_rates([gst]).tax_rates.unwrap().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_tax_rates(mut self, rates: impl IntoIterator<Item = TaxRate>) -> Self {
        self.tax_rates = Some(rates.into_iter().collect());
        self
    }

    /// Returns fraction digits and rounding of the currency.
    pub(crate) fn currency(&self) -> (Scale, Rounding) {
        (self.scale, self.rounding)
    }

    /// Sets whether to return the steps that computed each number.
    ///
    /// ```
    /// # use sales_order_intake::{AmountOptions, RuleOptions, preview_order};
    /// let amounts = AmountOptions::default().with_explain(true);
    /// assert!(preview_order("{}", &RuleOptions::default(), &amounts).steps.is_some());
    /// ```
    #[must_use]
    pub fn with_explain(mut self, explain: bool) -> Self {
        self.explain = explain;
        self
    }
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

serialize_as_json! { Scale }

impl ToJson for Scale {
    fn write(&self, out: &mut Writer) {
        self.digits().write(out);
    }
}
