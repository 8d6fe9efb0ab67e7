//! Options in the JSON form they have in the npm package.

use rust_decimal::Decimal;

use crate::decimal::{Rounding, is_negative, parse_decimal};
use crate::guid::Guid;
use crate::json;
use crate::words::{joined, push_number};
use crate::written::ValueType;

use super::{
    DiscountValueTypes, InvalidOption, PreviewOptions, Records, TaxLayer, TaxPricing, TaxRate, TaxRateType,
    TaxRounding, Version,
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
        let given = Given { at: "options".to_owned(), raw: text };
        given.members(&mut |name, value| read_option(&mut options, name, value))?;
        Ok(options)
    }
}

fn read_option(options: &mut PreviewOptions, name: &str, given: &Given<'_>) -> Read<()> {
    let rules = &mut options.rules;
    match name {
        "locationTaxPricing" if given.raw == "null" => rules.location_tax_pricing = None,
        _ if given.raw == "null" => return given.wrong("must not be null; leave it out instead"),
        "version" => {
            rules.version = if given.is_second(["v2", "v3"])? { Version::V3 } else { Version::V2 };
        }
        "locationTaxPricing" => {
            let inclusive = given.is_second(["Exclusive", "Inclusive"])?;
            rules.location_tax_pricing =
                Some(if inclusive { TaxPricing::Inclusive } else { TaxPricing::Exclusive });
        }
        "allowEmptyTaxes" => rules.allow_empty_taxes = given.boolean()?,
        "records" => {
            let passthrough = given.is_second(["strict", "passthrough"])?;
            rules.records = if passthrough { Records::Passthrough } else { Records::Strict };
        }
        "orderId" => rules.order_id = Some(given.guid()?),
        "scale" => options.scale = given.whole(4)?,
        "rounding" => {
            let names = Rounding::ALL.map(Rounding::as_str);
            options.rounding = Rounding::ALL.into_iter().nth(given.one_of(&names)?).unwrap_or_default();
        }
        "roundTaxPer" => {
            let tax = given.is_second(["line", "tax"])?;
            options.round_tax_per = if tax { TaxRounding::Tax } else { TaxRounding::Line };
        }
        "taxRates" => {
            let mut rates = Vec::new();
            given.elements(&mut |rate| {
                rates.push(tax_rate(rate)?);
                Ok(())
            })?;
            options.tax_rates = Some(rates);
        }
        "discountValueTypes" => options.discount_value_types = Some(value_types(given)?),
        "explain" => options.explain = given.boolean()?,
        _ => return given.wrong("is not an option"),
    }
    Ok(())
}

fn tax_rate(given: &Given<'_>) -> Read<TaxRate> {
    let (mut id, mut rate) = (None, None);
    let mut name = None;
    let (mut rate_type, mut layer) = (TaxRateType::default(), TaxLayer::default());
    let mut catalog_item_ids = None;
    given.members(&mut |member, given| {
        match member {
            "id" => id = Some(given.text()?),
            "name" => name = Some(given.text()?),
            "rate" => rate = Some(given.decimal()?),
            "type" => {
                let flat = given.is_second(["Percentage", "FlatRate"])?;
                rate_type = if flat { TaxRateType::FlatRate } else { TaxRateType::Percentage };
            }
            "layer" => layer = if given.whole(1)? == 0 { TaxLayer::Zero } else { TaxLayer::One },
            "catalogItemIds" => {
                let mut ids = Vec::new();
                given.elements(&mut |id| {
                    ids.push(id.guid()?);
                    Ok(())
                })?;
                catalog_item_ids = Some(ids);
            }
            _ => return given.wrong("is not a member of a tax rate"),
        }
        Ok(())
    })?;
    let Some(id) = id else { return given.wrong("needs an id") };
    let Some(rate) = rate else { return given.wrong("needs a rate") };
    Ok(TaxRate { id, name, rate, rate_type, layer, catalog_item_ids })
}

