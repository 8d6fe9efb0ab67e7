//! Evaluates an order of three lines CALLS times, for a program that counts instructions: `instructions KIND CALLS`.
//! See `instructions.mjs`.
#![expect(clippy::expect_used, reason = "a program that is called wrongly fails by panicking")]

use std::hint::black_box;

use sales_order_intake_wasm::evaluate_order;

const OPTIONS: &str =
    r#"{"discountValueTypes":{"amount":1,"percent":2},"taxRates":[{"id":"gst","name":"GST","rate":0.05}]}"#;

const HEAD: &str = r#""Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":293892,"EntityId":293894,"FirstName":"Ada","LastName":"Okafor","IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7""#;

const TAXES: &str = r#""Taxes":[{"TaxId":"0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4","TaxAmount":3.5}]"#;

/// With a discount of 12.5 %, half a unit has to be rounded, so that the totals of all rounding modes are calculated.
const DISCOUNT: &str = r#""Discount":{"InvoiceLevel":[{"Name":"Welcome","Value":2.5,"ValueType":1},{"Name":"Autumn","Value":12.5,"ValueType":2}]}"#;

const ITEMS: &str = r#""Items":[{"Name":"Green tea, loose","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-000000000000","Quantity":2,"SellAtPricePerUnit":19.99},{"Name":"House blend","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-000000000001","Quantity":3.5,"SellAtPricePerUnit":12.5},{"Name":"Matcha, tin","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-000000000002","Quantity":2.345,"SellAtPricePerUnit":31.8}]"#;

const OTHERS: &str = r#""Notes":"Ring at \"Café Zoë\"","SalesChannel":"web","Campaign":{"Code":"AUTUMN","Medium":"newsletter"}"#;

fn main() {
    let mut args = std::env::args().skip(1);
    let (kind, calls) = (args.next().expect("a kind"), args.next().expect("a number of calls"));
    let members: &[_] = match &*kind {
        "plain" => &[HEAD, ITEMS, TAXES],
        "discounts" => &[HEAD, ITEMS, DISCOUNT, TAXES],
        "estimated" => &[HEAD, ITEMS, OTHERS],
        _ => &[],
    };
    let order = format!("{{{}}}", members.join(","));
    for _ in 0..calls.parse().expect("a number") {
        let result = evaluate_order(black_box(&order), OPTIONS);
        assert!(result.starts_with('C'), "not ok, or it can't be sent: {result}");
    }
}
