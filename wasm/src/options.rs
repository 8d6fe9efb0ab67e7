//! The options of all functions (D48).

use sales_order_intake::internals::{OptionError, read_options};
use sales_order_intake::{AmountOptions, Purpose, RuleOptions};

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
pub(crate) fn parse_options(json: &str) -> Result<Options, Box<OptionError>> {
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
