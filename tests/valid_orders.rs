//! A valid order: what it owns, what it sends, and that nothing differs between its forms.

use sales_order_intake::{
    AmountOptions, Guid, InvalidOrder, IssueCode, Json, Purpose, Records, RuleOptions, SalesOrder,
    SalesOrderItem, ValidOrder, ValueType, evaluate_order, parse, parse_decimal, prepare_request,
    preview_order, read_order, validate_order,
};

const ORDER: &str = r#"{
    "Id": "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}", "CompanyId": 1501, "EntityId": 2301, "FirstName": null, "Zone": 1, "Gift": { "b": 1.50, "a": null },
    "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "Notes": "Ring twice", "ReceiptNumber": "R-17",
    "Items": [{ "Weight": 1, "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": "3.3333333333333333", "SellAtPricePerUnit": 10 }],
    "Discount": { "Club": true, "InvoiceLevel": [{ "Value": "10", "ValueType": 2 }] },
    "Taxes": [{ "Percent": 5, "TaxId": "E5C3D2B08D744F3A90693B4C5D6E7F80", "TaxAmount": "2.660" }]
}"#;

fn ready(json: &str, purpose: Purpose, records: Records) -> Result<ValidOrder, InvalidOrder> {
    let rules = RuleOptions::default().with_records(records);
    parse(json).check(purpose, &rules).into_valid()
}

#[test]
fn a_valid_order_outlives_the_json_and_the_rules_that_made_it() {
    let valid = {
        let json = ORDER.to_owned();
        ready(&json, Purpose::Send, Records::Strict).unwrap()
    };
    let ids = std::thread::spawn(move || {
        (valid.order_id(), valid.company_id(), valid.entity_id(), valid.integrator_id())
    });
    let guid = |string: &str| string.parse::<Guid>().unwrap();
    let expected = (
        guid("2a8f5d33-eec9-4864-8b49-5636577b40d5"),
        1501,
        2301,
        guid("7c9e6679-7425-40de-944b-e07fc1f90ae7"),
    );
    assert_eq!(ids.join().unwrap(), expected);
}

#[test]
fn a_typed_order_with_a_member_in_two_cases_is_invalid_and_the_issue_names_both() {
    let valid = ready(ORDER, Purpose::Send, Records::Strict).unwrap();
    let mut order = valid.order();
    order.items[0].other.insert("quantity".to_owned(), Json::parse("1000").unwrap());
    let invalid = order.check(&RuleOptions::default()).unwrap_err();
    let issue = invalid.issues.iter().find(|issue| issue.code == IssueCode::DuplicateMember).unwrap();
    assert_eq!(
        issue.to_string(),
        "error at /Items/0/Quantity: Quantity appears more than once in the same object: as Quantity and as quantity \
         (remove quantity, or use its value for Quantity)"
    );
    let totals = preview_order(&order, &RuleOptions::default(), &AmountOptions::default()).totals;
    assert_eq!(totals.subtotal, None);
}

