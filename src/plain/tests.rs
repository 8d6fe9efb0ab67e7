//! The invariant of the fast lane, on random orders: plain ones, and ones with a piece replaced or a byte changed.

mod orders;
mod remarks;
mod responses;

use proptest::prelude::*;
use rust_decimal::Decimal;

use orders::order;
use remarks::issues_of;

use super::judge::ANY_PAIRS;
use super::{Judge, PlainTotals, Progress};
use crate::check::Purpose;
use crate::code::{IssueCode, Severity};
use crate::decimal::{Rounding, to_plain_string};
use crate::issue::Issue;
use crate::options::{AmountOptions, RuleOptions, Scale, Version};
use crate::parse::{MAX_ENTRIES, parse};
use crate::verdict::preview_order;

const ORDER: &str = concat!(
    r#"{"Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","CompanyId":1000,"EntityId":2000,"#,
    r#""IntegratorId":"7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50","Items":["#,
    r#"{"Name":"Green tea","CatalogItemId":"0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff","Quantity":2.345,"SellAtPricePerUnit":12.50}"#,
    r#"],"Taxes":[{"TaxId":"0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4","TaxAmount":3.5}]}"#,
);

fn pairs_of(json: &str) -> u32 {
    json.bytes().map(|byte| u32::from(byte == b'"')).sum::<u32>() / 2
}

#[test]
fn a_plain_order_is_accepted_with_its_totals() {
    let mut judge = Judge::new();
    assert_eq!(
        judge.first_part(ORDER.as_bytes(), pairs_of(ORDER), 2, Rounding::HalfUp),
        Some(Progress::Plain)
    );
    let PlainTotals { subtotal, total, tax, taxes, tax_count, .. } = judge.totals;
    assert_eq!((subtotal, total, tax, tax_count), (2931, 3281, 350, 1));
    assert_eq!((taxes.first(), judge.lines.first()), (Some(&350), Some(&2931)));
}

#[test]
fn an_order_with_any_of_the_common_members_is_plain() {
    let id = "\"2a8f5d33-eec9-4864-8b49-5636577b40d6\"";
    let customer = format!("\"CustomerId\":{id}");
    let before_integrator = [
        "\"FirstName\":\"Ada\"",
        "\"FirstName\":null",
        "\"LastName\":\"Smith\"",
        "\"LastName\":null",
        &customer,
        "\"CustomerId\":null",
    ];
    let at_the_end = ["\"Notes\":\"Ring\"", "\"TimeSlotDisplayString\":\"10 to 11\""];
    let before_taxes = ["\"Discount\":null", "\"IsDelivery\":true", "\"IsDelivery\":false"];
    let with = |member: &str, next: &str| ORDER.replacen(next, &format!("{member},{next}"), 1);
    let orders = before_integrator.map(|member| with(member, "\"IntegratorId\"")).into_iter();
    let orders = orders.chain(before_taxes.map(|member| with(member, "\"Taxes\"")));
    let orders = orders.chain(at_the_end.map(|member| ORDER.replace("}]}", &format!("}}],{member}}}"))));
    for order in orders.chain([ORDER.replace("12.50}", "12.50,\"PackageId\":\"P\",\"Batch\":\"B\"}")]) {
        let progress = Judge::new().first_part(order.as_bytes(), pairs_of(&order), 2, Rounding::HalfUp);
        assert_eq!(progress, Some(Progress::Plain), "{order}");
    }
}

#[test]
fn taxes_that_are_empty_or_no_list_are_refused() {
    let (before, after) = ORDER.split_once("[{\"TaxId").unwrap();
    let (_, end) = after.split_once(']').unwrap();
    for taxes in ["]", "[]", "[,]", "{}", "[{}]", "[[]]", "\"\""] {
        let order = format!("{before}{taxes}{end}");
        assert_eq!(
            Judge::new().first_part(order.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp),
            None,
            "{order}"
        );
    }
}

#[test]
fn another_number_of_quotes_than_the_writer_wrote_is_refused() {
    for pairs in [0, pairs_of(ORDER) - 1, pairs_of(ORDER) + 1] {
        assert_eq!(Judge::new().first_part(ORDER.as_bytes(), pairs, 2, Rounding::HalfUp), None);
    }
}

#[test]
fn an_order_without_its_end_or_with_more_after_it_is_refused() {
    for (end, _) in ORDER.char_indices() {
        let (part, rest) = ORDER.split_at(end);
        let progress = Judge::new().first_part(part.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp);
        let is_after_item = rest.starts_with("],\"Taxes");
        assert_eq!(progress, is_after_item.then_some(Progress::Partial), "{end}");
    }
    let longer = format!("{ORDER} ");
    assert_eq!(Judge::new().first_part(longer.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp), None);
}

