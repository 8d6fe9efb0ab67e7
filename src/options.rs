//! What the caller knows beyond the order: [`RuleOptions`], [`PreviewOptions`] and their form as JSON.

use std::fmt;

use rust_decimal::Decimal;

use crate::decimal::{Rounding, parse_decimal};
use crate::guid::Guid;
use crate::json;
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
    pub fn name(self) -> &'static str {
        match self {
            Self::V2 => "v2",
            Self::V3 => "v3",
        }
    }

    /// The version with this name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::V2, Self::V3].into_iter().find(|version| version.name() == name)
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
pub enum RecordShapes {
    /// As the sibling operations have them (D10, D13).
    #[default]
    Sibling,
    /// Not at all: they are passed through, and their amounts are unknown to the preview.
    Opaque,
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
    pub records: RecordShapes,
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

impl fmt::Display for InvalidOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for InvalidOption {}

type Read<T> = Result<T, InvalidOption>;

impl PreviewOptions {
    /// Reads options from the JSON form they have in the npm package; no text is none.
    ///
    /// # Errors
    /// An unknown name, a value of another type or out of range: options are the caller's code, not an order.
    pub fn from_json(text: &str) -> Result<Self, InvalidOption> {
        let mut options = Self::default();
        if text.is_empty() {
            return Ok(options);
        }
        let rules = &mut options.rules;
        each_member(text, "options", |name, at, raw| {
            match name {
                _ if raw == "null" && name != "locationTaxPricing" => {
                    return Err(invalid(at, "must not be null; leave it out instead"));
                }
                "version" => rules.version = one_of(at, raw, &VERSIONS)?,
                "locationTaxPricing" if raw == "null" => rules.location_tax_pricing = None,
                "locationTaxPricing" => {
                    rules.location_tax_pricing = Some(one_of(at, raw, &TAX_PRICINGS)?);
                }
                "allowEmptyTaxes" => rules.allow_empty_taxes = boolean(at, raw)?,
                "records" => rules.records = one_of(at, raw, &RECORD_SHAPES)?,
                "orderId" => rules.order_id = Some(guid(at, raw)?),
                "scale" => options.scale = small(at, raw, 4)?,
                "rounding" => options.rounding = one_of(at, raw, &ROUNDINGS)?,
                "roundTaxPer" => options.round_tax_per = one_of(at, raw, &TAX_ROUNDINGS)?,
                "taxRates" => options.tax_rates = Some(each_element(at, raw, tax_rate)?),
                "discountValueTypes" => options.discount_value_types = Some(value_types(at, raw)?),
                "explain" => options.explain = boolean(at, raw)?,
                _ => return Err(invalid(at, "is not an option")),
            }
            Ok(())
        })?;
        Ok(options)
    }
}

const VERSIONS: [(&str, Version); 2] = [("v2", Version::V2), ("v3", Version::V3)];
const TAX_PRICINGS: [(&str, TaxPricing); 2] =
    [("Exclusive", TaxPricing::Exclusive), ("Inclusive", TaxPricing::Inclusive)];
const RECORD_SHAPES: [(&str, RecordShapes); 2] =
    [("sibling", RecordShapes::Sibling), ("opaque", RecordShapes::Opaque)];
const ROUNDINGS: [(&str, Rounding); 3] =
    [("half-up", Rounding::HalfUp), ("half-even", Rounding::HalfEven), ("half-down", Rounding::HalfDown)];
const TAX_ROUNDINGS: [(&str, TaxRounding); 2] = [("line", TaxRounding::Line), ("tax", TaxRounding::Tax)];
const RATE_TYPES: [(&str, TaxRateType); 2] =
    [("Percentage", TaxRateType::Percentage), ("FlatRate", TaxRateType::FlatRate)];

fn tax_rate(at: &str, raw: &str) -> Read<TaxRate> {
    let (mut id, mut rate) = (None, None);
    let mut name = None;
    let (mut rate_type, mut layer) = (TaxRateType::default(), TaxLayer::default());
    let mut catalog_item_ids = None;
    each_member(raw, at, |member, at, raw| {
        match member {
            "id" => id = Some(text(at, raw)?),
            "name" => name = Some(text(at, raw)?),
            "rate" => rate = Some(decimal(at, raw)?),
            "type" => rate_type = one_of(at, raw, &RATE_TYPES)?,
            "layer" => {
                layer = if small(at, raw, 1)? == 0 { TaxLayer::Zero } else { TaxLayer::One };
            }
            "catalogItemIds" => catalog_item_ids = Some(each_element(at, raw, guid)?),
            _ => return Err(invalid(at, "is not a member of a tax rate")),
        }
        Ok(())
    })?;
    let id = id.ok_or_else(|| invalid(at, "needs an id"))?;
    let rate = rate.ok_or_else(|| invalid(at, "needs a rate"))?;
    Ok(TaxRate { id, name, rate, rate_type, layer, catalog_item_ids })
}

fn value_types(at: &str, raw: &str) -> Read<DiscountValueTypes> {
    let (mut amount, mut percent) = (None, None);
    each_member(raw, at, |member, at, raw| {
        let value = if json::is_number(raw) {
            parse_decimal(raw).map(ValueType::Number).map_err(|error| invalid(at, &error.to_string()))?
        } else {
            ValueType::Text(text(at, raw)?)
        };
        match member {
            "amount" => amount = Some(value),
            "percent" => percent = Some(value),
            _ => return Err(invalid(at, "is not one of amount and percent")),
        }
        Ok(())
    })?;
    match (amount, percent) {
        (Some(amount), Some(percent)) if amount == percent => {
            Err(invalid(at, "says the same of amount and percent"))
        }
        (Some(amount), Some(percent)) => Ok(DiscountValueTypes { amount, percent }),
        _ => Err(invalid(at, "needs both amount and percent")),
    }
}

fn invalid(at: &str, says: &str) -> InvalidOption {
    InvalidOption([at, " ", says].concat())
}

fn each_member(raw: &str, at: &str, mut read: impl FnMut(&str, &str, &str) -> Read<()>) -> Read<()> {
    let mut result = Ok(());
    json::members(raw, &mut |name, raw| {
        if result.is_ok() {
            result = read(&name, &[at, ".", &name].concat(), raw);
        }
    })
    .map_err(|_| invalid(at, "must be an object"))?;
    result
}

fn each_element<T>(at: &str, raw: &str, read: fn(&str, &str) -> Read<T>) -> Read<Vec<T>> {
    let mut result = Ok(Vec::new());
    json::elements(raw, &mut |raw| {
        if let Ok(read_so_far) = &mut result {
            match read(&[at, "[", &read_so_far.len().to_string(), "]"].concat(), raw) {
                Ok(value) => read_so_far.push(value),
                Err(error) => result = Err(error),
            }
        }
    })
    .map_err(|_| invalid(at, "must be an array"))?;
    result
}

fn one_of<T: Copy, const N: usize>(at: &str, raw: &str, values: &[(&str, T); N]) -> Read<T> {
    let given = if json::is_text(raw) { json::text(raw) } else { None };
    let found = values.iter().find(|(name, _)| given.as_deref() == Some(*name));
    found.map(|(_, value)| *value).ok_or_else(|| {
        let names: Vec<_> = values.iter().map(|(name, _)| *name).collect();
        invalid(at, &["must be one of ", &names.join(", ")].concat())
    })
}

fn boolean(at: &str, raw: &str) -> Read<bool> {
    match raw {
        "true" => Ok(true),
        "false" => Ok(false),
        _ => Err(invalid(at, "must be true or false")),
    }
}

fn small(at: &str, raw: &str, most: u32) -> Read<u32> {
    match raw.parse() {
        Ok(value) if value <= most => Ok(value),
        _ => Err(invalid(at, &["must be a whole number from 0 to ", &most.to_string()].concat())),
    }
}

fn text(at: &str, raw: &str) -> Read<String> {
    let text = if json::is_text(raw) { json::text(raw) } else { None };
    text.map(std::borrow::Cow::into_owned).ok_or_else(|| invalid(at, "must be text"))
}

fn guid(at: &str, raw: &str) -> Read<Guid> {
    Guid::parse(&text(at, raw)?)
        .map_err(|error| invalid(at, &["must be a GUID: ", &error.to_string()].concat()))
}

fn decimal(at: &str, raw: &str) -> Read<Decimal> {
    let digits = if json::is_number(raw) { raw.to_owned() } else { text(at, raw)? };
    match parse_decimal(&digits) {
        Ok(value) if value < Decimal::ZERO => Err(invalid(at, "must not be negative")),
        Ok(value) => Ok(value),
        Err(error) => Err(invalid(at, &["must be a decimal: ", &error.to_string()].concat())),
    }
}
