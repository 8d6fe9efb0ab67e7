//! A ready registry for a first look: one company with three locations, and a token that is new at every start.

pub(super) mod directory;
pub(super) mod page;

use super::registry::{Registry, RegistryFault};
use super::token::Token;

const EXAMPLE: &str = include_str!("../../examples/registry.toml");

/// The example of the repository, where this token may do everything; its own tokens are of no use to anybody.
pub(super) fn registry(token: &Token) -> Result<Registry, Vec<RegistryFault>> {
    let mut registry = Registry::parse(EXAMPLE)?;
    registry.admit_only(token.hash());
    Ok(registry)
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLE, registry};
    use crate::options::TaxPricing;
    use crate::service::{Registry, Token};

    #[test]
    fn the_example_of_the_repository_has_no_fault_and_every_kind_of_location() {
        let registry = Registry::parse(EXAMPLE).unwrap_or_else(|faults| panic!("{faults:?}"));
        assert_eq!(registry.counts(), [1, 3, 1, 1]);
        let pricing: Vec<_> = registry.locations().map(|(_, _, location)| location.tax_pricing).collect();
        assert_eq!(pricing, [Some(TaxPricing::Exclusive), None, Some(TaxPricing::Inclusive)]);
    }

    #[test]
    fn the_token_of_the_demo_is_for_every_company_and_integrator() {
        let token = Token::new_random().unwrap();
        let registry = registry(&token).unwrap_or_else(|faults| panic!("{faults:?}"));
        let grant = registry.grant(token.reveal()).unwrap();
        assert!(grant.companies.contains(&1501));
        assert_eq!(grant.integrators.len(), 1);
        assert!(registry.grant("another").is_none());
    }
}
