//! Options in the JSON form of the npm package (D48): for its module, and for serde.

use std::borrow::Cow;
use std::str::FromStr as _;

use rust_decimal::Decimal;

use crate::decimal::{Rounding, is_negative, push_integer, read_decimal};
use crate::guid::{Guid, NotAGuid};
use crate::issue::push_escaped;
use crate::json::{Unrepresentable, elements, is_number, members, string};
use crate::order::ValueType;

use super::{
    AmountOptions, DiscountValueTypes, Records, RuleOptions, Scale, TaxLayer, TaxPricing, TaxRate,
    TaxRateType, TaxRounding, Version,
};

/// An option that can't be used.
#[derive(Debug)]
pub struct OptionError {
    /// The location of the option as a JSON Pointer, such as `/taxRates/0/rate`; empty for the options as a
    /// whole.
    pub option: String,
    /// The option and what is wrong with it.
    pub message: String,
}

/// An upper bound of the number of members in an object of options.
const MAX_MEMBERS: usize = 20;

/// The result of reading an option.
pub(crate) type Read<T> = Result<T, Box<OptionError>>;

impl RuleOptions {
    /// Reads an option; returns false if it is not a rule option.
    #[doc(hidden)]
    pub fn read_option(&mut self, name: &str, value: &OptionValue<'_>) -> Read<bool> {
        match name {
            "locationTaxPricing" if value.raw == "null" => self.location_tax_pricing = None,
            "version" => self.version = value.one_of(Version::ALL, Version::NAMES)?,
            "locationTaxPricing" => {
                self.location_tax_pricing = Some(value.one_of(TaxPricing::ALL, TaxPricing::NAMES)?);
            }
            "allowEmptyTaxes" => self.allow_empty_taxes = value.boolean()?,
            "records" => self.records = value.one_of(Records::ALL, Records::NAMES)?,
            "discountValueTypes" => self.discount_value_types = Some(discount_value_types(value)?),
            "orderId" => self.order_id = Some(value.guid()?),
            "strict" => self.strict = value.boolean()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl AmountOptions {
    /// Reads an option; returns false if it is not an amount option.
    #[doc(hidden)]
    pub fn read_option(&mut self, name: &str, value: &OptionValue<'_>) -> Read<bool> {
        match name {
            "scale" => self.scale = value.scale()?,
            "rounding" => self.rounding = value.one_of(Rounding::ALL, Rounding::NAMES)?,
            "roundTaxPer" => self.round_tax_per = value.one_of(TaxRounding::ALL, TaxRounding::NAMES)?,
            "taxRates" => self.tax_rates = Some(value.list(tax_rate)?),
            "explain" => self.explain = value.boolean()?,
            _ => return Ok(false),
        }
        Ok(true)
    }
}

/// Reads options. `read` reads one by its name, and returns false if it does not know the name.
pub fn read_options(json: &str, read: &mut dyn FnMut(&str, &OptionValue<'_>) -> Read<bool>) -> Read<()> {
    for (name, value) in &OptionValue::root(json).members()? {
        if value.raw == "null" && name != "locationTaxPricing" {
            return value.invalid("must not be null; leave it out instead");
        }
        if !read(name, value)? {
            return value.invalid("is not an option");
        }
    }
    Ok(())
}

pub(crate) fn tax_rate(value: &OptionValue<'_>) -> Read<TaxRate> {
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
            "layer" => layer = value.layer()?,
            "catalogItemIds" => catalog_item_ids = Some(value.list(|value| value.guid())?),
            _ => return value.invalid("is not a member of a tax rate"),
        }
    }
    let Some(id) = id else { return value.missing("id") };
    let Some(rate) = rate else { return value.missing("rate") };
    let Ok(mut tax_rate) = TaxRate::new(id, rate) else { return value.invalid("has a negative rate") };
    tax_rate.name = name;
    tax_rate.rate_type = rate_type;
    tax_rate.layer = layer;
    tax_rate.catalog_item_ids = catalog_item_ids;
    Ok(tax_rate)
}

pub(crate) fn discount_value_types(value: &OptionValue<'_>) -> Read<DiscountValueTypes> {
    let (mut amount, mut percent) = (None, None);
    for (member, value) in &value.members()? {
        match &**member {
            "amount" => amount = Some(value.value_type()?),
            "percent" => percent = Some(value.value_type()?),
            _ => return value.invalid("is not a member of discountValueTypes"),
        }
    }
    match (amount, percent) {
        (Some(amount), Some(percent)) => DiscountValueTypes::new(amount, percent)
            .or_else(|_| value.invalid("has the same value for amount and percent")),
        (None, _) => value.missing("amount"),
        (_, None) => value.missing("percent"),
    }
}

/// The JSON of an option, and its location: `/taxRates/2/rate`.
pub struct OptionValue<'a> {
    pub(crate) pointer: String,
    pub(crate) raw: &'a str,
}

impl<'a> OptionValue<'a> {
    pub(crate) fn root(raw: &'a str) -> Self {
        Self { pointer: String::new(), raw }
    }

