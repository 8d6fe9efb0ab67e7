//! Properties that must hold for every input: shares sum to the whole, building is idempotent, nothing panics.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use proptest::prelude::*;
use rust_decimal::Decimal;
use sales_order_intake::{
    AmountOptions, DiscountValueTypes, Guid, Purpose, Records, Rounding, RuleOptions, Scale, TaxLayer,
    TaxRate, TaxRateType, TaxRounding, parse, preview_order,
};

#[path = "properties/priced_orders.rs"]
mod priced_orders;

use priced_orders::priced_order;

proptest! {
    #[test]
    fn a_printed_guid_parses_to_the_same_guid(bytes in any::<[u8; 16]>()) {
        let uuid = uuid::Uuid::from_bytes(bytes);
        prop_assume!(!uuid.is_nil());
        let guid = Guid::try_from(uuid).unwrap();
        let d = guid.to_string();
        let n = d.replace('-', "").to_uppercase();
        for form in [d.clone(), n, format!("{{{d}}}"), format!("({d})")] {
            prop_assert_eq!(form.parse(), Ok(guid));
        }
    }

    #[test]
    fn lines_sum_to_the_totals(order in priced_order(10_000, 100_000), options in preview_options()) {
        let preview = preview_order(&order.to_string(), &options.0, &options.1);
        let sum = |amounts: Vec<Option<Decimal>>| amounts.into_iter().collect::<Option<Vec<_>>>().map(|a| a.iter().sum::<Decimal>());
        let lines = &preview.lines;
        prop_assert_eq!(sum(lines.iter().map(|line| line.extended).collect()), preview.totals.subtotal);
        prop_assert_eq!(sum(lines.iter().map(|line| line.discount).collect()), preview.totals.discount.total);
        prop_assert_eq!(sum(lines.iter().map(|line| line.tax).collect()), preview.totals.tax.total);
        prop_assert_eq!(sum(lines.iter().map(|line| line.total).collect()), preview.totals.total);
        for line in lines {
            prop_assert!(line.discount >= Some(Decimal::ZERO) && line.discount <= line.extended);
        }
        let (range, total) = (preview.rounding_range.unwrap(), preview.totals.total.unwrap());
        prop_assert!(range.min <= total && total <= range.max);
    }
}

/// Values that members have, and that they should not have.
const VALUES: &[&str] = &[
    "null",
    "true",
    "0",
    "1",
    "-1",
    "1.5",
    "0.33333333333333331",
    "79228162514264337593543950336",
    "\"\"",
    "\"1.50\"",
    "\"2\\u0030\"",
    "[]",
    "[null]",
    "[{}]",
    "{}",
    "[1]",
    "\"2a8f5d33-eec9-4864-8b49-5636577b40d5\"",
    "\"{2A8F5D33-EEC9-4864-8B49-5636577B40D5}\"",
    r#"{"InvoiceLevel":[{"Value":1,"ValueType":"x"}]}"#,
    r#"{"InvoiceLevel":[{"Value":1,"ValueType":null}]}"#,
    r#"{"\u0000":"not_json"}"#,
    r#"[{"TaxId":"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80","TaxAmount":"1.0"}]"#,
    r#"[{"\u0000":"not_finite"}]"#,
    r#"[{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":2,"SellAtPricePerUnit":"3","Quantity":2}]"#,
];
const NAMES: &[&str] = &[
    "Id",
    "CompanyId",
    "FirstName",
    "CustomerId",
    "OrderNumber",
    "Items",
    "Discount",
    "IsDelivery",
    "ReceiptNumber",
    "Taxes",
    "Notes",
    "taxes",
    "Gift",
    "G\\u0069ft",
];

proptest! {
    #[test]
    fn a_valid_order_agrees_with_the_order_that_was_checked(
        members in proptest::collection::vec((proptest::sample::select(NAMES), proptest::sample::select(VALUES)), 0..4),
        is_before in any::<bool>(), passthrough in any::<bool>(), allow_empty_taxes in any::<bool>(),
    ) {
        let added: String = members.iter().map(|(name, value)| format!(r#""{name}":{value},"#)).collect();
        // A member that is added may repeat one, or be the only one of its name.
        let known = [("Id", "\"2a8f5d33-eec9-4864-8b49-5636577b40d5\""), ("CompanyId", "1501"), ("EntityId", "2301"),
            ("IntegratorId", "\"7c9e6679-7425-40de-944b-e07fc1f90ae7\""),
            ("Items", r#"[{"CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":2,"SellAtPricePerUnit":3}]"#)];
        let known: Vec<String> = known.iter().filter(|(name, _)| !members.iter().any(|(added, _)| added == name))
            .map(|(name, value)| format!(r#""{name}":{value}"#)).collect();
        let known = known.join(",");
        let json = if is_before { format!("{{{added}{known}}}") } else { format!("{{{known},{}}}", added.trim_end_matches(',')) };
        let records = if passthrough { Records::Passthrough } else { Records::Strict };
        let rules = RuleOptions::default().with_records(records).with_allow_empty_taxes(allow_empty_taxes);
        for purpose in [Purpose::Send, Purpose::Validate, Purpose::Preview] {
            let checked = parse(&json).check(purpose, &rules);
            let Ok(valid) = checked.clone().into_valid() else { continue };
            let amounts = AmountOptions::default();
            prop_assert_eq!(valid.preview(&amounts), checked.preview(&amounts), "{}", json);
            prop_assert_eq!(Some(valid.to_json()), checked.to_json());
            // An order that is sent again has the same bytes, and means the same.
            let again = parse(&valid.request().body).check(Purpose::Send, &rules).into_valid().unwrap();
            prop_assert_eq!(again.to_json(), valid.to_json());
            prop_assert!(again.order() == valid.order(), "{}", json);
        }
    }
}

fn preview_options() -> impl Strategy<Value = (RuleOptions, AmountOptions)> {
    // Small enough that a tax on a tax, allocated to the lines, has at most 38 digits (D18).
    let rate = (1..10_000_i64, any::<bool>(), any::<bool>()).prop_map(|(rate, flat, compound)| {
        let rate_type = if flat { TaxRateType::FlatRate } else { TaxRateType::Percentage };
        let layer = if compound { TaxLayer::One } else { TaxLayer::Zero };
        TaxRate::new("rate", Decimal::new(rate, 4)).unwrap().with_rate_type(rate_type).with_layer(layer)
    });
    let roundings = proptest::sample::select(Rounding::ALL.to_vec());
    let levels = proptest::sample::select(TaxRounding::ALL.to_vec());
    (2_u32..=4, roundings, levels, proptest::collection::vec(rate, 0..4)).prop_map(
        |(scale, rounding, round_tax_per, rates)| {
            let rules =
                RuleOptions::default().with_discount_value_types(DiscountValueTypes::new(1, 2).unwrap());
            let amounts = AmountOptions::default()
                .with_scale(Scale::new(scale).unwrap())
                .with_rounding(rounding)
                .with_round_tax_per(round_tax_per)
                .with_tax_rates(rates);
            (rules, amounts)
        },
    )
}
