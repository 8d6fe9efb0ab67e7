//! The options of all functions (D48).

use std::cell::Cell;

use sales_order_intake::internals::{self, OptionError, read_options};
use sales_order_intake::{AmountOptions, CheckedOrder, ParsedOrder, Purpose, RuleOptions, parse};

use crate::fields::invalid_option;

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

    /// Applies every rule to an order.
    pub(crate) fn check<'a>(&'a self, purpose: Purpose, order: ParsedOrder<'a>) -> CheckedOrder<'a> {
        internals::check(order, purpose, &self.rules, &self.amounts)
    }
}

thread_local! {
    /// The last options and their JSON, because most calls have the same. Taken and put back: a `RefCell` would add the formatting
    /// code of its panics.
    static LAST: Cell<Option<(String, Options)>> = const { Cell::new(None) };
}

/// Calls a function with an order and the options. If these are not valid, returns the error.
pub(crate) fn with_order(
    order: &str,
    options: &str,
    call: &dyn Fn(ParsedOrder<'_>, &Options) -> String,
) -> String {
    let last = match LAST.take() {
        Some(last) if last.0 == options => last,
        _ => match parse_options(options) {
            Ok(parsed) => (options.to_owned(), parsed),
            Err(error) => return invalid_option(&error),
        },
    };
    let response = call(parse(order), &last.1);
    LAST.set(Some(last));
    response
}

/// Parses options; an empty string gives the defaults.
fn parse_options(json: &str) -> Result<Options, Box<OptionError>> {
    let mut options = Options::default();
    if json.is_empty() {
        return Ok(options);
    }
    let Options { rules, amounts, id } = &mut options;
    read_options(json, &mut |name, value| {
        if name == "id" {
            *id = value.one_of(IdOption::ALL, IdOption::NAMES)?;
            return Ok(true);
        }
        Ok(rules.read_option(name, value)? || amounts.read_option(name, value)?)
    })?;
    Ok(options)
}
