//! A ready-made registry for a first try: the companies, locations and integrators of the examples in the
//! documentation, and one token for all of them.

pub(super) mod page;
pub(super) mod requests;

/// The registry.
pub(super) const REGISTRY: &str = include_str!("../../examples/registry.toml");

#[cfg(test)]
mod tests {
    use super::REGISTRY;
    use sales_order_intake::TaxPricing;
    use service_rules::authorization::authenticate;
    use service_rules::registry::Registry;
    use service_rules::token::Token;

    #[test]
    fn the_example_has_no_errors_and_a_location_of_every_tax_pricing() {
        let registry = Registry::parse(REGISTRY).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(registry.counts(), [3, 5, 2, 1]);
        let pricing: Vec<_> = registry.locations().map(|(_, _, location)| location.tax_pricing).collect();
        for expected in [Some(TaxPricing::Exclusive), None, Some(TaxPricing::Inclusive)] {
            assert!(pricing.contains(&expected), "{expected:?}");
        }
    }

    #[test]
    fn the_demo_has_one_more_token() {
        let token = Token::new_random().unwrap();
        let mut registry = Registry::parse(REGISTRY).unwrap_or_else(|error| panic!("{error}"));
        registry.add_token_for_everything(token.hash());
        assert!(authenticate(&registry, token.reveal()).is_some());
        assert!(authenticate(&registry, "another").is_none());
    }
}
