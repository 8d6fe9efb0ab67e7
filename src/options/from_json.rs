//! Parses options from the JSON form of the npm package.

use std::borrow::Cow;
use std::str::FromStr;

use rust_decimal::Decimal;

use crate::decimal::{Rounding, is_negative, parse_decimal, push_integer};
use crate::guid::Guid;
use crate::issue::push_escaped;
use crate::json;
use crate::order::ValueType;

use super::{
    DiscountValueTypes, InvalidOption, PreviewOptions, Records, TaxLayer, TaxPricing, TaxRate, TaxRateType,
    TaxRounding, Version,
};

type Read<T> = Result<T, InvalidOption>;

impl PreviewOptions {
    /// Parses options from the JSON form of the npm package; an empty string gives the defaults.
    ///
    /// ```
    /// use sales_order_intake::{PreviewOptions, Version};
    ///
    /// let options = PreviewOptions::from_json(r#"{ "version": "v2", "scale": 3 }"#)?;
    /// assert_eq!((options.rules.version, options.scale), (Version::V2, 3));
    /// # Ok::<(), sales_order_intake::InvalidOption>(())
    /// ```
    ///
    /// # Errors
    /// Returns [`InvalidOption`] for an unknown name, and for a value of another type or out of range.
    pub fn from_json(json: &str) -> Result<Self, InvalidOption> {
        let mut options = Self::default();
        if json.is_empty() {
            return Ok(options);
        }
        let value = OptionValue { pointer: String::new(), raw: json };
        for (name, value) in &value.members()? {
            read_option(&mut options, name, value)?;
        }
        Ok(options)
    }
}

fn read_option(options: &mut PreviewOptions, name: &str, value: &OptionValue<'_>) -> Read<()> {
    let rules = &mut options.rules;
    match name {
        "locationTaxPricing" if value.raw == "null" => rules.location_tax_pricing = None,
        _ if value.raw == "null" => return value.invalid("must not be null; leave it out instead"),
        "version" => rules.version = value.one_of(Version::ALL, Version::NAMES)?,
        "locationTaxPricing" => {
            rules.location_tax_pricing = Some(value.one_of(TaxPricing::ALL, TaxPricing::NAMES)?);
        }
        "allowEmptyTaxes" => rules.allow_empty_taxes = value.boolean()?,
        "records" => rules.records = value.one_of(Records::ALL, Records::NAMES)?,
        "discountValueTypes" => rules.discount_value_types = Some(discount_value_types(value)?),
        "orderId" => rules.order_id = Some(value.guid()?),
        "scale" => options.scale = value.digit(PreviewOptions::MAX_SCALE)?,
        "rounding" => options.rounding = value.one_of(Rounding::ALL, Rounding::NAMES)?,
        "roundTaxPer" => options.round_tax_per = value.one_of(TaxRounding::ALL, TaxRounding::NAMES)?,
        "taxRates" => options.tax_rates = Some(value.list(tax_rate)?),
        "explain" => options.explain = value.boolean()?,
        _ => return value.invalid("is not an option"),
    }
    Ok(())
}

fn tax_rate(value: &OptionValue<'_>) -> Read<TaxRate> {
    let (mut id, mut rate) = (None, None);
    let mut name = None;
    let (mut rate_type, mut layer) = (TaxRateType::default(), TaxLayer::default());
    let mut catalog_item_ids = None;
    for (member, value) in &value.members()? {
        match &**member {
            "id" => id = Some(value.string()?),
            "name" => name = Some(value.string()?),
            "rate" => rate = Some(value.decimal()?),
            "type" => rate_type = value.one_of(TaxRateType::ALL, TaxRateType::NAMES)?,
            "layer" => layer = if value.digit(1)? == 0 { TaxLayer::Zero } else { TaxLayer::One },
            "catalogItemIds" => catalog_item_ids = Some(value.list(|value| value.guid())?),
            _ => return value.invalid("is not a member of a tax rate"),
        }
    }
    let Some(id) = id else { return value.missing("id") };
    let Some(rate) = rate else { return value.missing("rate") };
    Ok(TaxRate { id, name, rate, rate_type, layer, catalog_item_ids })
}

fn discount_value_types(value: &OptionValue<'_>) -> Read<DiscountValueTypes> {
    let (mut amount, mut percent) = (None, None);
    for (member, value) in &value.members()? {
        match &**member {
            "amount" => amount = Some(value.value_type()?),
            "percent" => percent = Some(value.value_type()?),
            _ => return value.invalid("is not a member of discountValueTypes"),
        }
    }
    match (amount, percent) {
        (Some(amount), Some(percent)) if amount == percent => {
            value.invalid("has the same value for amount and percent")
        }
        (Some(amount), Some(percent)) => Ok(DiscountValueTypes { amount, percent }),
        (None, _) => value.missing("amount"),
        (_, None) => value.missing("percent"),
    }
}

