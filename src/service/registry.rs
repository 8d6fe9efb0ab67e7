//! Who may send which orders where: companies and their locations, integrators, tokens; read from one TOML file.

mod file;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use rust_decimal::Decimal;
use subtle::{Choice, ConditionallySelectable};

use crate::decimal::parse_decimal;
use crate::guid::Guid;
use crate::options::{Records, TaxLayer, TaxPricing, TaxRate, TaxRateType};

use super::token::TokenHash;

/// Companies with their locations, integrators, and the tokens bound to both.
#[derive(Default)]
pub struct Registry {
    companies: BTreeMap<u32, BTreeMap<u32, Location>>,
    integrators: BTreeMap<Guid, Integrator>,
    tokens: Vec<Grant>,
}

/// Something in a registry file that can't be used, and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryFault(String);

/// A location (entity) of a company.
pub(crate) struct Location {
    pub(crate) name: String,
    pub(crate) company_name: String,
    /// None where the location has no configuration (§1).
    pub(crate) tax_pricing: Option<TaxPricing>,
    pub(crate) inventory_hold: bool,
    pub(crate) tax_rates: Vec<TaxRate>,
}

/// A source of orders (§2.2), and how its orders are read.
pub(crate) struct Integrator {
    pub(crate) name: String,
    /// `Taxes: []` is meant (D9).
    pub(crate) allow_empty_taxes: bool,
    /// How its Discount and Taxes records are read (D10, D13).
    pub(crate) records: Records,
}

/// What the bearer of a token may do.
pub(crate) struct Grant {
    hash: TokenHash,
    pub(crate) integrators: BTreeSet<Guid>,
    pub(crate) companies: BTreeSet<u32>,
}

impl Registry {
    /// Reads a registry file.
    ///
    /// # Errors
    /// Every fault there is in it; where the text is no TOML of this shape, the first.
    pub fn parse(text: &str) -> Result<Self, Vec<RegistryFault>> {
        let file = toml::from_str(text)
            .map_err(|error| vec![RegistryFault(error.to_string().trim_end().to_owned())])?;
        let mut check = Check::default();
        let registry = check.registry(file);
        if check.faults.is_empty() { Ok(registry) } else { Err(check.faults) }
    }

    /// How many companies, locations, integrators and tokens there are.
    #[must_use]
    pub fn counts(&self) -> [usize; 4] {
        let locations = self.companies.values().map(BTreeMap::len).sum();
        [self.companies.len(), locations, self.integrators.len(), self.tokens.len()]
    }

    /// Makes this the only token, for every company and integrator.
    pub(crate) fn admit_only(&mut self, hash: TokenHash) {
        let integrators = self.integrators.keys().copied().collect();
        let companies = self.companies.keys().copied().collect();
        self.tokens = vec![Grant { hash, integrators, companies }];
    }

    /// What the bearer of this token may do. Every token is compared, so that the time tells nothing.
    pub(crate) fn grant(&self, token: &str) -> Option<&Grant> {
        let hash = TokenHash::of(token);
        let (mut found, mut at) = (Choice::from(0), 0);
        for (index, grant) in (0_u64..).zip(&self.tokens) {
            let same = grant.hash.same(&hash);
            at.conditional_assign(&index, same);
            found |= same;
        }
        let at = usize::try_from(at).ok()?;
        self.tokens.get(at).filter(|_| bool::from(found))
    }

    pub(crate) fn location(&self, company: u32, entity: u32) -> Option<&Location> {
        self.companies.get(&company)?.get(&entity)
    }

    pub(crate) fn integrator(&self, id: Guid) -> Option<&Integrator> {
        self.integrators.get(&id)
    }

    pub(crate) fn integrators(&self) -> impl Iterator<Item = (Guid, &Integrator)> {
        self.integrators.iter().map(|(id, integrator)| (*id, integrator))
    }

    /// All locations, with the id of their company and their own.
    pub(crate) fn locations(&self) -> impl Iterator<Item = (u32, u32, &Location)> {
        self.companies.iter().flat_map(|(company, locations)| {
            locations.iter().map(move |(entity, location)| (*company, *entity, location))
        })
    }
}

impl fmt::Display for RegistryFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// Goes through a file and collects what is wrong, instead of stopping at the first.
#[derive(Default)]
struct Check {
    faults: Vec<RegistryFault>,
}

impl Check {
    fn registry(&mut self, file: file::File) -> Registry {
        let mut registry = Registry::default();
        for (index, company) in file.companies.into_iter().enumerate() {
            let at = format!("companies[{index}]");
            self.company(&at, company, &mut registry);
        }
        for (index, integrator) in file.integrators.into_iter().enumerate() {
            let at = format!("integrators[{index}]");
            self.named(&at, &integrator.name);
            if let Some(id) = self.guid(&format!("{at}.id"), &integrator.id) {
                let entry = Integrator {
                    name: integrator.name,
                    allow_empty_taxes: integrator.allow_empty_taxes,
                    records: match integrator.records {
                        file::Records::Strict => Records::Strict,
                        file::Records::Passthrough => Records::Passthrough,
                    },
                };
                if registry.integrators.insert(id, entry).is_some() {
                    self.fault(&format!("{at}.id"), "stands twice");
                }
            }
        }
        for (index, token) in file.tokens.into_iter().enumerate() {
            let at = format!("tokens[{index}]");
            if let Some(grant) = self.token(&at, &token, &registry) {
                if registry.tokens.iter().any(|other| other.hash.same(&grant.hash).into()) {
                    self.fault(&format!("{at}.sha256"), "belongs to another token too");
                }
                registry.tokens.push(grant);
            }
        }
        registry
    }