fn value_types(given: &Given<'_>) -> Read<DiscountValueTypes> {
    let (mut amount, mut percent) = (None, None);
    given.members(&mut |member, given| {
        let value = match parse_decimal(given.raw) {
            Ok(number) => ValueType::Number(number),
            Err(_) if json::is_number(given.raw) => return given.wrong("must fit a 96-bit decimal"),
            Err(_) => ValueType::Text(given.text()?),
        };
        match member {
            "amount" => amount = Some(value),
            "percent" => percent = Some(value),
            _ => return given.wrong("is not one of amount and percent"),
        }
        Ok(())
    })?;
    match (amount, percent) {
        (Some(amount), Some(percent)) if amount == percent => {
            given.wrong("says the same of amount and percent")
        }
        (Some(amount), Some(percent)) => Ok(DiscountValueTypes { amount, percent }),
        _ => given.wrong("needs both amount and percent"),
    }
}

/// A value, and where it stands: `options.taxRates[2].rate`.
struct Given<'a> {
    at: String,
    raw: &'a str,
}

impl Given<'_> {
    fn wrong<T>(&self, says: &str) -> Read<T> {
        Err(InvalidOption(joined(&[&self.at, " ", says])))
    }

    fn members(&self, read: &mut dyn FnMut(&str, &Given<'_>) -> Read<()>) -> Read<()> {
        let mut result = Ok(());
        let is_object = json::members(self.raw, &mut |name, raw| {
            if result.is_ok() {
                result = read(&name, &Given { at: joined(&[&self.at, ".", &name]), raw });
            }
        });
        if is_object { result } else { self.wrong("must be an object") }
    }

    fn elements(&self, read: &mut dyn FnMut(&Given<'_>) -> Read<()>) -> Read<()> {
        let mut result = Ok(());
        let mut index = 0;
        let is_array = json::elements(self.raw, &mut |raw| {
            if result.is_ok() {
                let mut at = joined(&[&self.at, "["]);
                push_number(&mut at, index);
                at.push(']');
                result = read(&Given { at, raw });
                index += 1;
            }
        });
        if is_array { result } else { self.wrong("must be an array") }
    }

    fn one_of(&self, names: &[&str]) -> Read<usize> {
        let given = json::text(self.raw);
        if let Some(found) = names.iter().position(|name| given.as_deref() == Some(*name)) {
            return Ok(found);
        }
        let mut says = "must be one of".to_owned();
        for name in names {
            says.push_str(if says.ends_with('f') { " " } else { ", " });
            says.push_str(name);
        }
        self.wrong(&says)
    }

    fn is_second(&self, names: [&str; 2]) -> Read<bool> {
        self.one_of(&names).map(|found| found == 1)
    }

    fn boolean(&self) -> Read<bool> {
        match self.raw {
            "true" => Ok(true),
            "false" => Ok(false),
            _ => self.wrong("must be true or false"),
        }
    }

    /// A digit up to a limit.
    fn whole(&self, most: u32) -> Read<u32> {
        if let [digit @ b'0'..=b'9'] = self.raw.as_bytes()
            && u32::from(digit - b'0') <= most
        {
            return Ok(u32::from(digit - b'0'));
        }
        let mut says = "must be a whole number from 0 to ".to_owned();
        push_number(&mut says, most as usize);
        self.wrong(&says)
    }

    fn text(&self) -> Read<String> {
        match json::text(self.raw) {
            Some(text) => Ok(text.into_owned()),
            None => self.wrong("must be text"),
        }
    }

    fn guid(&self) -> Read<Guid> {
        Guid::parse(&self.text()?).or_else(|error| self.wrong(&joined(&["must be a GUID: ", error.says()])))
    }

    fn decimal(&self) -> Read<Decimal> {
        let text;
        let digits = if json::is_number(self.raw) {
            self.raw
        } else {
            text = self.text()?;
            &text
        };
        match parse_decimal(digits) {
            Ok(value) if is_negative(value) => self.wrong("must not be negative"),
            Ok(value) => Ok(value),
            Err(error) => self.wrong(&joined(&["must be a decimal: ", error.says()])),
        }
    }
}
