//! Responses: what the judge accepts needs nothing but quotes around its decimals.

use super::orders::response;
use super::*;
use crate::json::DecimalForm;
use crate::order_writer::write_order;
use crate::parse::parse_response;

const RESPONSE: &str = concat!(
    r#"{"Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":1000,"EntityId":2000,"WasCreatedWithInventoryHold":false,"#,
    r#""FirstName":"Ada","DateCreatedUtc":"2026-11-21T22:57:51.7931328+00:00","#,
    r#""OrderSource":{"Id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Name":"Storefront"},"#,
    r#""IntegratorId":"7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50","Items":["#,
    r#"{"Name":"Green tea","CatalogItemId":"0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff","Quantity":2.345,"SellAtPricePerUnit":12.50}"#,
    r#"],"IsDelivery":true,"ReceiptNumber":"17","Notes":"Ring"}"#,
);

/// Checks the invariant; returns true if the response is accepted.
fn check_response(json: &str) -> Result<bool, TestCaseError> {
    // The host looks for null: the general path leaves it out.
    let is_accepted = !json.contains(":null") && Judge::new().response(json.as_bytes()).is_some();
    if is_accepted {
        let parsed = parse_response(json);
        prop_assert_eq!(parsed.issues.finish(), []);
        let printed = parsed.records.map(|records| write_order(&records, DecimalForm::Number));
        prop_assert_eq!(printed.as_deref(), Some(json));
    }
    Ok(is_accepted)
}

#[test]
fn a_response_with_all_read_only_members_is_accepted() {
    assert!(check_response(RESPONSE).unwrap());
    assert!(check_response(ORDER).unwrap());
}

#[test]
fn read_only_members_are_refused_in_an_order_that_is_sent() {
    for member in ["\"WasCreatedWithInventoryHold\":false", "\"DateCreatedUtc\":\"2026-11-21T22:57:51Z\""] {
        let order = ORDER.replace("\"IntegratorId\"", &format!("{member},\"IntegratorId\""));
        let mut judge = Judge::new();
        judge.response(RESPONSE.as_bytes());
        assert_eq!(judge.first_part(order.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp), None, "{order}");
    }
}

#[test]
fn a_response_in_parts_or_with_remarks_is_refused() {
    let (part, _) = RESPONSE.split_once("],\"IsDelivery").unwrap();
    assert_eq!(Judge::new().response(part.as_bytes()), None);
    assert_eq!(Judge::new().response(RESPONSE.replace("12.50", "0").as_bytes()), None);
}

proptest! {
    #[test]
    fn an_accepted_response_is_what_the_general_path_writes(json in response()) {
        check_response(&json)?;
    }
}

#[test]
fn many_random_responses_are_accepted() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let accepted =
        (0..500).filter(|_| check_response(&response().new_tree(&mut runner).unwrap().current()).unwrap());
    let count = accepted.count();
    assert!((50..450).contains(&count), "{count} of 500");
}
