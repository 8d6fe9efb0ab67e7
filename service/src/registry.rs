//! The registry: companies with their locations, integrators, and what each token may do.
//!
//! `parse` reads it from a TOML file and reports every error.

mod file;
mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use jiff::Timestamp;

use subtle::ConstantTimeEq as _;

use sales_order_intake::Guid;
use sales_order_intake::{Records, TaxPricing, TaxRate};

use super::token::TokenHash;

/// The companies, integrators and tokens that the service knows.
#[derive(Default)]
pub struct Registry {
    companies: BTreeMap<u32, BTreeMap<u32, Location>>,
    integrators: BTreeMap<Guid, Integrator>,
    grants: Vec<Arc<Grant>>,
}

/// The registry of a running service, which can be replaced.
#[derive(Clone)]
pub(crate) struct SharedRegistry(Arc<RwLock<Arc<Registry>>>);

/// An error in a registry file, and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RegistryError(String);

/// A location (entity) of a company.
pub(crate) struct Location {
    pub(crate) name: String,
    pub(crate) company_name: String,
    /// `None` if the location has no configuration (§1).
    pub(crate) tax_pricing: Option<TaxPricing>,
    pub(crate) inventory_hold: bool,
    pub(crate) tax_rates: Vec<TaxRate>,
}

/// A source of orders (§2.2), and how its orders are read.
pub(crate) struct Integrator {
    pub(crate) name: String,
    /// Whether `Taxes: []` means "no taxes"; otherwise it is an error (D9).
    pub(crate) allow_empty_taxes: bool,
    /// How Discount and Taxes records are read (D10, D13).
    pub(crate) records: Records,
}

/// What the bearer of a token may do.
pub(crate) struct Grant {
    pub(crate) token: TokenHash,
    /// From this time on, the token is rejected.
    pub(crate) expires: Option<Timestamp>,
    /// Whether the token is rejected.
    pub(crate) disabled: bool,
    pub(crate) integrators: BTreeSet<Guid>,
    pub(crate) companies: BTreeSet<u32>,
}

impl Registry {
    /// Returns the number of companies, locations, integrators and tokens.
    ///
    /// ```
    /// use sales_order_intake_service::Registry;
    ///
    /// let registry = Registry::parse("companies = [{ id = 1501, name = \"Harbour Goods\" }]").unwrap();
    /// assert_eq!(registry.counts(), [1, 0, 0, 0]);
    /// ```
    #[must_use]
    pub fn counts(&self) -> [usize; 4] {
        let locations = self.companies.values().map(BTreeMap::len).sum();
        [self.companies.len(), locations, self.integrators.len(), self.grants.len()]
    }

    /// Adds a token that may use every company and integrator. Replaces the rights of the token if it is already listed.
    pub(crate) fn add_token_for_everything(&mut self, token: TokenHash) {
        let integrators = self.integrators.keys().copied().collect();
        let companies = self.companies.keys().copied().collect();
        self.grants.retain(|grant| !bool::from(grant.token.ct_eq(&token)));
        self.grants.push(Arc::new(Grant { token, expires: None, disabled: false, integrators, companies }));
    }

    pub(crate) fn grants(&self) -> &[Arc<Grant>] {
        &self.grants
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

    /// Returns all locations with the id of their company and their own.
    pub(crate) fn locations(&self) -> impl Iterator<Item = (u32, u32, &Location)> {
        self.companies.iter().flat_map(|(company, locations)| {
            locations.iter().map(move |(entity, location)| (*company, *entity, location))
        })
    }
}

impl SharedRegistry {
    pub(crate) fn new(registry: Registry) -> Self {
        Self(Arc::new(RwLock::new(Arc::new(registry))))
    }

    /// Returns the current registry. A request uses the same one from its token to its order.
    pub(crate) fn current(&self) -> Arc<Registry> {
        Arc::clone(&self.0.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Replaces the registry for all further requests.
    pub(crate) fn replace(&self, registry: Registry) {
        *self.0.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(registry);
    }
}

impl fmt::Display for RegistryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RegistryError {}
