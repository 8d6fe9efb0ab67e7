//! The registry: companies with their locations, integrators, and what each token may do.
//!
//! `parse` reads it from a TOML file, or from JSON, and reports every error.

mod file;
mod parse;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use jiff::Timestamp;

use subtle::ConstantTimeEq as _;

use sales_order_intake::Guid;
use sales_order_intake::{Records, TaxPricing, TaxRate};

use crate::token::TokenHash;
pub use parse::Form;

/// The companies, integrators and tokens that the service knows.
#[derive(Default)]
pub struct Registry {
    companies: BTreeMap<u32, BTreeMap<u32, Location>>,
    integrators: BTreeMap<Guid, Integrator>,
    grants: Vec<Arc<Grant>>,
    /// The location and the integrator that represent all unlisted ones; `None` if only listed ones exist.
    others: Option<(Location, Integrator)>,
}

/// A location (entity) of a company.
#[derive(Default)]
pub struct Location {
    /// Its name.
    pub name: String,
    /// The name of its company.
    pub company_name: String,
    /// `None` if the location has no configuration (§1).
    pub tax_pricing: Option<TaxPricing>,
    /// The `WasCreatedWithInventoryHold` of its orders.
    pub inventory_hold: bool,
    /// The rates for orders without taxes.
    pub tax_rates: Vec<TaxRate>,
}

/// A source of orders (§2.2), and how its orders are read.
#[derive(Default)]
pub struct Integrator {
    /// The `OrderSource.Name` of its orders.
    pub name: String,
    /// Whether `Taxes: []` means "no taxes"; otherwise it is an error (D9).
    pub allow_empty_taxes: bool,
    /// How Discount and Taxes records are read (D10, D13).
    pub records: Records,
}

/// What the bearer of a token may do.
pub struct Grant {
    /// The hash of the token.
    pub token: TokenHash,
    /// From this time on, the token is rejected.
    pub expires: Option<Timestamp>,
    /// Whether the token is rejected.
    pub disabled: bool,
    /// The integrators for whose orders it may be used; `None` for all.
    pub integrators: Option<BTreeSet<Guid>>,
    /// The companies for whose orders it may be used; `None` for all.
    pub companies: Option<BTreeSet<u32>>,
}

impl Registry {
    /// Returns the number of companies, locations, integrators and tokens.
    ///
    /// ```
    /// use service_rules::registry::Registry;
    ///
    /// let registry = Registry::of_everything("a-token");
    /// assert_eq!(registry.counts(), [0, 0, 0, 1]);
    /// ```
    #[must_use]
    pub fn counts(&self) -> [usize; 4] {
        let locations = self.companies.values().map(BTreeMap::len).sum();
        [self.companies.len(), locations, self.integrators.len(), self.grants.len()]
    }

    /// Creates a registry that knows every company, location and integrator there can be, and one token for
    /// all of them.
    #[must_use]
    pub fn of_everything(token: &str) -> Self {
        let mut registry = Self {
            others: Some((
                Location {
                    name: "Test location".to_owned(),
                    company_name: "Test company".to_owned(),
                    ..Location::default()
                },
                Integrator { name: "Test integrator".to_owned(), ..Integrator::default() },
            )),
            ..Self::default()
        };
        registry.add_token_for_everything(TokenHash::of(token));
        registry
    }

    /// Adds a token that may use every company and integrator. Replaces the rights of the token if it is
    /// already listed.
    pub fn add_token_for_everything(&mut self, token: TokenHash) {
        self.grants.retain(|grant| !bool::from(grant.token.ct_eq(&token)));
        let grant = Grant { token, expires: None, disabled: false, integrators: None, companies: None };
        self.grants.push(Arc::new(grant));
    }

    /// Returns what the tokens may do.
    #[must_use]
    pub fn grants(&self) -> &[Arc<Grant>] {
        &self.grants
    }

    /// Finds a location by the ids of its company and its own.
    #[must_use]
    pub fn location(&self, company: u32, entity: u32) -> Option<&Location> {
        let listed = self.companies.get(&company).and_then(|locations| locations.get(&entity));
        listed.or_else(|| self.others.as_ref().map(|(location, _)| location))
    }

    /// Finds an integrator by its id.
    #[must_use]
    pub fn integrator(&self, id: Guid) -> Option<&Integrator> {
        self.integrators.get(&id).or_else(|| self.others.as_ref().map(|(_, integrator)| integrator))
    }

    /// Returns the listed integrators.
    pub fn integrators(&self) -> impl Iterator<Item = (Guid, &Integrator)> {
        self.integrators.iter().map(|(id, integrator)| (*id, integrator))
    }

    /// Returns all locations with the id of their company and their own.
    pub fn locations(&self) -> impl Iterator<Item = (u32, u32, &Location)> {
        self.companies.iter().flat_map(|(company, locations)| {
            locations.iter().map(move |(entity, location)| (*company, *entity, location))
        })
    }
}
