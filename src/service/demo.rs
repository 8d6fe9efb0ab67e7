//! A ready-made registry for a first try: one company with three locations, and a new token at every start.

pub(super) mod directory;
pub(super) mod page;

use super::registry::{Registry, RegistryError};
use super::token::Token;

const EXAMPLE: &str = include_str!("../../examples/registry.toml");

/// Returns the registry of `examples/registry.toml`, but with this token only, which covers everything in it.
pub(super) fn registry(token: &Token) -> Result<Registry, Vec<RegistryError>> {
    let mut registry = Registry::parse(EXAMPLE)?;
    registry.replace_tokens(token.hash());
    Ok(registry)
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLE, registry};
    use crate::options::TaxPricing;
    use crate::service::auth::authenticate;
    use crate::service::{Registry, Token};

    #[test]
    fn the_example_has_no_errors_and_a_location_of_every_tax_pricing() {
        let registry = Registry::parse(EXAMPLE).unwrap_or_else(|errors| panic!("{errors:?}"));
        assert_eq!(registry.counts(), [1, 3, 1, 1]);
        let pricing: Vec<_> = registry.locations().map(|(_, _, location)| location.tax_pricing).collect();
        assert_eq!(pricing, [Some(TaxPricing::Exclusive), None, Some(TaxPricing::Inclusive)]);
    }

    #[test]
    fn the_demo_token_may_use_every_company_and_integrator() {
        let token = Token::new_random().unwrap();
        let registry = registry(&token).unwrap_or_else(|errors| panic!("{errors:?}"));
        let grant = authenticate(&registry, token.reveal()).unwrap();
        assert!(grant.companies.contains(&1501));
        assert_eq!(grant.integrators.len(), 1);
        assert!(authenticate(&registry, "another").is_none());
    }
}