/// The JSON of an option, and its location: `/taxRates/2/rate`.
struct OptionValue<'a> {
    pointer: String,
    raw: &'a str,
}

impl<'a> OptionValue<'a> {
    fn invalid<T>(&self, predicate: &str) -> Read<T> {
        Err(self.problem(predicate))
    }

    fn problem(&self, predicate: &str) -> InvalidOption {
        let subject = if self.pointer.is_empty() { "the options" } else { "option " };
        let message = [subject, &self.pointer, " ", predicate].concat();
        InvalidOption::new(&self.pointer, message)
    }

    /// Reports a required member that is absent.
    fn missing<T>(&self, name: &str) -> Read<T> {
        OptionValue { pointer: [&self.pointer, "/", name].concat(), raw: "" }.invalid("is missing")
    }

    /// Returns the members of an object with their names.
    fn members(&self) -> Read<Vec<(Cow<'a, str>, Self)>> {
        let mut members = Vec::new();
        let is_object = json::members(self.raw, &mut |name, raw| {
            let mut pointer = [&self.pointer, "/"].concat();
            push_escaped(&mut pointer, &name);
            members.push((name, Self { pointer, raw }));
        });
        if is_object { Ok(members) } else { self.invalid("must be an object") }
    }

    /// Reads every element of an array.
    fn list<T>(&self, read: fn(&Self) -> Read<T>) -> Read<Vec<T>> {
        let mut elements = Vec::new();
        let is_array = json::elements(self.raw, &mut |raw| {
            let mut pointer = [&self.pointer, "/"].concat();
            push_integer(&mut pointer, elements.len());
            elements.push(Self { pointer, raw });
        });
        if is_array { elements.iter().map(read).collect() } else { self.invalid("must be an array") }
    }

    /// Parses the name of a value of a closed set.
    fn one_of<T: Copy>(&self, all: &[T], names: &[&str]) -> Read<T> {
        let index = self.index_of(names)?;
        all.get(index).copied().map_or_else(|| self.invalid("is unknown"), Ok)
    }

    fn index_of(&self, names: &[&str]) -> Read<usize> {
        let name = json::string(self.raw);
        if let Some(index) = names.iter().position(|known| name.as_deref() == Some(*known)) {
            return Ok(index);
        }
        self.invalid(&["must be one of ", &names.join(", ")].concat())
    }

    fn boolean(&self) -> Read<bool> {
        bool::from_str(self.raw).or_else(|_| self.invalid("must be true or false"))
    }

    /// Returns a one-digit number up to a limit.
    fn digit(&self, max: u32) -> Read<u32> {
        if let [digit @ b'0'..=b'9'] = self.raw.as_bytes()
            && u32::from(digit - b'0') <= max
        {
            return Ok(u32::from(digit - b'0'));
        }
        let mut predicate = "must be an integer from 0 to ".to_owned();
        push_integer(&mut predicate, max as usize);
        self.invalid(&predicate)
    }

    fn string(&self) -> Read<String> {
        match json::string(self.raw) {
            Some(string) => Ok(string.into_owned()),
            None => self.invalid("must be a string"),
        }
    }

    fn guid(&self) -> Read<Guid> {
        let guid = self.string()?.parse();
        guid.or_else(|error: crate::ParseGuidError| {
            self.invalid(&["must be a GUID: ", error.message()].concat())
        })
    }

    fn value_type(&self) -> Read<ValueType> {
        match parse_decimal(self.raw) {
            Ok(number) => Ok(ValueType::Number(number)),
            Err(_) if json::is_number(self.raw) => self.invalid("must fit a 96-bit decimal"),
            Err(_) => Ok(ValueType::Text(self.string()?)),
        }
    }

    fn decimal(&self) -> Read<Decimal> {
        let string = json::string(self.raw);
        let digits = if json::is_number(self.raw) { Some(self.raw) } else { string.as_deref() };
        let Some(digits) = digits else { return self.invalid("must be a number, or a string of digits") };
        match parse_decimal(digits) {
            Ok(value) if is_negative(value) => self.invalid("must not be negative"),
            Ok(value) => Ok(value),
            Err(error) => self.invalid(&["must be a decimal: ", error.message()].concat()),
        }
    }
}
