//! Parses a registry and checks its values, those of a file and those of a test.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;
use subtle::ConstantTimeEq as _;

use super::file;
use super::{Grant, Integrator, Location, Registry};
use crate::token::TokenHash;
use sales_order_intake::internals::id_range;
use sales_order_intake::parse_decimal;
use sales_order_intake::{Guid, ParseGuidError};
use sales_order_intake::{TaxLayer, TaxRate};

impl Registry {
    /// Parses a registry file.
    ///
    /// ```
    /// use service_rules::registry::Registry;
    ///
    /// let errors = Registry::parse("companies = [{ id = 0, name = \"\" }]").err().unwrap();
    /// assert_eq!(errors[1], "companies[0].id must be from 1 to 2147483647");
    /// ```
    ///
    /// # Errors
    /// Returns all errors of the file, or only the first if it is not TOML or has an unknown member.
    #[cfg(feature = "toml")]
    pub fn parse(text: &str) -> Result<Self, Vec<String>> {
        let file = toml::from_str(text).map_err(|error| vec![error.to_string().trim_end().to_owned()])?;
        Self::checked(file, Form::File)
    }

    /// Reads a registry from JSON.
    ///
    /// ```
    /// use serde_json::json;
    /// use service_rules::registry::{Form, Registry};
    ///
    /// let json = json!({ "companies": [{ "id": 1501, "locations": [{ "id": 2301, "inventoryHold": true }] }] });
    /// let registry = Registry::from_json(json, Form::Test)?;
    /// assert!(registry.location(1501, 2301).is_some_and(|location| location.inventory_hold));
    /// # Ok::<(), Vec<String>>(())
    /// ```
    ///
    /// # Errors
    /// Returns all errors of the registry, or only the first if it does not have this form.
    pub fn from_json(json: serde_json::Value, form: Form) -> Result<Self, Vec<String>> {
        let file = serde_path_to_error::deserialize(json).map_err(|error| vec![error.to_string()])?;
        Self::checked(file, form)
    }

    /// Checks the values of a registry.
    fn checked(file: file::File, form: Form) -> Result<Self, Vec<String>> {
        let mut parser = Parser { form, errors: Vec::new() };
        let registry = parser.registry(file);
        if parser.errors.is_empty() { Ok(registry) } else { Err(parser.errors) }
    }
}

/// Where a registry comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A file, which lists the hashes of tokens.
    File,
    /// A test, which lists tokens, and names only integrators. It may remove a company or an integrator from
    /// its registry, and leave the tokens as they are.
    Test,
}

/// Collects the errors of a registry instead of stopping at the first.
struct Parser {
    form: Form,
    errors: Vec<String>,
}

impl Parser {
    fn registry(&mut self, file: file::File) -> Registry {
        let mut registry = Registry::default();
        for (index, company) in file.companies.into_iter().enumerate() {
            let path = format!("companies[{index}]");
            self.company(&path, company, &mut registry);
        }
        for (index, integrator) in file.integrators.into_iter().enumerate() {
            let path = format!("integrators[{index}]");
            self.check_name(&path, &integrator.name);
            if let Some(id) = self.guid(&format!("{path}.id"), &integrator.id) {
                let entry = Integrator {
                    name: integrator.name,
                    allow_empty_taxes: integrator.allow_empty_taxes,
                    records: integrator.records,
                };
                if registry.integrators.insert(id, entry).is_some() {
                    self.error(&format!("{path}.id"), "appears more than once");
                }
            }
        }
        for (index, token) in file.tokens.into_iter().enumerate() {
            let path = format!("tokens[{index}]");
            if let Some(grant) = self.token(&path, &token, &registry) {
                if registry.grants.iter().any(|other| other.token.ct_eq(&grant.token).into()) {
                    let member = if self.form == Form::File { "sha256" } else { "token" };
                    self.error(&format!("{path}.{member}"), "appears more than once");
                }
                registry.grants.push(Arc::new(grant));
            }
        }
        registry
    }

    fn company(&mut self, path: &str, company: file::Company, registry: &mut Registry) {
        self.check_name_in_file(path, &company.name);
        let id = self.id(&format!("{path}.id"), company.id);
        let mut locations = BTreeMap::new();
        for (index, location) in company.locations.into_iter().enumerate() {
            let path = format!("{path}.locations[{index}]");
            self.check_name_in_file(&path, &location.name);
            let id = self.id(&format!("{path}.id"), location.id);
            let location = Location {
                name: location.name,
                company_name: company.name.clone(),
                tax_pricing: location.tax_pricing,
                inventory_hold: location.inventory_hold,
                tax_rates: self.tax_rates(&path, location.tax_rates),
            };
            if id.is_some_and(|id| locations.insert(id, location).is_some()) {
                self.error(&format!("{path}.id"), "appears more than once in this company");
            }
        }
        if id.is_some_and(|id| registry.companies.insert(id, locations).is_some()) {
            self.error(&format!("{path}.id"), "appears more than once");
        }
    }

