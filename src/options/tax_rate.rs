//! The tax rates of a location, for estimates (D12).

use rust_decimal::Decimal;

use crate::closed_set::{UnknownName, closed_set};
use crate::decimal::is_negative;
use crate::guid::Guid;
use crate::json::{ToJson, Writer, key, serialize_as_json};

use super::InvalidOption;

closed_set! {
    // A new type also needs two arms in src/preview/tax_rate.rs, and its name in `TaxRate` of
    // pkg-template/src/types.ts, in www/demo/src/draft.ts and in www/demo/src/taxes.tsx.
    /// The type of a tax rate.
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
    /// The taxable amount: the extended price of a line less its share of the discount (D16).
    #[default]
    Zero,
    /// The taxable amount plus the taxes of layer 0 on it.
    One,
}

/// A tax that the location charges, as far as the caller knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct TaxRate {
    /// The caller's identifier for it in results.
    pub id: String,
    /// The name to display.
    pub name: Option<String>,
    /// The type of the rate: a percentage, unless it is set.
    pub rate_type: TaxRateType,
    /// Layer 1 is calculated on the taxable amount and the taxes of layer 0 together.
    pub layer: TaxLayer,
    /// The catalog items it applies to; `None` is all.
    pub catalog_item_ids: Option<Vec<Guid>>,
    rate: Decimal,
}

impl TaxRate {
    /// Returns a rate: a fraction for [`TaxRateType::Percentage`] (0.05 is five percent), an amount per unit
    /// sold for [`TaxRateType::FlatRate`].
    ///
    /// ```
    /// use sales_order_intake::{InvalidOption, TaxLayer, TaxRate, parse_decimal};
    ///
    /// let qst = TaxRate::new("qst", parse_decimal("0.09975")?)?.with_name("QST").with_layer(TaxLayer::One);
    /// assert_eq!(qst.name.as_deref(), Some("QST"));
    /// assert_eq!(TaxRate::new("gst", parse_decimal("-0.05")?), Err(InvalidOption::NegativeRate));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOption::NegativeRate`] for a rate below 0.
    pub fn new(id: impl Into<String>, rate: Decimal) -> Result<Self, InvalidOption> {
        if is_negative(rate) {
            return Err(InvalidOption::NegativeRate);
        }
        let (rate_type, layer) = (TaxRateType::default(), TaxLayer::default());
        Ok(Self { id: id.into(), name: None, rate_type, layer, catalog_item_ids: None, rate })
    }

    /// Sets the name to display.
    ///
    /// ```
    /// # use sales_order_intake::{TaxRate, parse_decimal};
    /// let gst = TaxRate::new("gst", parse_decimal("0.05")?)?.with_name("GST 5 %");
    /// assert_eq!(gst.name.as_deref(), Some("GST 5 %"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    /// Sets the type of the rate, which says whether it is a fraction or an amount per unit sold.
    ///
    /// ```
    /// # use sales_order_intake::{TaxRate, TaxRateType, parse_decimal};
    /// let deposit = TaxRate::new("deposit", parse_decimal("0.10")?)?.with_rate_type(TaxRateType::FlatRate);
    /// assert_eq!(deposit.rate_type, TaxRateType::FlatRate);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_rate_type(mut self, rate_type: TaxRateType) -> Self {
        self.rate_type = rate_type;
        self
    }

    /// Sets the amount that a percentage applies to.
    ///
    /// ```
    /// # use sales_order_intake::{TaxLayer, TaxRate, parse_decimal};
    /// let qst = TaxRate::new("qst", parse_decimal("0.09975")?)?.with_layer(TaxLayer::One);
    /// assert_eq!(qst.layer, TaxLayer::One);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_layer(mut self, layer: TaxLayer) -> Self {
        self.layer = layer;
        self
    }

    /// Sets the catalog items that the rate applies to; without them, it applies to all.
    ///
    /// ```
    /// # use sales_order_intake::{TaxRate, parse_decimal};
    /// let tea = "8c1f2b3a-4d5e-4f60-9a7b-8c9d0e1f2a3b".parse()?;
    /// let gst = TaxRate::new("gst", parse_decimal("0.05")?)?.with_catalog_item_ids([tea]);
    /// assert_eq!(gst.catalog_item_ids, Some(vec![tea]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_catalog_item_ids(mut self, ids: impl IntoIterator<Item = Guid>) -> Self {
        self.catalog_item_ids = Some(ids.into_iter().collect());
        self
    }

    /// Returns true if the rate applies to some catalog items, but not to all.
    pub(crate) fn is_for_some_items(&self) -> bool {
        self.catalog_item_ids.as_ref().is_some_and(|ids| !ids.is_empty())
    }

    /// Returns the rate, which is not negative.
    ///
    /// ```
    /// use sales_order_intake::{TaxRate, parse_decimal};
    ///
    /// assert_eq!(TaxRate::new("gst", parse_decimal("0.05")?)?.rate(), parse_decimal("0.05")?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn rate(&self) -> Decimal {
        self.rate
    }
}

impl TryFrom<u8> for TaxLayer {
    type Error = UnknownName;

    fn try_from(number: u8) -> Result<Self, UnknownName> {
        match number {
            0 => Ok(Self::Zero),
            1 => Ok(Self::One),
            _ => Err(UnknownName::new(number.to_string(), &["0", "1"])),
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

serialize_as_json! { TaxLayer }
serialize_as_json! { TaxRate }

impl ToJson for TaxLayer {
    fn write(&self, out: &mut Writer) {
        u32::from(u8::from(*self)).write(out);
    }
}

impl ToJson for TaxRate {
    fn write(&self, out: &mut Writer) {
        out.begin_object();
        self.id.write(out.key(key!("id")));
        if let Some(name) = &self.name {
            name.write(out.key(key!("name")));
        }
        self.rate.write(out.key(key!("rate")));
        self.rate_type.write(out.key(key!("type")));
        self.layer.write(out.key(key!("layer")));
        if let Some(ids) = &self.catalog_item_ids {
            ids.write(out.key(key!("catalogItemIds")));
        }
        out.end_object();
    }
}
