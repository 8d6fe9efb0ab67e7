//! The options of all functions (D48).

use std::cell::Cell;

use sales_order_intake::internals::{self, OptionError, read_options};
use sales_order_intake::{AmountOptions, CheckedOrder, ParsedOrder, Purpose, RuleOptions};

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
    /// The options of the last call, because most calls have the same.
    static LAST: Cell<Option<Options>> = const { Cell::new(None) };
}

/// Calls a function with options, or with those of the last call if there are none. If the options are not valid, returns the
/// error and does not change the last ones.
pub(crate) fn with_options(json: Option<&str>, call: &dyn Fn(&Options) -> String) -> String {
    let options = match json.map(parse_options) {
        None => LAST.take().unwrap_or_default(),
        Some(Ok(options)) => options,
        Some(Err(error)) => return invalid_option(&error),
    };
    let response = call(&options);
    LAST.set(Some(options));
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
