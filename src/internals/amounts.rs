//! Amounts and their notation in the JSON of the npm package (D55, D58).

use rust_decimal::Decimal;

use crate::decimal::{DecimalNotation, push_integer};
use crate::json::elements;

use crate::options::json::{OptionError, OptionValue, Read, decimal_of, read_options};

/// Reads a list of amounts. `unknown` is true if null, an unknown amount, is allowed.
pub fn read_amounts(json: &str, unknown: bool, each: &mut dyn FnMut(Option<Decimal>)) -> Read<()> {
    let mut index = 0;
    let mut wrong = Ok(());
    let is_list = elements(json, &mut |raw| {
        if wrong.is_ok() {
            match decimal_of(raw) {
                Ok(amount) => each(Some(amount)),
                Err(_) if unknown && raw == "null" => each(None),
                Err(predicate) => {
                    let mut option = "/".to_owned();
                    push_integer(&mut option, index);
                    let message = ["amount ", &option, " ", &predicate].concat();
                    wrong = Err(Box::new(OptionError { option, message }));
                }
            }
        }
        index += 1;
    });
    if is_list { wrong } else { wrong.and(OptionValue::root(json).invalid("must be a list of amounts")) }
}

/// Reads the options of a notation; an empty string gives the default.
pub fn read_notation(json: &str) -> Read<DecimalNotation> {
    let (mut decimal, mut thousands) = ('.', None);
    if !json.is_empty() {
        read_options(json, &mut |name, value| {
            match name {
                "decimal" => decimal = value.one_of(&['.', ','], &[".", ","])?,
                "thousands" => thousands = Some(value.character().unwrap_or('0')),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
    }
    // A string that is not one character is rejected like a digit.
    DecimalNotation::new(decimal, thousands).ok_or_else(|| {
        let thousands = OptionValue { pointer: "/thousands".to_owned(), raw: "" };
        thousands
            .problem("must be one character, and neither a digit, a sign, the letter e nor the decimal sign")
    })
}
