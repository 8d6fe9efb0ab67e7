//! Parses options from the JSON form of the npm package.

use std::borrow::Cow;
use std::str::FromStr as _;

use rust_decimal::Decimal;
use sales_order_intake::internals::{self, elements, is_number, members, string, text};
use sales_order_intake::{
    AmountOptions, DiscountValueTypes, Guid, Purpose, Records, Rounding, RuleOptions, Scale, TaxLayer,
    TaxPricing, TaxRate, TaxRateType, TaxRounding, ValueType, Version,
};

/// An option that can't be used.
#[derive(Debug)]
pub(crate) struct InvalidOption {
    /// The location of the option as a JSON Pointer, such as `/taxRates/0/rate`; empty for the options as a whole.
    pub(crate) option: String,
    /// The option and what is wrong with it.
    pub(crate) message: String,
}

type Read<T> = Result<T, Box<InvalidOption>>;

/// The options of all functions (D48).
#[derive(Default)]
pub(crate) struct Options {
    pub(crate) rules: RuleOptions,
    pub(crate) amounts: AmountOptions,
    pub(crate) id: IdOption,
}

/// Whether an order that is evaluated must have an Id.
#[derive(Clone, Copy, Default)]
pub(crate) enum IdOption {
    #[default]
    Required,
    Optional,
}

impl IdOption {
    const ALL: &[Self] = &[Self::Required, Self::Optional];
    const NAMES: &[&str] = &["required", "optional"];
}

impl Options {
    /// Returns what an order is evaluated for.
    pub(crate) fn purpose(&self) -> Purpose {
        match self.id {
            IdOption::Required => Purpose::Send,
            IdOption::Optional => Purpose::Preview,
        }
    }
}

/// Parses options; an empty string gives the defaults.
pub(crate) fn parse_options(json: &str) -> Read<Options> {
    let mut options = Options::default();
    if json.is_empty() {
        return Ok(options);
    }
    let value = OptionValue { pointer: String::new(), raw: json };
    for (name, value) in &value.members()? {
        read_option(&mut options, name, value)?;
    }
    Ok(options)
}

fn read_option(options: &mut Options, name: &str, value: &OptionValue<'_>) -> Read<()> {
    let Options { rules, amounts, id } = options;
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
        "id" => *id = value.one_of(IdOption::ALL, IdOption::NAMES)?,
        "scale" => amounts.scale = value.scale()?,
        "rounding" => amounts.rounding = value.one_of(Rounding::ALL, Rounding::NAMES)?,
        "roundTaxPer" => amounts.round_tax_per = value.one_of(TaxRounding::ALL, TaxRounding::NAMES)?,
        "taxRates" => amounts.tax_rates = Some(value.list(tax_rate)?),
        "explain" => amounts.explain = value.boolean()?,
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
    let Ok(mut tax_rate) = TaxRate::new(id, rate) else { return value.invalid("has a negative rate") };
    tax_rate.name = name;
    tax_rate.rate_type = rate_type;
    tax_rate.layer = layer;
    tax_rate.catalog_item_ids = catalog_item_ids;
    Ok(tax_rate)
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
        (Some(amount), Some(percent)) => DiscountValueTypes::new(amount, percent)
            .or_else(|_| value.invalid("has the same value for amount and percent")),
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

    fn problem(&self, predicate: &str) -> Box<InvalidOption> {
        let subject = if self.pointer.is_empty() { "the options" } else { "option " };
        let message = [subject, &self.pointer, " ", predicate].concat();
        Box::new(InvalidOption { option: self.pointer.clone(), message })
    }

    /// Reports a required member that is absent.
    fn missing<T>(&self, name: &str) -> Read<T> {
        OptionValue { pointer: [&self.pointer, "/", name].concat(), raw: "" }.invalid("is missing")
    }

    /// Returns the members of an object with their names.
    fn members(&self) -> Read<Vec<(Cow<'a, str>, Self)>> {
        let mut read = Vec::new();
        // A placeholder is not an object of the caller's.
        let is_object = !internals::is_placeholder(self.raw)
            && members(self.raw, &mut |name, raw| {
                let pointer = text::of_pointer(&self.pointer, &name);
                read.push((name, Self { pointer, raw }));
            });
        if is_object { Ok(read) } else { self.invalid("must be an object") }
    }

    /// Reads every element of an array.
    fn list<T>(&self, read: fn(&Self) -> Read<T>) -> Read<Vec<T>> {
        let mut values = Vec::new();
        let is_array = elements(self.raw, &mut |raw| {
            let pointer = [&self.pointer, "/", &text::of_integer(values.len())].concat();
            values.push(Self { pointer, raw });
        });
        if is_array { values.iter().map(read).collect() } else { self.invalid("must be an array") }
    }

    /// Parses the name of a value of a closed set.
    fn one_of<T: Copy>(&self, all: &[T], names: &[&str]) -> Read<T> {
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

    fn scale(&self) -> Read<Scale> {
        Scale::new(self.digit(Scale::MAX)?).or_else(|_| self.invalid("is not a scale"))
    }

    /// Returns a one-digit number up to a limit.
    fn digit(&self, max: u32) -> Read<u32> {
        if let [digit @ b'0'..=b'9'] = self.raw.as_bytes()
            && u32::from(digit - b'0') <= max
        {
            return Ok(u32::from(digit - b'0'));
        }
        self.invalid(&["must be an integer from 0 to ", &text::of_integer(max as usize)].concat())
    }

    fn string(&self) -> Read<String> {
        match string(self.raw) {
            Some(string) => Ok(string.into_owned()),
            None => self.invalid("must be a string"),
        }
    }

    fn guid(&self) -> Read<Guid> {
        internals::guid(&self.string()?).or_else(|error| self.invalid(&["must be a GUID: ", error].concat()))
    }

    fn value_type(&self) -> Read<ValueType> {
        match internals::decimal(self.raw) {
            Ok(number) => Ok(ValueType::Number(number)),
            Err(_) if is_number(self.raw) => self.invalid("must fit a 96-bit decimal"),
            Err(_) => Ok(ValueType::Text(self.string()?)),
        }
    }

    fn decimal(&self) -> Read<Decimal> {
        let string = string(self.raw);
        let digits = if is_number(self.raw) { Some(self.raw) } else { string.as_deref() };
        let Some(digits) = digits else { return self.invalid("must be a number, or a string of digits") };
        match internals::decimal(digits) {
            Ok(value) if value < Decimal::ZERO => self.invalid("must not be negative"),
            Ok(value) => Ok(value),
            Err(error) => self.invalid(&["must be a decimal: ", error].concat()),
        }
    }
}
