//! Random orders: most are plain, others have a piece that is not.

use std::fmt::Write as _;

use proptest::prelude::*;
use rust_decimal::Decimal;

use crate::decimal::to_plain_string;

/// Returns a piece of an order: mostly one of the plain ones.
fn piece(
    plain: &'static [&'static str],
    odd: &'static [&'static str],
) -> impl Strategy<Value = &'static str> {
    prop_oneof![150 => prop::sample::select(plain), 1 => prop::sample::select(odd)]
}

fn guid() -> impl Strategy<Value = String> {
    prop_oneof![
        200 => any::<[u8; 16]>().prop_map(|bytes| format!("\"{}\"", uuid::Uuid::from_bytes(bytes))),
        1 => any::<[u8; 16]>().prop_map(|bytes| format!("\"{}\"", uuid::Uuid::from_bytes(bytes)).to_uppercase()),
        1 => prop::sample::select(&[
            "null", "7", "\"\"", "\"00000000-0000-0000-0000-000000000000\"", "\"2a8f5d33eec948648b495636577b40d5\"",
            "\"{2a8f5d33-eec9-4864-8b49-5636577b40d5}\"", "\"2a8f5d33-eec9-4864-8b49-5636577b40d\"",
            "\"the integrator\"", "\"2a8f5d33-eec9-4864-8b49\"", "\"2a8f5d33-eec9-4864-8b49-5636577b40dg\"", "\"2a8f5d33-eec9-4864-8b49-5636577b40d5\" ",
        ]).prop_map(str::to_owned),
    ]
}

fn decimal(max_scale: u32) -> impl Strategy<Value = String> {
    prop_oneof![
        200 => (1_i64..5000, 0..=max_scale).prop_map(|(units, scale)| to_plain_string(&Decimal::new(units, scale))),
        8 => (1_i64..1_000_000_000_000_000, 0..=max_scale).prop_map(|(units, scale)| to_plain_string(&Decimal::new(units, scale))),
        40 => prop::sample::select(&["0.5", "1.5", "2.5", "0.05", "0.01", "0.10", "1", "4294967295", "0.005", "0.015"]).prop_map(str::to_owned),
        1 => prop::sample::select(&[
            "0", "0.00", "-1", "-1.2345", "\"free\"", "\"e1\"", "\"-1\"", "1e2", "\"1\"", "null", "01", "1.", ".5", "1.0001", "0.001", "99999999999999999", "1.50000000000000", "true", "-0",
        ]).prop_map(str::to_owned),
    ]
}

fn string() -> impl Strategy<Value = String> {
    prop_oneof![
        160 => "[ -!#-\\[\\]-~]{1,30}".prop_map(|text| format!("\"{text}\"")),
        20 => "[a-zé—茶😀\u{a0}\u{3000} ]{1,60}".prop_map(|text| format!("\"{text}\"")),
        2 => (45_usize..260, prop::sample::select(&["x", "é", "\u{a0}"])).prop_map(|(count, text)| format!("\"{}\"", text.repeat(count))),
        1 => prop::sample::select(&[
            "\"\"", "\" \"", "null", "7", "\"a\\tb\"", "\"\u{7f}\"", "\"x\u{85}\"", "\"\\u0041\"", "\"x\\\"y\"", "\"\u{fffd}\"", "[]", "\"a\tb\"",
        ]).prop_map(str::to_owned),
    ]
}

fn member(key: &'static str, value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop_oneof![
        1 => Just(String::new()),
        1 => value.prop_map(move |value| format!(",\"{key}\":{value}")),
    ]
}

fn nullable(value: impl Strategy<Value = String>) -> impl Strategy<Value = String> {
    prop_oneof![1 => Just("null".to_owned()), 5 => value]
}

fn one_item() -> impl Strategy<Value = String> {
    let rest = (
        prop_oneof![8 => Just(String::new()), 1 => string().prop_map(|text| format!(",\"PackageId\":{text}"))],
        prop_oneof![8 => Just(String::new()), 1 => string().prop_map(|text| format!(",\"Batch\":{text}"))],
        piece(&["}"], &[",\"Unit\":1}", "} ", ",\"Name\":\"x\"}", ",\"LineDollarAmount\":1}"]),
    );
    let absent = prop_oneof![50 => Just(5), 1 => 0_usize..4];
    (string(), guid(), decimal(3), decimal(2), absent, rest).prop_map(
        |(name, id, quantity, price, absent, (package, batch, end))| {
            let members = [
                ("Name", name),
                ("CatalogItemId", id),
                ("Quantity", quantity),
                ("SellAtPricePerUnit", price),
            ];
            let present = members.into_iter().enumerate().filter(|(index, _)| *index != absent);
            let members: Vec<_> = present.map(|(_, (name, value))| format!("\"{name}\":{value}")).collect();
            format!("{{{}{package}{batch}{end}", members.join(","))
        },
    )
}

