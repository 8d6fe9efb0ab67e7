//! The feature `serde`: orders, results and options in a program's own JSON.
#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use sales_order_intake::{
    AmountOptions, DiscountValueTypes, Guid, Json, ReceivedOrder, Records, Rounding, RuleOptions, SalesOrder,
    SalesOrderItem, SalesOrderTax, Scale, TaxLayer, TaxPricing, TaxRate, TaxRateType, TaxRounding, Version,
    parse_decimal, preview_order, validate_order,
};
use serde::de::DeserializeOwned;

const ORDER: &str = r#"{
    "Id": "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}", "CompanyId": 1501, "EntityId": 2301, "FirstName": "Mia",
    "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "ReceiptNumber": "R-17", "Gift": { "ribbon": 1.50 },
    "Items": [{ "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": 3.50, "SellAtPricePerUnit": 0.1000000000000000055511151231 }],
    "Discount": { "InvoiceLevel": [{ "Value": "10", "ValueType": 2 }] },
    "Taxes": [{ "TaxId": "e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80", "TaxAmount": 79228162514264337593543950335 }]
}"#;

fn error_of<T: DeserializeOwned>(json: &str) -> String {
    serde_json::from_str::<T>(json).err().expect("an error").to_string()
}

#[test]
fn an_order_keeps_its_digits_and_members() {
    let order: SalesOrder = serde_json::from_str(ORDER).unwrap();
    assert_eq!(order.items[0].quantity.to_string(), "3.50");
    assert_eq!(order.items[0].sell_at_price_per_unit.to_string(), "0.1000000000000000055511151231");
    assert_eq!(order.other["Gift"].as_str(), r#"{ "ribbon": 1.50 }"#);
    let json = serde_json::to_string(&order).unwrap();
    assert_eq!(json, order.to_json());
    assert!(json.contains("79228162514264337593543950335}"), "{json}");
    assert!(serde_json::from_str::<SalesOrder>(&json).unwrap() == order);
}

#[test]
fn an_order_that_breaks_a_rule_can_be_read() {
    let order: SalesOrder = serde_json::from_str(&ORDER.replace("3.50", "-3.50")).unwrap();
    assert!(!validate_order(&order, &RuleOptions::default()).is_ok());
}

#[test]
fn the_error_is_the_first_issue_with_its_pointer() {
    for (from, to, error) in [
        ("3.50", "\"many\"", "Quantity must be a decimal number (not_a_decimal at \"/Items/0/Quantity\")"),
        (", \"Quantity\": 3.50", "", "Quantity is missing (missing at \"/Items/0/Quantity\")"),
        ("1501", "-1", "CompanyId must be between 1 and 2147483647 (integer_out_of_range at \"/CompanyId\")"),
        ("\"{2A8F5D33-EEC9-4864-8B49-5636577B40D5}\"", "null", "Id is missing (missing at \"/Id\")"),
        ("\"Value\": \"10\", ", "", "Value is missing (missing at \"/Discount/InvoiceLevel/0/Value\")"),
        (
            "\"EntityId\"",
            "\"CompanyId\"",
            "CompanyId appears more than once in the same object (duplicate_member at \"/CompanyId\")",
        ),
    ] {
        assert!(ORDER.contains(from), "{from}");
        let found = error_of::<SalesOrder>(&ORDER.replacen(from, to, 1));
        assert!(found.starts_with(error), "{found}");
    }
    assert!(error_of::<SalesOrder>("[]").starts_with("SalesOrder must be an object (not_an_object at \"\")"));
    assert!(error_of::<ReceivedOrder>("[]").starts_with("ReceivedOrder must be an object"));
    assert!(error_of::<SalesOrder>("{").starts_with("EOF while parsing"));
}

#[test]
fn more_issues_than_are_listed_are_an_error_like_any_other() {
    for count in [10_000, 10_001, 30_000] {
        let found = error_of::<SalesOrder>(&format!(r#"{{"Items":[{}]}}"#, vec!["1"; count].join(",")));
        let expected = format!(
            "Items[0] must be an object (not_an_object at \"/Items/0\") and {} more",
            count.min(10_001) - 1
        );
        assert!(found.starts_with(&expected), "{found}");
    }
}

#[test]
fn records_are_read_alone_and_in_lists() {
    let item = r#"{ "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": 1e1, "SellAtPricePerUnit": 2 }"#;
    let items: Vec<SalesOrderItem> = serde_json::from_str(&format!("[{item}, {item}]")).unwrap();
    assert_eq!(items[1].quantity, parse_decimal("10").unwrap());
    let error = error_of::<Vec<SalesOrderTax>>(r#"[{ "TaxAmount": 1 }]"#);
    assert!(error.starts_with("TaxId is missing (missing at \"/TaxId\")"), "{error}");
}

#[test]
fn a_received_order_is_read_tolerantly() {
    let json = r#"{"id":"2A8F5D33EEC948648B495636577B40D5","ReceiptNumber":"R-17","CompanyId":"many","notes":null,"Items":[{"quantity":1.0}]}"#;
    let order: ReceivedOrder = serde_json::from_str(json).unwrap();
    assert_eq!(order.receipt_number.as_deref(), Some("R-17"));
    assert_eq!((order.company_id, &order.notes), (None, &None));
    let again: ReceivedOrder = serde_json::from_str(&serde_json::to_string(&order).unwrap()).unwrap();
    assert!(again == order);
    assert_eq!(again.items.unwrap()[0].as_ref().unwrap().quantity.unwrap().to_string(), "1.0");
}

#[test]
fn a_value_of_json_is_read_too() {
    let value: serde_json::Value =
        serde_json::from_str(r#"{"TaxId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","TaxAmount":"2.66"}"#)
            .unwrap();
    let tax: SalesOrderTax = serde_json::from_value(value).unwrap();
    assert_eq!(tax.tax_amount, parse_decimal("2.66").unwrap());
}

#[test]
fn ids_names_and_json_are_read_as_they_are_written() {
    let id = "2a8f5d33-eec9-4864-8b49-5636577b40d5";
    let guid: Guid = serde_json::from_str(&format!("\"{id}\"")).unwrap();
    assert_eq!(serde_json::to_string(&guid).unwrap(), format!("\"{id}\""));
    assert!(
        error_of::<Guid>("\"2a8g\"")
            .starts_with("not a GUID in the form D, N, B or P: unexpected character 'g' at byte 3")
    );
    assert_eq!(serde_json::from_str::<Rounding>("\"half-even\"").unwrap(), Rounding::HalfEven);
    assert_eq!(
        serde_json::to_string(&(Version::V2, TaxPricing::Inclusive)).unwrap(),
        r#"["v2","Inclusive"]"#
    );
    assert!(error_of::<Version>("\"v1\"").starts_with("unknown name \"v1\", must be one of v2, v3"));
    let json: Json = serde_json::from_str(r#" [ 1.50, {} ] "#).unwrap();
    assert_eq!(json.as_str(), "[ 1.50, {} ]");
    assert_eq!(serde_json::to_string(&json).unwrap(), "[ 1.50, {} ]");
}

const RULES: &str = r#"{"version":"v2","locationTaxPricing":"Exclusive","allowEmptyTaxes":true,"records":"passthrough","discountValueTypes":{"amount":1.5,"percent":"Percent"},"orderId":"2a8f5d33-eec9-4864-8b49-5636577b40d5","strict":true}"#;
const AMOUNTS: &str = r#"{"scale":3,"rounding":"half-even","roundTaxPer":"tax","taxRates":[{"id":"gst","rate":"0.05","type":"Percentage","layer":0},{"id":"qst","name":"QST \"9.975 %\"","rate":"0.09975","type":"FlatRate","layer":1,"catalogItemIds":["c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e"]}],"explain":true}"#;

#[test]
fn options_are_written_and_read_in_the_form_of_the_npm_package() {
    let rules = RuleOptions::default()
        .with_version(Version::V2)
        .with_location_tax_pricing(TaxPricing::Exclusive)
        .with_allow_empty_taxes(true)
        .with_records(Records::Passthrough)
        .with_discount_value_types(
            DiscountValueTypes::new(parse_decimal("1.5").unwrap(), "Percent".to_owned()).unwrap(),
        )
        .with_order_id("2a8f5d33-eec9-4864-8b49-5636577b40d5".parse().unwrap())
        .with_strict(true);
    assert_eq!(serde_json::to_string(&rules).unwrap(), RULES);
    assert_eq!(serde_json::from_str::<RuleOptions>(RULES).unwrap(), rules);

    let qst = TaxRate::new("qst", parse_decimal("0.09975").unwrap())
        .unwrap()
        .with_name("QST \"9.975 %\"")
        .with_rate_type(TaxRateType::FlatRate)
        .with_layer(TaxLayer::One)
        .with_catalog_item_ids(["c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e".parse().unwrap()]);
    let amounts = AmountOptions::default()
        .with_scale(Scale::new(3).unwrap())
        .with_rounding(Rounding::HalfEven)
        .with_round_tax_per(TaxRounding::Tax)
        .with_tax_rates([TaxRate::new("gst", parse_decimal("0.05").unwrap()).unwrap(), qst])
        .with_explain(true);
    assert_eq!(serde_json::to_string(&amounts).unwrap(), AMOUNTS);
    assert_eq!(serde_json::from_str::<AmountOptions>(AMOUNTS).unwrap(), amounts);
}

#[test]
fn options_that_are_left_out_have_their_defaults() {
    assert_eq!(serde_json::from_str::<RuleOptions>("{}").unwrap(), RuleOptions::default());
    assert_eq!(
        serde_json::from_str::<RuleOptions>(r#"{ "locationTaxPricing": null }"#).unwrap(),
        RuleOptions::default()
    );
    assert_eq!(serde_json::from_str::<AmountOptions>(" { } ").unwrap(), AmountOptions::default());
    // A rate as a number has all its digits.
    let rate: TaxRate =
        serde_json::from_str(r#"{ "id": "gst", "rate": 0.1000000000000000055511151231 }"#).unwrap();
    assert_eq!(rate.rate().to_string(), "0.1000000000000000055511151231");
    assert_eq!((rate.rate_type, rate.layer), (TaxRateType::Percentage, TaxLayer::Zero));
    let written = serde_json::to_string(&AmountOptions::default()).unwrap();
    assert_eq!(written, r#"{"scale":2,"rounding":"half-up","roundTaxPer":"line","explain":false}"#);
    assert_eq!(
        serde_json::to_string(&RuleOptions::default()).unwrap(),
        r#"{"version":"v3","allowEmptyTaxes":false,"records":"strict","strict":false}"#
    );
}

#[test]
fn options_are_read_inside_a_configuration_and_as_a_value() {
    #[derive(serde::Serialize, serde::Deserialize)]
    struct Configuration {
        rules: RuleOptions,
        amounts: AmountOptions,
    }
    let json = format!(r#"{{"rules":{RULES},"amounts":{AMOUNTS}}}"#);
    let read: Configuration = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::to_string(&read).unwrap(), json);
    let value: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(serde_json::from_value::<Configuration>(value).unwrap().amounts, read.amounts);
}

#[test]
fn an_option_that_cannot_be_used_is_an_error_with_its_pointer() {
    for (json, error) in [
        (r#"{ "verson": "v2" }"#, "option /verson is not an option"),
        (r#"{ "scale": 2 }"#, "option /scale is not an option"),
        (r#"{ "version": "v1" }"#, "option /version must be one of v2, v3"),
        (r#"{ "version": "v2", "version": "v3" }"#, "option /version appears more than once"),
        (r#"{ "records": null }"#, "option /records must not be null; leave it out instead"),
        (r#"{ "orderId": "7" }"#, "option /orderId must be a GUID: "),
        (
            r#"{ "discountValueTypes": { "amount": 1, "percent": 1.0 } }"#,
            "option /discountValueTypes has the same value",
        ),
        ("[]", "RuleOptions must be an object"),
    ] {
        let found = error_of::<RuleOptions>(json);
        assert!(found.starts_with(error), "{found}");
    }
    for (json, error) in [
        (r#"{ "records": "strict" }"#, "option /records is not an option"),
        (r#"{ "scale": 5 }"#, "option /scale must be an integer from 0 to 4"),
        (
            r#"{ "taxRates": [{ "id": "gst", "rate": "-0.05" }] }"#,
            "option /taxRates/0/rate must not be negative",
        ),
        (r#"{ "taxRates": [{ "rate": 1 }] }"#, "option /taxRates/0/id is missing"),
        (
            r#"{ "taxRates": [{ "id": "gst", "rate": 1, "a/b": 1 }] }"#,
            "option /taxRates/0/a~1b is not a member of a tax rate",
        ),
    ] {
        let found = error_of::<AmountOptions>(json);
        assert!(found.starts_with(error), "{found}");
    }
    assert!(error_of::<TaxRate>("7").starts_with("TaxRate must be an object"));
    assert!(error_of::<Scale>("7").starts_with("Scale must be an integer from 0 to 4"));
    // An option that is not known ends the reading, so that many of them take no time.
    let members: Vec<String> = (0..100_000).map(|index| format!(r#""o{index}":1"#)).collect();
    let found = error_of::<RuleOptions>(&format!("{{{}}}", members.join(",")));
    assert!(found.starts_with("option /o0 is not an option"), "{found}");
}

#[test]
fn a_preview_has_decimals_as_strings() {
    let order = r#"{ "Items": [{ "Quantity": 2.345, "SellAtPricePerUnit": "12.50" }], "Extra": 1 }"#;
    let preview = preview_order(order, &RuleOptions::default(), &AmountOptions::default());
    let value = serde_json::to_value(&preview).unwrap();
    assert_eq!(value["subtotal"], "29.31");
    assert_eq!(value["scale"], 2);
    assert_eq!(value["lines"][0]["taxes"], serde_json::json!([]));
    assert_eq!(value["total"], serde_json::Value::Null);
    assert!(
        value["issues"]
            .as_array()
            .unwrap()
            .iter()
            .any(|issue| issue["path"] == serde_json::json!(["Items", 0, "Name"]))
    );
}
