//! Tests that numbers in unknown members are compared by value (D28). The reference service has the same list.

use sales_order_intake::internals::canonical_text_of_stored;
use serde_json::Value;

const ORDER: &str = r#"{"Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":1501,"EntityId":2301,
    "IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Extra":[NUMBER],
    "Items":[{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":10}]}"#;

#[test]
fn numbers_in_unknown_members_are_equal_by_value_whatever_their_size() {
    let list: Value = serde_json::from_str(include_str!("vectors/equal/numbers.json")).unwrap();
    let groups = list["groups"].as_array().unwrap().iter().enumerate();
    let numbers: Vec<(usize, &str)> = groups
        .flat_map(|(group, numbers)| numbers.as_array().unwrap().iter().map(move |number| (group, number)))
        .map(|(group, number)| (group, number.as_str().unwrap()))
        .collect();
    let text_of = |number| canonical_text_of_stored(&ORDER.replace("NUMBER", number)).unwrap();
    for (group, number) in &numbers {
        for (other_group, other) in &numbers {
            assert_eq!(text_of(number) == text_of(other), group == other_group, "{number} and {other}");
        }
    }
}