fn taxes() -> impl Strategy<Value = String> {
    let tax =
        (guid(), decimal(2)).prop_map(|(id, amount)| format!("{{\"TaxId\":{id},\"TaxAmount\":{amount}}}"));
    let list = (prop::collection::vec(tax, 0..10), 0_u8..20).prop_map(|(mut taxes, repeat)| {
        if repeat == 0
            && let Some(first) = taxes.first().cloned()
        {
            taxes.push(first);
        }
        format!("[{}]", taxes.join(","))
    });
    nullable(list)
}

/// Returns the parts of an order: the first begins with its head, the last ends with its tail.
pub(super) fn order() -> impl Strategy<Value = Vec<String>> {
    let integer = || {
        piece(&["1", "7", "293892", "2147483647"], &["0", "2147483648", "1.0", "-1", "\"7\"", "null", "01"])
            .prop_map(str::to_owned)
    };
    let head = (
        prop_oneof![8 => guid().prop_map(|id| format!("\"Id\":{id},")), 1 => Just(String::new())],
        integer(),
        integer(),
        member("FirstName", nullable(string())),
        member("LastName", nullable(string())),
        prop_oneof![6 => Just(String::new()), 1 => nullable(guid()).prop_map(|id| format!(",\"CustomerId\":{id}"))],
        guid(),
    )
        .prop_map(|(id, company, location, first, last, customer, integrator)| {
            format!("{{{id}\"CompanyId\":{company},\"EntityId\":{location}{first}{last}{customer},\"IntegratorId\":{integrator},\"Items\":[")
        });
    let tail = (
        piece(&["", "", ",\"Discount\":null"], &[",\"Discount\":{}", ",\"OrderNumber\":\"1\""]),
        piece(
            &["", ",\"IsDelivery\":true", ",\"IsDelivery\":false"],
            &[",\"IsDelivery\":null", ",\"IsDelivery\":1", ",\"ReceiptNumber\":\"1\""],
        ),
        member("Taxes", taxes()),
        member("Notes", string()),
        member("TimeSlotDisplayString", string()),
        piece(&["}"], &["", "} ", ",\"unknown\":1}", "}}", ",\"Notes\":\"again\"}"]),
    )
        .prop_map(|(discount, delivery, taxes, notes, slot, end)| {
            format!("]{discount}{delivery}{taxes}{notes}{slot}{end}")
        });
    (head, prop::collection::vec(prop::collection::vec(one_item(), 1..4), 1..4), tail).prop_map(
        |(head, parts, tail)| {
            let last = parts.len() - 1;
            let parts = parts.into_iter().enumerate().map(|(index, items)| {
                let mut part = if index == 0 { head.clone() } else { ",".to_owned() };
                let _ = write!(part, "{}{}", items.join(","), if index == last { &*tail } else { "" });
                part
            });
            parts.collect()
        },
    )
}

/// Returns the body of a response: an order with read-only members.
pub(super) fn response() -> impl Strategy<Value = String> {
    let hold = piece(
        &["", ",\"WasCreatedWithInventoryHold\":true", ",\"WasCreatedWithInventoryHold\":false"],
        &[",\"WasCreatedWithInventoryHold\":1", ",\"WasCreatedWithInventoryHold\":null"],
    );
    let date = piece(
        &[
            "",
            ",\"DateCreatedUtc\":\"2024-02-29T23:59:59.7931328+00:00\"",
            ",\"DateCreatedUtc\":\"2026-11-21T22:57:51Z\"",
        ],
        &[
            ",\"DateCreatedUtc\":\"2026-02-29T22:57:51Z\"",
            ",\"DateCreatedUtc\":\"2026-11-21T22:57:51\"",
            ",\"DateCreatedUtc\":\"now\"",
            ",\"DateCreatedUtc\":7",
        ],
    );
    let source = piece(
        &["", ",\"OrderSource\":{\"Id\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\",\"Name\":\"Shop\"}"],
        &[
            ",\"OrderSource\":{\"Id\":\"7C9E6679-7425-40DE-944B-E07FC1F90AE7\",\"Name\":\"Shop\"}",
            ",\"OrderSource\":{\"Name\":\"Shop\",\"Id\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\"}",
            ",\"OrderSource\":{\"Id\":\"7c9e6679-7425-40de-944b-e07fc1f90ae7\",\"Name\":\"Shop\",\"More\":1}",
            ",\"OrderSource\":{}",
            ",\"OrderSource\":null",
        ],
    );
    let receipt = piece(
        &["", ",\"ReceiptNumber\":\"17\"", ",\"ReceiptNumber\":\"\""],
        &[",\"ReceiptNumber\":17", ",\"ReceiptNumber\":\"17\",\"ReceiptNumber\":\"18\""],
    );
    (order(), hold, date, source, receipt).prop_map(|(parts, hold, date, source, receipt)| {
        let json = parts.concat();
        let json = json.replacen(",\"IntegratorId\":", &format!("{date}{source},\"IntegratorId\":"), 1);
        let json = json.replacen(",\"EntityId\":7", &format!(",\"EntityId\":7{hold}"), 1);
        json.replacen(",\"Taxes\":", &format!("{receipt},\"Taxes\":"), 1)
    })
}