    fn company(&mut self, at: &str, company: file::Company, registry: &mut Registry) {
        self.named(at, &company.name);
        let id = self.id(&format!("{at}.id"), company.id);
        let mut locations = BTreeMap::new();
        for (index, location) in company.locations.into_iter().enumerate() {
            let at = format!("{at}.locations[{index}]");
            self.named(&at, &location.name);
            let id = self.id(&format!("{at}.id"), location.id);
            let location = Location {
                name: location.name,
                company_name: company.name.clone(),
                tax_pricing: location.tax_pricing.map(|pricing| match pricing {
                    file::TaxPricing::Exclusive => TaxPricing::Exclusive,
                    file::TaxPricing::Inclusive => TaxPricing::Inclusive,
                }),
                inventory_hold: location.inventory_hold,
                tax_rates: self.tax_rates(&at, location.tax_rates),
            };
            if locations.insert(id, location).is_some() {
                self.fault(&format!("{at}.id"), "stands twice in this company");
            }
        }
        if registry.companies.insert(id, locations).is_some() {
            self.fault(&format!("{at}.id"), "stands twice");
        }
    }

    fn tax_rates(&mut self, at: &str, rates: Vec<file::TaxRate>) -> Vec<TaxRate> {
        let mut read = Vec::new();
        for (index, rate) in rates.into_iter().enumerate() {
            let at = format!("{at}.tax_rates[{index}]");
            let value = match parse_decimal(&rate.rate) {
                Ok(value) if value >= Decimal::ZERO => value,
                Ok(_) => self.unusable(&format!("{at}.rate"), "must not be negative"),
                Err(error) => self.unusable(&format!("{at}.rate"), &format!("can't be used: {error}")),
            };
            let layer = match rate.layer {
                0 => TaxLayer::Zero,
                1 => TaxLayer::One,
                _ => self.unusable(&format!("{at}.layer"), "must be 0 or 1"),
            };
            let ids = rate.catalog_item_ids.map(|ids| self.guids(&format!("{at}.catalog_item_ids"), &ids));
            read.push(TaxRate {
                id: rate.id,
                name: rate.name,
                rate: value,
                rate_type: match rate.rate_type {
                    file::RateType::Percentage => TaxRateType::Percentage,
                    file::RateType::FlatRate => TaxRateType::FlatRate,
                },
                layer,
                catalog_item_ids: ids,
            });
        }
        read
    }

    fn token(&mut self, at: &str, token: &file::Token, registry: &Registry) -> Option<Grant> {
        self.named(at, &token.name);
        let integrators: BTreeSet<_> =
            self.guids(&format!("{at}.integrators"), &token.integrators).into_iter().collect();
        for id in integrators.iter().filter(|id| !registry.integrators.contains_key(id)) {
            self.fault(&format!("{at}.integrators"), &format!("names {id}, which is no integrator here"));
        }
        let mut companies = BTreeSet::new();
        for id in &token.companies {
            let id = self.id(&format!("{at}.companies"), *id);
            if !registry.companies.contains_key(&id) {
                self.fault(&format!("{at}.companies"), &format!("names {id}, which is no company here"));
            }
            companies.insert(id);
        }
        let hash = TokenHash::parse(&token.sha256);
        if hash.is_none() {
            self.fault(
                &format!("{at}.sha256"),
                "must be the 64 hexadecimal digits that `sales-order-intake-server token` prints",
            );
        }
        Some(Grant { hash: hash?, integrators, companies })
    }

    fn named(&mut self, at: &str, name: &str) {
        if name.trim().is_empty() {
            self.fault(&format!("{at}.name"), "must not be empty");
        }
    }

    /// CompanyId and EntityId are of this range (D4).
    fn id(&mut self, at: &str, id: i64) -> u32 {
        match u32::try_from(id) {
            Ok(id @ 1..=0x7FFF_FFFF) => id,
            _ => self.unusable(at, "must be within 1 and 2147483647"),
        }
    }

    fn guid(&mut self, at: &str, text: &str) -> Option<Guid> {
        Guid::parse(text).map_err(|error| self.fault(at, &format!("can't be used: {error}"))).ok()
    }

    fn guids(&mut self, at: &str, texts: &[String]) -> Vec<Guid> {
        let guid = |(index, text): (usize, &String)| self.guid(&format!("{at}[{index}]"), text);
        texts.iter().enumerate().filter_map(guid).collect()
    }

    fn fault(&mut self, at: &str, says: &str) {
        self.faults.push(RegistryFault([at, " ", says].concat()));
    }

    /// A fault of a value; what is read in its place does not matter, for the registry is not used.
    fn unusable<T: Default>(&mut self, at: &str, says: &str) -> T {
        self.fault(at, says);
        T::default()
    }
}
