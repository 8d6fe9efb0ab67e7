//! The remarks of the judge, one by one.

use super::*;
use crate::plain::MAX_RECORDS;

/// The issue of each remark, in the order of their bits.
const REMARKS: [(IssueCode, &str); 15] = [
    (IssueCode::IntegerOutOfRange, "CompanyId"),
    (IssueCode::IntegerOutOfRange, "EntityId"),
    (IssueCode::NotAGuid, "IntegratorId"),
    (IssueCode::NotAGuid, "CatalogItemId"),
    (IssueCode::NotADecimal, "Quantity"),
    (IssueCode::QuantityFractionDigits, "Quantity"),
    (IssueCode::QuantityNotPositive, "Quantity"),
    (IssueCode::NotADecimal, "SellAtPricePerUnit"),
    (IssueCode::PriceFractionDigits, "SellAtPricePerUnit"),
    (IssueCode::PriceNegative, "SellAtPricePerUnit"),
    (IssueCode::PriceZero, "SellAtPricePerUnit"),
    (IssueCode::ItemNameMissing, "Name"),
    (IssueCode::Missing, "CatalogItemId"),
    (IssueCode::Missing, "Quantity"),
    (IssueCode::Missing, "SellAtPricePerUnit"),
];

/// Returns the issue of each remark, with its pointer.
pub(super) fn issues_of(remarks: &[u32]) -> Vec<(IssueCode, String)> {
    let of_record = |remarks: &u32| {
        let (bits, number) = (*remarks, *remarks as usize >> REMARKS.len());
        let set = REMARKS.iter().enumerate().filter(move |(bit, _)| bits >> bit & 1 == 1);
        set.map(move |(_, (code, member))| match number.checked_sub(1) {
            None => (*code, format!("/{member}")),
            Some(index) => (*code, format!("/Items/{index}/{member}")),
        })
    };
    remarks.iter().flat_map(of_record).collect()
}

/// Judges an order in one part.
fn judged_whole(order: &str) -> Option<Judgement> {
    judged(&[order.to_owned()], pairs_of(order), 2, Rounding::HalfUp)
}

#[test]
fn every_simple_mistake_is_a_remark() {
    use IssueCode::*;
    let id = ",\"CatalogItemId\":\"0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff\"";
    type Mistake = (&'static str, &'static str, &'static [(IssueCode, &'static str)]);
    let mistakes: [Mistake; 19] = [
        (":1000", ":0", &[(IntegerOutOfRange, "/CompanyId")]),
        (":2000", ":-2000", &[(IntegerOutOfRange, "/EntityId")]),
        ("7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50", "mine", &[(NotAGuid, "/IntegratorId")]),
        ("0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff", "TEA-17", &[(NotAGuid, "/Items/0/CatalogItemId")]),
        (id, "", &[(Missing, "/Items/0/CatalogItemId")]),
        ("2.345", "\"two\"", &[(NotADecimal, "/Items/0/Quantity")]),
        ("2.345", "2.3456", &[(QuantityFractionDigits, "/Items/0/Quantity")]),
        ("2.345", "0", &[(QuantityNotPositive, "/Items/0/Quantity")]),
        ("2.345", "-2.345", &[(QuantityNotPositive, "/Items/0/Quantity")]),
        (
            "2.345",
            "-0.0001",
            &[(QuantityFractionDigits, "/Items/0/Quantity"), (QuantityNotPositive, "/Items/0/Quantity")],
        ),
        (",\"Quantity\":2.345", "", &[(Missing, "/Items/0/Quantity")]),
        ("12.50", "\"free\"", &[(NotADecimal, "/Items/0/SellAtPricePerUnit")]),
        ("12.50", "12.505", &[(PriceFractionDigits, "/Items/0/SellAtPricePerUnit")]),
        ("12.50", "-12.50", &[(PriceNegative, "/Items/0/SellAtPricePerUnit")]),
        ("12.50", "0.00", &[(PriceZero, "/Items/0/SellAtPricePerUnit")]),
        (
            "12.50",
            "0.000",
            &[
                (PriceFractionDigits, "/Items/0/SellAtPricePerUnit"),
                (PriceZero, "/Items/0/SellAtPricePerUnit"),
            ],
        ),
        (",\"SellAtPricePerUnit\":12.50", "", &[(Missing, "/Items/0/SellAtPricePerUnit")]),
        ("\"Name\":\"Green tea\",", "", &[(ItemNameMissing, "/Items/0/Name")]),
        (
            ",\"Quantity\":2.345,\"SellAtPricePerUnit\":12.50",
            "",
            &[(Missing, "/Items/0/Quantity"), (Missing, "/Items/0/SellAtPricePerUnit")],
        ),
    ];
    for (right, wrong, expected) in mistakes {
        let order = ORDER.replacen(right, wrong, 1);
        let Some(Judgement { issues, .. }) = judged_whole(&order) else { panic!("refused: {order}") };
        let issues: Vec<_> = issues.iter().map(|(code, pointer)| (*code, &**pointer)).collect();
        assert_eq!(issues, expected, "{order}");
        check(&[order], &Default::default()).unwrap();
    }
}

#[test]
fn an_order_without_name_and_item_is_refused() {
    let (before, after) = ORDER.split_once("\"Name\"").unwrap();
    let (_, rest) = after.split_once("\"Quantity\"").unwrap();
    assert_eq!(judged_whole(&format!("{before}\"Quantity\"{rest}")), None);
}

#[test]
fn remarks_on_more_records_than_there_is_room_for_are_refused() {
    let (before, after) = ORDER.split_once("{\"Name").unwrap();
    let (item, tail) = after.split_once('}').unwrap();
    let item = format!("{{\"Name{item}}}").replace("12.50", "0");
    let order = |count| format!("{before}{}{tail}", vec![&*item; count].join(","));
    assert_eq!(judged_whole(&order(MAX_RECORDS)).map(|judgement| judgement.issues.len()), Some(MAX_RECORDS));
    assert_eq!(judged_whole(&order(MAX_RECORDS + 1)), None);
}

#[test]
fn remarks_beside_an_issue_that_may_be_between_theirs_are_refused() {
    let (before, _) = ORDER.split_once(",\"Taxes\":").unwrap();
    let customer = "\"CustomerId\":\"2a8f5d33-eec9-4864-8b49-5636577b40d6\",\"IntegratorId\"";
    for order in [ORDER.replace("\"IntegratorId\"", customer), format!("{before},\"Taxes\":null}}")] {
        assert!(judged_whole(&order).is_some(), "{order}");
        assert_eq!(judged_whole(&order.replace("12.50", "0")), None);
    }
}
