//! What a program that logs its values prints (D45).

use std::error::Error;
use std::fmt::Debug;

use sales_order_intake::{
    AmountOptions, CheckedOrder, DeriveGuidError, ErrorBody, Evaluation, InvalidOption, InvalidOrder,
    NoRandomSource, NotJson, OrderInput, OrderRead, ParseDecimalError, ParseGuidError, ParsedOrder,
    PreparedRequest, Preview, Purpose, RuleOptions, SalesOrder, Totals, UnknownName, ValidOrder, Verdict,
    build_order, evaluate_order, parse, preview_order, read_error, read_order,
};

const ORDER: &str = r#"{
    "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1501, "EntityId": 2301, "FirstName": "Secret", "LastName": "Secret",
    "CustomerId": "5ec4e700-5ec4-4e70-85ec-4e7005ec4e70", "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7",
    "Notes": "Secret", "TimeSlotDisplayString": "Secret", "Phone": "Secret", "ReceiptNumber": "Secret",
    "Items": [{ "Name": "Tea", "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": 3.5, "SellAtPricePerUnit": 10 }]
}"#;

#[test]
fn a_parsed_and_a_checked_order_print_counts_and_the_id() {
    let rules = RuleOptions::default();
    let parsed = parse(ORDER);
    assert_eq!(
        format!("{parsed:?}"),
        "ParsedOrder { id: Some(2a8f5d33-eec9-4864-8b49-5636577b40d5), items: Some(1), read_only: 1, issues: 1 }"
    );
    assert_eq!(
        format!("{:?}", parsed.check(Purpose::Validate, &rules)),
        "CheckedOrder { id: Some(2a8f5d33-eec9-4864-8b49-5636577b40d5), items: Some(1), issues: 3, is_ok: true }"
    );
    assert_eq!(
        format!("{:?}", parse("[]").check(Purpose::Send, &rules)),
        "CheckedOrder { id: None, items: None, issues: 1, is_ok: false }"
    );
}

#[test]
fn nothing_prints_personal_data() {
    let (rules, amounts) = (RuleOptions::default(), AmountOptions::default());
    let checked = parse(ORDER).check(Purpose::Send, &rules);
    let printed: [&dyn Debug; 7] = [
        &OrderInput::from(ORDER),
        &checked.clone().into_valid().unwrap(),
        &checked,
        &build_order(ORDER, &rules),
        &evaluate_order(ORDER, &rules, &amounts),
        &read_order(&ORDER.replace("ReceiptNumber", "Notes")),
        &read_error(r#"{"detail":"Secret","errors":[{"pointer":"/Notes","detail":"Secret"}]}"#),
    ];
    for value in printed {
        let text = format!("{value:?}");
        assert!(!text.contains("Secret") && !text.contains("5ec4e700"), "{text}");
    }
}

#[test]
fn results_are_equal_if_their_values_are() {
    let (rules, amounts) = (RuleOptions::default(), AmountOptions::default());
    let with_zero = ORDER.replace("3.5", "3.50");
    assert_eq!(preview_order(ORDER, &rules, &amounts), preview_order(&with_zero, &rules, &amounts));
    assert_ne!(build_order(ORDER, &rules), build_order(&ORDER.replace("Tea", "Coffee"), &rules));
}

#[test]
fn every_type_has_the_traits_that_rust_users_expect() {
    fn error<T: Error + Clone + PartialEq + Eq + Debug + Send + Sync + 'static>() {}
    fn value<T: Clone + PartialEq + Eq + Debug + Send + Sync>() {}
    fn stage<T: Clone + Debug + Send + Sync>() {}
    error::<ParseGuidError>();
    error::<ParseDecimalError>();
    error::<DeriveGuidError>();
    error::<NoRandomSource>();
    error::<NotJson>();
    error::<UnknownName>();
    error::<InvalidOption>();
    error::<InvalidOrder>();
    value::<SalesOrder>();
    value::<Verdict>();
    value::<Evaluation>();
    value::<Preview>();
    value::<Totals>();
    value::<PreparedRequest>();
    value::<OrderRead>();
    value::<ErrorBody>();
    stage::<ParsedOrder<'_>>();
    stage::<CheckedOrder<'_>>();
    stage::<ValidOrder>();
    stage::<OrderInput<'_>>();
}