    pub(crate) fn invalid<T>(&self, predicate: &str) -> Read<T> {
        Err(self.problem(predicate))
    }

    pub(crate) fn problem(&self, predicate: &str) -> Box<OptionError> {
        let subject = if self.pointer.is_empty() { "the options" } else { "option " };
        let message = [subject, &self.pointer, " ", predicate].concat();
        Box::new(OptionError { option: self.pointer.clone(), message })
    }

    /// Reports a required member that is absent.
    fn missing<T>(&self, name: &str) -> Read<T> {
        OptionValue { pointer: [&self.pointer, "/", name].concat(), raw: "" }.invalid("is missing")
    }

    /// Returns the members of an object with their names.
    fn members(&self) -> Read<Vec<(Cow<'a, str>, Self)>> {
        let mut read = Vec::new();
        // A placeholder is not an object of the caller's.
        let is_object = Unrepresentable::from_placeholder(self.raw).is_none()
            && members(self.raw, &mut |name, raw| {
                let mut pointer = [&self.pointer, "/"].concat();
                push_escaped(&mut pointer, &name);
                read.push((name, Self { pointer, raw }));
            });
        if !is_object {
            return self.invalid("must be an object");
        }
        // A JavaScript object has no repeated members. If there are more than `MAX_MEMBERS`, one of them is
        // not an option, which is an error anyway.
        let mut known = read.iter().take(if cfg!(feature = "serde") { MAX_MEMBERS } else { 0 });
        while let Some((name, value)) = known.next() {
            if known.clone().any(|(other, _)| other == name) {
                return value.invalid("appears more than once");
            }
        }
        Ok(read)
    }

    /// Reads every element of an array.
    fn list<T>(&self, read: fn(&Self) -> Read<T>) -> Read<Vec<T>> {
        let mut values = Vec::new();
        let is_array = elements(self.raw, &mut |raw| {
            let mut pointer = [&self.pointer, "/"].concat();
            push_integer(&mut pointer, values.len());
            values.push(Self { pointer, raw });
        });
        if is_array { values.iter().map(read).collect() } else { self.invalid("must be an array") }
    }

    /// Parses the name of a value of a closed set.
    pub fn one_of<T: Copy>(&self, all: &[T], names: &[&str]) -> Read<T> {
        let index = self.index_of(names)?;
        all.get(index).copied().map_or_else(|| self.invalid("is unknown"), Ok)
    }

    fn index_of(&self, names: &[&str]) -> Read<usize> {
        let name = string(self.raw);
        if let Some(index) = names.iter().position(|known| name.as_deref() == Some(*known)) {
            return Ok(index);
        }
        let mut predicate = "must be one of".to_owned();
        for (index, name) in names.iter().enumerate() {
            predicate.push_str(if index == 0 { " " } else { ", " });
            predicate.push_str(name);
        }
        self.invalid(&predicate)
    }

    fn boolean(&self) -> Read<bool> {
        bool::from_str(self.raw).or_else(|_| self.invalid("must be true or false"))
    }

    pub(crate) fn scale(&self) -> Read<Scale> {
        Scale::new(self.digit(Scale::MAX)?).or_else(|_| self.invalid("is not a scale"))
    }

    pub(crate) fn layer(&self) -> Read<TaxLayer> {
        Ok(if self.digit(1)? == 0 { TaxLayer::Zero } else { TaxLayer::One })
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
        match string(self.raw) {
            Some(string) => Ok(string.into_owned()),
            None => self.invalid("must be a string"),
        }
    }

    fn guid(&self) -> Read<Guid> {
        let guid = Guid::read(&self.string()?).map_err(NotAGuid::message);
        guid.or_else(|error| self.invalid(&["must be a GUID: ", error].concat()))
    }

    pub(crate) fn value_type(&self) -> Read<ValueType> {
        match read_decimal(self.raw) {
            Ok(number) => Ok(ValueType::Number(number)),
            Err(_) if is_number(self.raw) => self.invalid("must fit a 96-bit decimal"),
            Err(_) => match string(self.raw) {
                Some(text) => Ok(ValueType::Text(text.into_owned())),
                None => self.invalid("must be a number or a string"),
            },
        }
    }

    fn decimal(&self) -> Read<Decimal> {
        match decimal_of(self.raw) {
            Ok(value) if is_negative(value) => self.invalid("must not be negative"),
            Ok(value) => Ok(value),
            Err(predicate) => self.invalid(&predicate),
        }
    }

    /// Returns the only character of a string.
    pub(crate) fn character(&self) -> Option<char> {
        let string = string(self.raw)?;
        let mut characters = string.chars();
        characters.next().filter(|_| characters.next().is_none())
    }
}

/// Parses a decimal; the error states what is wrong with it.
pub(crate) fn decimal_of(raw: &str) -> Result<Decimal, String> {
    let string = string(raw);
    let digits = if is_number(raw) { Some(raw) } else { string.as_deref() };
    let Some(digits) = digits else { return Err("must be a number, or a string of digits".to_owned()) };
    read_decimal(digits).map_err(|error| ["must be a decimal: ", error.message()].concat())
}
