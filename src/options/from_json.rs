//! Options in the JSON form they have in the npm package.

use rust_decimal::Decimal;

use crate::decimal::{Rounding, parse_decimal};
use crate::guid::Guid;
use crate::json;
use crate::written::ValueType;

use super::{
    DiscountValueTypes, InvalidOption, PreviewOptions, RecordShapes, TaxLayer, TaxPricing, TaxRate,
    TaxRateType, TaxRounding, Version,
};

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
    let is_object = json::members(raw, &mut |name, raw| {
        if result.is_ok() {
            result = read(&name, &[at, ".", &name].concat(), raw);
        }
    });
    if is_object { result } else { Err(invalid(at, "must be an object")) }
}

fn each_element<T>(at: &str, raw: &str, read: fn(&str, &str) -> Read<T>) -> Read<Vec<T>> {
    let mut result = Ok(Vec::new());
    let is_array = json::elements(raw, &mut |raw| {
        if let Ok(read_so_far) = &mut result {
            match read(&[at, "[", &read_so_far.len().to_string(), "]"].concat(), raw) {
                Ok(value) => read_so_far.push(value),
                Err(error) => result = Err(error),
            }
        }
    });
    if is_array { result } else { Err(invalid(at, "must be an array")) }
}

fn one_of<T: Copy, const N: usize>(at: &str, raw: &str, values: &[(&str, T); N]) -> Read<T> {
    let given = json::text(raw);
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
    let text = json::text(raw);
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