#[test]
fn the_json_of_a_valid_order_is_the_body_of_its_request() {
    for records in [Records::Strict, Records::Passthrough] {
        let rules = RuleOptions::default().with_records(records);
        let checked = parse(ORDER).check(Purpose::Send, &rules);
        let valid = checked.clone().into_valid().unwrap();
        let body = &valid.request().body;
        assert_eq!(valid.to_json(), *body, "{records}");
        assert_eq!(checked.to_json().as_ref(), Some(body), "{records}");
        assert_eq!(checked.request().as_ref(), Ok(valid.request()), "{records}");
        assert_eq!(prepare_request(ORDER, &rules).as_ref(), Ok(valid.request()), "{records}");
        // Null and unknown members stay, in their order.
        assert!(
            body.contains(r#""FirstName":null"#) && body.contains(r#""Zone":1,"Gift":{ "b": 1.50"#),
            "{body}"
        );
        assert_eq!(valid.clone().into_request(), *valid.request());
        let again = ready(body, Purpose::Send, records).unwrap();
        assert_eq!(again.to_json(), *body, "{records}");
    }
}

#[test]
fn a_valid_order_has_the_amounts_and_the_issues_of_the_order_that_was_checked() {
    // In the body, the quantity is a number of 17 digits: as such it would look like a float.
    for purpose in [Purpose::Send, Purpose::Validate] {
        let rules = RuleOptions::default();
        let checked = parse(ORDER).check(purpose, &rules);
        let valid = checked.clone().into_valid().unwrap();
        assert_eq!(valid.issues(), checked.issues());
        assert_eq!(
            valid.issues().iter().any(|issue| issue.code == IssueCode::ReadOnlyMember),
            purpose == Purpose::Validate
        );
        let amounts = AmountOptions::default();
        assert_eq!(valid.preview(&amounts), checked.preview(&amounts));
        assert!(valid.preview(&amounts).issues.len() > valid.issues().len(), "the discount is unknown");
    }
}

#[test]
fn records_that_are_passed_through_are_other_members_of_the_struct() {
    let order = ready(ORDER, Purpose::Send, Records::Passthrough).unwrap().order();
    assert_eq!((&order.taxes, &order.discount), (&None, &None));
    assert_eq!(
        order.other["Taxes"].as_str(),
        r#"[{ "Percent": 5, "TaxId": "E5C3D2B08D744F3A90693B4C5D6E7F80", "TaxAmount": "2.660" }]"#
    );
    assert!(order.other["Discount"].as_str().starts_with(r#"{ "Club": true"#));
    // They are sent, so the point of sale does not calculate the taxes.
    assert!(order.check(&RuleOptions::default()).unwrap().order().taxes.is_some());

    let order = ready(ORDER, Purpose::Send, Records::Strict).unwrap().order();
    assert_eq!(order.taxes.unwrap()[0].tax_amount.to_string(), "2.660");
    assert_eq!(order.discount.unwrap().invoice_level.unwrap()[0].value_type, ValueType::from(2));
}

#[test]
fn a_struct_that_breaks_a_rule_is_not_valid() {
    let mut order = ready(ORDER, Purpose::Send, Records::Strict).unwrap().order();
    order.company_id = 0;
    let invalid = order.check(&RuleOptions::default()).unwrap_err();
    assert_eq!(invalid.order_id, Some(order.id));
    assert!(invalid.to_string().starts_with("CompanyId must be between 1 and 2147483647"), "{invalid}");
}

#[test]
fn a_cart_has_json_but_no_request() {
    let cart = ORDER.replace("\"Id\"", "\"ReceiptNumber\"").replacen("\"ReceiptNumber\": \"R-17\",", "", 1);
    let rules = RuleOptions::default();
    let checked = parse(&cart).check(Purpose::Preview, &rules);
    assert!(checked.order_id().is_none() && checked.to_json().unwrap().starts_with(r#"{"CompanyId":1501"#));
    let invalid = checked.request().unwrap_err();
    assert!(invalid.to_string().starts_with("Id is missing"), "{invalid}");
    assert_eq!(checked.into_valid().unwrap_err(), invalid);
    assert_eq!(parse("{}").check(Purpose::Preview, &rules).to_json(), None);
}

#[test]
fn the_decimals_of_a_struct_are_never_called_floats() {
    let third = parse_decimal("0.3333333333333333").unwrap();
    let catalog_item = "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e".parse().unwrap();
    let items = vec![SalesOrderItem::new(catalog_item, third, third)];
    let integrator = "7c9e6679-7425-40de-944b-e07fc1f90ae7".parse().unwrap();
    let order = SalesOrder::new(Guid::new_random().unwrap(), 1501, 2301, integrator, items);
    let (rules, amounts) = (RuleOptions::default(), AmountOptions::default());
    let valid = order.check(&rules).unwrap();
    for issues in [
        validate_order(&order, &rules).issues,
        preview_order(&order, &rules, &amounts).issues,
        evaluate_order(&order, &rules, &amounts).preview.issues,
        prepare_request(&order, &rules).unwrap().issues,
        valid.issues().to_vec(),
        valid.preview(&amounts).issues,
    ] {
        let codes: Vec<_> = issues.iter().map(|issue| issue.code).collect();
        assert!(codes.contains(&IssueCode::PriceFractionDigits), "{codes:?}");
        assert!(!codes.contains(&IssueCode::DecimalFromFloat), "{codes:?}");
    }
    let as_json = validate_order(&order.to_json(), &rules).issues;
    assert!(
        as_json.iter().any(|issue| issue.code == IssueCode::DecimalFromFloat),
        "a number in JSON may have been one"
    );
}

#[test]
fn the_entries_of_a_received_list_keep_their_index() {
    let body = r#"{
        "Items": [null, { "Quantity": 2 }, 7], "Discount": { "InvoiceLevel": ["ten", { "Value": 1 }] }, "Taxes": [[], { "TaxAmount": 3 }]
    }"#;
    let read = read_order(body);
    let order = read.order.unwrap();
    let items = order.items.as_ref().unwrap();
    assert!(items[0].is_none() && items[2].is_none());
    assert_eq!(items[1].as_ref().unwrap().quantity, Some(2.into()));
    let discounts = order.discount.as_ref().unwrap().invoice_level.as_ref().unwrap();
    assert!(discounts[0].is_none() && discounts[1].is_some());
    let taxes = order.taxes.as_ref().unwrap();
    assert!(taxes[0].is_none() && taxes[1].is_some());
    let pointers: Vec<_> = read.issues.iter().map(|issue| &*issue.pointer).collect();
    assert_eq!(pointers, ["/Items/0", "/Items/2", "/Discount/InvoiceLevel/0", "/Taxes/0"]);
    assert!(read_order(&order.to_json()).order.unwrap() == order);
}
