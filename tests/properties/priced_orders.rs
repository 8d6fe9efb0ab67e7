//! Random orders whose amounts can be calculated, for the properties of the core and of its module.

use proptest::prelude::*;
use rust_decimal::Decimal;
use serde_json::{Value, json};

/// Generates a decimal above 0.
fn amount(max: u64, scale: u32) -> impl Strategy<Value = String> {
    (1..max, 0..=scale)
        .prop_map(|(mantissa, scale)| Decimal::from_i128_with_scale(i128::from(mantissa), scale).to_string())
}

/// Generates an order in which every amount can be calculated, with quantities and prices of less than these units.
pub(crate) fn priced_order(quantity: u64, price: u64) -> impl Strategy<Value = Value> {
    let item = (amount(quantity, 3), amount(price, 4)).prop_map(|(quantity, price)| {
        json!({ "Name": "A", "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e",
            "Quantity": quantity, "SellAtPricePerUnit": price })
    });
    let discount = prop_oneof![
        amount(100_000, 3).prop_map(|value| json!({ "Name": "D", "Value": value, "ValueType": 1 })),
        (0_u32..=100).prop_map(|value| json!({ "Name": "P", "Value": value, "ValueType": 2 })),
    ];
    let tax = amount(10_000, 2)
        .prop_map(|amount| json!({ "TaxId": "e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80", "TaxAmount": amount }));
    (
        proptest::collection::vec(item, 1..12),
        proptest::collection::vec(discount, 0..4),
        proptest::option::of(proptest::collection::vec(tax, 1..4)),
    )
        .prop_map(|(items, discounts, taxes)| {
            json!({ "Items": items, "Discount": { "InvoiceLevel": discounts }, "Taxes": taxes })
        })
}