#[test]
fn a_judge_forgets_the_order_before() {
    let mut judge = Judge::new();
    for _ in 0..3 {
        let free = ORDER.replace("12.50", "\"free\"");
        judge.first_part(free.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp);
        assert!(judge.totals.is_unpriced && judge.remarks.as_slice().len() == 1);
        judge.first_part(ORDER.as_bytes(), pairs_of(ORDER), 2, Rounding::HalfUp);
        assert!(!judge.totals.is_unpriced && judge.remarks.as_slice().is_empty());
        assert_eq!((judge.totals.total, judge.totals.tax_count), (3281, 1));
        let cart = ORDER
            .replace(r#""Id":"2a8f5d33-eec9-4864-8b49-5636577b40d5","#, "")
            .replace("Taxes\":[{", "Taxes\":[[");
        assert_eq!(judge.first_part(cart.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp), None);
    }
}

#[test]
fn more_bytes_or_items_than_the_limits_are_refused() {
    let (before, after) = ORDER.split_once("{\"Name").unwrap();
    let (item, tail) = after.split_once('}').unwrap();
    let item = format!("{{\"Name{item}}}");
    let first = format!("{before}{item}");
    let parts = |count: usize, item: &str| {
        let mut judge = Judge::new();
        judge.first_part(first.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp)?;
        let next = format!(",{item}");
        for _ in 2..count {
            judge.next_part(next.as_bytes(), ANY_PAIRS)?;
        }
        judge.next_part(format!("{next}{tail}").as_bytes(), ANY_PAIRS)
    };
    assert_eq!(parts(MAX_ENTRIES, &item), Some(Progress::Plain));
    assert_eq!(parts(MAX_ENTRIES + 1, &item), None);
    let long = item.replace("12.50", &format!("12.50,\"Batch\":\"{}\"", "x".repeat(1 << 20)));
    assert_eq!(parts(15, &long), Some(Progress::Plain));
    assert_eq!(parts(17, &long), None);
}

#[test]
fn terms_whose_ties_do_not_fit_are_refused() {
    let term = "+999999999999999 0 0 0 0 0\n";
    for count in [4, 5, 20] {
        let rest = format!("{}{ORDER}", term.repeat(count));
        let progress = Judge::new().rest(rest.as_bytes(), ANY_PAIRS, 2, Rounding::HalfDown);
        assert_eq!(progress, (count == 4).then_some(Progress::Plain), "{count}");
    }
}

#[test]
fn after_terms_only_a_single_item_without_remarks_is_plain() {
    let rest = |order: &str| {
        let rest = format!("+5 4 4 1 0 0\n{order}");
        Judge::new().rest(rest.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp)
    };
    assert_eq!(rest(ORDER), Some(Progress::Plain));
    // Remarks on the order itself are its own.
    assert_eq!(rest(&ORDER.replace("1000", "0")), Some(Progress::Plain));
    let (before, after) = ORDER.split_once("{\"Name").unwrap();
    let (item, tail) = after.split_once('}').unwrap();
    assert_eq!(rest(&format!("{before}{{\"Name{item}}},{{\"Name{item}}}{tail}")), None);
    for (member, mistake) in
        [("12.50", "-1"), ("12.50", "0"), ("2.345", "2.3456"), (",\"Quantity\":2.345", "")]
    {
        assert_eq!(rest(&ORDER.replace(member, mistake)), None, "{mistake}");
    }
    // A second item in a later part.
    let mut judge = Judge::new();
    let first = format!("+5 4 4 1 0 0\n{before}{{\"Name{item}}}");
    assert_eq!(judge.rest(first.as_bytes(), ANY_PAIRS, 2, Rounding::HalfUp), Some(Progress::Partial));
    assert_eq!(judge.next_part(format!(",{{\"Name{item}}}{tail}").as_bytes(), ANY_PAIRS), None);
}

fn judged(parts: &[String], pairs: u32, scale: u32, rounding: Rounding) -> Option<Judgement> {
    let mut judge = Judge::new();
    let mut lines = Vec::new();
    let mut last = None;
    for part in parts {
        last = Some(match last {
            None => judge.first_part(part.as_bytes(), pairs, scale, rounding)?,
            Some(Progress::Partial) => judge.next_part(part.as_bytes(), pairs)?,
            Some(Progress::Plain) => return None,
        });
        lines.extend(judge.lines.iter().take(part.matches("\"SellAtPricePerUnit\":").count()));
    }
    let issues = issues_of(judge.remarks.as_slice());
    (last == Some(Progress::Plain)).then_some(Judgement { totals: judge.totals, lines, issues })
}

fn listed(issues: &[Issue]) -> Vec<(IssueCode, String)> {
    issues.iter().map(|issue| (issue.code, issue.pointer.clone())).collect()
}

/// What the judge made of an order.
#[derive(Debug, PartialEq)]
struct Judgement {
    totals: PlainTotals,
    lines: Vec<u64>,
    issues: Vec<(IssueCode, String)>,
}

/// Checks the invariant; returns true if the order is plain.
fn check(parts: &[String], (rules, amounts): &(RuleOptions, AmountOptions)) -> Result<bool, TestCaseError> {
    let original = parts.concat();
    let (scale, rounding) = (amounts.scale.digits(), amounts.rounding);
    let judgement = judged(parts, pairs_of(&original), scale, rounding);
    prop_assert_eq!(&judged(parts, ANY_PAIRS, scale, rounding), &judgement);
    let Some(Judgement { totals, lines, issues: remarks }) = judgement else { return Ok(false) };

    let customer = match rules.version {
        Version::V2 => IssueCode::CustomerPricingUnsupported,
        Version::V3 => IssueCode::CustomerPricingPossible,
    };
    let is_sent = totals.has_id && remarks.iter().all(|(code, _)| code.severity() != Severity::Error);
    let mut expected = remarks.clone();
    expected.extend(totals.has_customer.then(|| (customer, "/CustomerId".to_owned())));
    let checked = parse(&original).check(Purpose::Preview, rules);
    prop_assert_eq!(listed(&checked.issues()), expected.clone());
    let validated = parse(&original).check(Purpose::Validate, rules);
    prop_assert_eq!(validated.is_ok(), is_sent);
    let valid = parse(&original).check(Purpose::Send, rules).into_valid();
    prop_assert_eq!(valid.ok().map(|valid| valid.request().body), is_sent.then_some(original.clone()));

    expected.extend((!totals.has_taxes).then(|| (IssueCode::TaxUnknown, "/Taxes".to_owned())));
    let preview = preview_order(&original, rules, amounts);
    prop_assert_eq!(listed(&preview.issues), expected);
    let amount = |units: u64| to_plain_string(&Decimal::from_i128_with_scale(units.into(), scale));
    let shown = |value: &Option<Decimal>| value.as_ref().map(to_plain_string);
    let known = |units: u64| (totals.has_taxes && !totals.is_unpriced).then(|| amount(units));
    prop_assert_eq!(shown(&preview.totals.subtotal), (!totals.is_unpriced).then(|| amount(totals.subtotal)));
    prop_assert_eq!(shown(&preview.totals.discount.total), Some(amount(0)));
    prop_assert_eq!(shown(&preview.totals.total), known(totals.total));
    prop_assert_eq!(shown(&preview.totals.tax.total), totals.has_taxes.then(|| amount(totals.tax)));
    let range = preview.totals.rounding_range;
    prop_assert_eq!(shown(&range.map(|range| range.min)), known(totals.min));
    prop_assert_eq!(shown(&range.map(|range| range.max)), known(totals.max));
    let taxes: Vec<_> =
        preview.totals.tax.entries.iter().map(|entry| to_plain_string(&entry.amount)).collect();
    prop_assert_eq!(
        taxes,
        totals.taxes.iter().take(totals.tax_count).map(|units| amount(*units)).collect::<Vec<_>>()
    );
    if !remarks.is_empty() {
        return Ok(true); // The host has the general path calculate the lines.
    }
    prop_assert_eq!(shown(&preview.lines.first().and_then(|line| line.total)), known(totals.first_line));
    let extended: Vec<_> = preview.lines.iter().map(|line| shown(&line.extended)).collect();
    prop_assert_eq!(extended, lines.into_iter().map(|units| Some(amount(units))).collect::<Vec<_>>());
    Ok(true)
}

fn options() -> impl Strategy<Value = (RuleOptions, AmountOptions)> {
    let versions = prop::sample::select(&[Version::V2, Version::V3]);
    let scales = prop_oneof![3 => Just(2_u32), 1 => 0_u32..=4];
    (versions, scales, prop::sample::select(Rounding::ALL)).prop_map(|(version, scale, rounding)| {
        let rules = RuleOptions { version, ..RuleOptions::default() };
        let scale = Scale::new(scale).unwrap();
        (rules, AmountOptions { scale, rounding, ..AmountOptions::default() })
    })
}

proptest! {
    #[test]
    fn an_accepted_order_has_the_issues_and_the_totals_of_the_general_path(parts in order(), options in options()) {
        check(&parts, &options)?;
    }

    #[test]
    fn an_order_with_a_byte_changed_keeps_the_invariant(
        mut parts in order(),
        options in options(),
        at in any::<prop::sample::Index>(),
        replacement in prop::sample::select(&["", "\"", "\\", "{", "}", "[", "]", ",", ":", "0", "9", ".", "-", "e", " ", "\n", "a", "F", "\u{fffd}", "\u{85}"]),
    ) {
        let part = parts.last_mut().unwrap();
        let positions: Vec<_> = part.char_indices().collect();
        let (start, char) = *at.get(&positions);
        part.replace_range(start..start + char.len_utf8(), replacement);
        check(&parts, &options)?;
    }
}

#[test]
fn most_random_orders_are_plain() {
    use proptest::strategy::ValueTree;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let plain = (0..500).filter(|_| {
        let parts = order().new_tree(&mut runner).unwrap().current();
        check(&parts, &Default::default()).unwrap()
    });
    let count = plain.count();
    assert!((100..450).contains(&count), "{count} of 500");
}