    fn tax_rates(&mut self, path: &str, rates: Vec<file::TaxRate>) -> Vec<TaxRate> {
        let mut parsed = Vec::new();
        for (index, rate) in rates.into_iter().enumerate() {
            let path = format!("{path}.tax_rates[{index}]");
            let value = parse_decimal(&rate.rate).map_err(|error| format!("is invalid: {error}"));
            let made = value.and_then(|value| {
                TaxRate::new(rate.id, value).map_err(|_| "must not be negative".to_owned())
            });
            let made = made.map_err(|problem| self.error(&format!("{path}.rate"), &problem)).ok();
            let layer = u8::try_from(rate.layer).ok().and_then(|layer| TaxLayer::try_from(layer).ok());
            if layer.is_none() {
                self.error(&format!("{path}.layer"), "must be 0 or 1");
            }
            let ids = rate.catalog_item_ids.map(|ids| self.guids(&format!("{path}.catalog_item_ids"), &ids));
            parsed.extend(made.map(|mut made| {
                made.name = rate.name;
                made.rate_type = rate.rate_type;
                made.layer = layer.unwrap_or_default();
                made.catalog_item_ids = ids;
                made
            }));
        }
        parsed
    }

    fn token(&mut self, path: &str, token: &file::Token, registry: &Registry) -> Option<Grant> {
        self.check_name_in_file(path, &token.name);
        let integrators: BTreeSet<_> =
            self.guids(&format!("{path}.integrators"), &token.integrators).into_iter().collect();
        let has_all_listed = self.form == Form::File;
        for id in integrators.iter().filter(|id| has_all_listed && !registry.integrators.contains_key(id)) {
            self.error(
                &format!("{path}.integrators"),
                &format!("contains {id}, which is not in [[integrators]]"),
            );
        }
        let mut companies = BTreeSet::new();
        for (index, id) in token.companies.iter().enumerate() {
            let Some(id) = self.id(&format!("{path}.companies[{index}]"), *id) else { continue };
            if has_all_listed && !registry.companies.contains_key(&id) {
                self.error(
                    &format!("{path}.companies"),
                    &format!("contains {id}, which is not in [[companies]]"),
                );
            }
            companies.insert(id);
        }
        let hash = match &token.token {
            Some(_) if self.form == Form::File => {
                self.error(&format!("{path}.token"), "must not be in a file: write its hash, sha256");
                None
            }
            Some(token) => Some(TokenHash::of(token)),
            None => {
                let hash = token.sha256.parse::<TokenHash>();
                hash.map_err(|error| self.error(&format!("{path}.sha256"), error)).ok()
            }
        };
        let expires =
            token.expires.as_ref().and_then(|time| self.timestamp(&format!("{path}.expires"), time));
        Some(Grant {
            token: hash?,
            expires,
            disabled: token.disabled,
            integrators: Some(integrators),
            companies: Some(companies),
        })
    }

    fn check_name_in_file(&mut self, path: &str, name: &str) {
        if self.form == Form::File {
            self.check_name(path, name);
        }
    }

    fn check_name(&mut self, path: &str, name: &str) {
        if name.trim().is_empty() {
            self.error(&format!("{path}.name"), "must not be empty");
        }
    }

    /// Checks the range of CompanyId and EntityId (D4). Returns `None` after reporting an error.
    fn id(&mut self, path: &str, id: i64) -> Option<u32> {
        let range = id_range();
        let id = u32::try_from(id).ok().filter(|id| range.contains(id));
        if id.is_none() {
            self.error(path, &format!("must be from {} to {}", range.start(), range.end()));
        }
        id
    }

    /// Returns `None` after reporting an error.
    fn timestamp(&mut self, path: &str, time: &file::Expires) -> Option<Timestamp> {
        let timestamp = match time {
            #[cfg(feature = "toml")]
            file::Expires::Datetime(time) => time.to_string().parse().ok(),
            file::Expires::Text(text) => text.parse().ok(),
            file::Expires::Other(_) => None,
        };
        if timestamp.is_none() {
            self.error(path, "must be a date and time with an offset, such as 2027-01-31T18:00:00Z");
        }
        timestamp
    }

    fn guid(&mut self, path: &str, text: &str) -> Option<Guid> {
        text.parse().map_err(|error: ParseGuidError| self.error(path, &format!("is invalid: {error}"))).ok()
    }

    fn guids(&mut self, path: &str, texts: &[String]) -> Vec<Guid> {
        let guid = |(index, text): (usize, &String)| self.guid(&format!("{path}[{index}]"), text);
        texts.iter().enumerate().filter_map(guid).collect()
    }

    fn error(&mut self, path: &str, message: &str) {
        self.errors.push([path, " ", message].concat());
    }
}
