//! The registry: companies with their locations, integrators, and what each token may do. It is read from a TOML
//! file, or from JSON.

mod file;

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::Deserialize;
use subtle::ConstantTimeEq as _;
use time::OffsetDateTime;

use sales_order_intake::{Guid, Records, TaxPricing, TaxRate};

use crate::token::TokenHash;
use file::{Company, File, Id, IntegratorEntry, TokenEntry};

/// Where a registry comes from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A file, which lists the hashes of tokens.
    File,
    /// A test, which lists tokens. It may remove a company or an integrator from its registry, and leave the tokens as
    /// they are.
    Test,
}

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
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Location {
    id: Id,
    /// Its name.
    #[serde(default, deserialize_with = "file::name")]
    pub name: String,
    /// The name of its company.
    #[serde(skip)]
    pub company_name: String,
    /// `None` if the location has no configuration (§1).
    #[serde(alias = "taxPricing")]
    pub tax_pricing: Option<TaxPricing>,
    /// The `WasCreatedWithInventoryHold` of its orders.
    #[serde(default, alias = "inventoryHold")]
    pub inventory_hold: bool,
    /// The rates for orders without taxes.
    #[serde(default, deserialize_with = "file::tax_rates")]
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
    pub expires: Option<OffsetDateTime>,
    /// Whether the token is rejected.
    pub disabled: bool,
    /// The integrators for whose orders it may be used; `None` for all.
    pub integrators: Option<Vec<Guid>>,
    /// The companies for whose orders it may be used; `None` for all.
    pub companies: Option<Vec<u32>>,
}

impl Registry {
    /// Parses a registry file.
    ///
    /// ```
    /// use service_rules::registry::Registry;
    ///
    /// let error = Registry::parse("companies = [{ id = 0 }]").err().unwrap();
    /// assert!(error.starts_with("TOML parse error at line 1, column 21"));
    /// assert!(error.ends_with("must be from 1 to 2147483647"));
    /// ```
    ///
    /// # Errors
    /// Returns the first error, with its position.
    #[cfg(feature = "toml")]
    pub fn parse(text: &str) -> Result<Self, String> {
        let file = toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        Self::of_file(file, Form::File)
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
    /// # Ok::<(), String>(())
    /// ```
    ///
    /// # Errors
    /// Returns the first error, with the path of the value.
    pub fn from_json(json: serde_json::Value, form: Form) -> Result<Self, String> {
        let file = serde_path_to_error::deserialize(json).map_err(|error| error.to_string())?;
        Self::of_file(file, form)
    }

    fn of_file(File { companies, integrators, tokens }: File, form: Form) -> Result<Self, String> {
        let by_location = |(index, Company { id, name, locations }): (usize, Company)| {
            let named =
                |location: Location| (location.id.0, Location { company_name: name.clone(), ..location });
            let path = format!("companies[{index}].locations");
            Ok((id.0, by_id(&path, locations.into_iter().map(named), " in this company")?))
        };
        let companies = companies.into_iter().enumerate().map(by_location);
        let companies = companies.collect::<Result<Vec<_>, String>>()?;
        let integrator = |IntegratorEntry { id, name, allow_empty_taxes, records }| {
            (id, Integrator { name, allow_empty_taxes, records })
        };
        let mut registry = Self {
            companies: by_id("companies", companies, "")?,
            integrators: by_id("integrators", integrators.into_iter().map(integrator), "")?,
            ..Self::default()
        };
        for (index, token) in tokens.into_iter().enumerate() {
            let grant = registry.grant(token, form).map_err(|error| format!("tokens[{index}].{error}"))?;
            registry.grants.push(Arc::new(grant));
        }
        Ok(registry)
    }

    fn grant(&self, entry: TokenEntry, form: Form) -> Result<Grant, String> {
        let (token, member) = match (entry.sha256, entry.token) {
            (_, Some(_)) if form == Form::File => {
                return Err("token must not be in a file: write its hash, sha256".to_owned());
            }
            (_, Some(token)) => (TokenHash::of(&token), "token"),
            (Some(hash), None) => (hash, "sha256"),
            (None, None) => return Err("sha256 is missing".to_owned()),
        };
        if self.grants.iter().any(|other| other.token.ct_eq(&token).into()) {
            return Err(format!("{member} appears more than once"));
        }
        let integrators = entry.integrators;
        let companies: Vec<_> = entry.companies.into_iter().map(|Id(id)| id).collect();
        if form == Form::File {
            if let Some(id) = integrators.iter().find(|id| !self.integrators.contains_key(id)) {
                return Err(format!("integrators contains {id}, which is not in [[integrators]]"));
            }
            if let Some(id) = companies.iter().find(|id| !self.companies.contains_key(id)) {
                return Err(format!("companies contains {id}, which is not in [[companies]]"));
            }
        }
        Ok(Grant {
            token,
            expires: entry.expires.map(|time| time.0),
            disabled: entry.disabled,
            integrators: Some(integrators),
            companies: Some(companies),
        })
    }

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

/// Returns entries by their ids, unless one appears more than once.
fn by_id<Key: Ord, Entry>(
    path: &str,
    entries: impl IntoIterator<Item = (Key, Entry)>,
    within: &str,
) -> Result<BTreeMap<Key, Entry>, String> {
    let mut all = BTreeMap::new();
    for (index, (id, entry)) in entries.into_iter().enumerate() {
        if all.insert(id, entry).is_some() {
            return Err(format!("{path}[{index}].id appears more than once{within}"));
        }
    }
    Ok(all)
}
