//! The canonical text of an order: equal for equal orders, and different for different ones (D28).
//!
//! Decimals and GUIDs are compared by value, null equals absent, and read-only members are ignored. Unknown members, and records
//! that can't be read, are compared as JSON values. The version of the operation is ignored: an id belongs to one order, in v2
//! and v3 together.
//!
//! The text is the order as it is sent, so GUIDs already have one form. Its members are sorted by name, and every number and
//! every string has one notation.

use std::borrow::Cow;

use crate::check::{CheckedOrder, Purpose};
use crate::guid::Guid;
use crate::json::{self, DecimalForm, MAX_DEPTH, Writer};
use crate::options::{Records, RuleOptions};
use crate::order::ORDER;
use crate::order::field::{Field, FieldType, Schema};
use crate::order_writer::write_order;
use crate::parse::{ParsedOrder, parse};
use crate::sort::sorted_positions;

/// The number of values around the deepest one of a valid order: the order, the member, and the levels of its value.
const MAX_LEVELS: usize = MAX_DEPTH + 2;

/// Returns the canonical text of an order whose records were read; `None` if they were passed through, or if an issue is an error.
#[must_use]
pub fn canonical_text(order: &CheckedOrder<'_>) -> Option<String> {
    let records = order.valid_records().filter(|_| order.rules.records == Records::Strict)?;
    Some(text_of(&write_order(records, DecimalForm::Number), Records::Strict))
}

/// Returns the canonical text of an order that was sent with this Id in the path; `None` if it is not valid, whatever the rules of
/// its integrator are.
///
/// Equal orders are equal whether their Discount and Taxes records were read or passed through. The records are read if that
/// gives a valid order.
#[must_use]
pub fn canonical_text_by_any_rules(order: &ParsedOrder<'_>, order_id: Option<Guid>) -> Option<String> {
    let rules =
        |records| RuleOptions { records, allow_empty_taxes: true, order_id, ..RuleOptions::default() };
    canonical_text(&order.clone().check(Purpose::Send, &rules(Records::Strict))).or_else(|| {
        let rules = rules(Records::Passthrough);
        let checked = order.clone().check(Purpose::Send, &rules);
        let valid = checked.valid_records()?;
        Some(text_of(&write_order(valid, DecimalForm::Number), Records::Passthrough))
    })
}

/// Returns the canonical text of an order that was valid when it was stored; `None` if the JSON is not an order.
#[must_use]
pub fn canonical_text_of_stored(json: &str) -> Option<String> {
    let parsed = parse(json);
    canonical_text_by_any_rules(&parsed, None).or_else(|| {
        let order = parsed.records.as_ref()?;
        Some(text_of(order.root().raw(), Records::Passthrough))
    })
}

/// Returns true if two stored orders are equal.
#[must_use]
pub fn is_same_order(json: &str, other: &str) -> bool {
    let text = canonical_text_of_stored(json);
    text.is_some() && text == canonical_text_of_stored(other)
}

fn text_of(order: &str, records: Records) -> String {
    let mut out = Writer::default().with_capacity(order.len());
    write_value(&mut out, order, Some(&ORDER), records, 0);
    out.into_string()
}

/// Writes a value, with the schema of the record or of the entries if it has one. `depth` counts the values around it: what is
/// nested deeper than in any valid order is compared as it is written, and so is an object with a name that can't be decoded.
fn write_value(out: &mut Writer, raw: &str, schema: Option<&Schema>, records: Records, depth: usize) {
    if depth > MAX_LEVELS {
        out.raw(raw);
    } else if json::is_object(raw) {
        write_object(out, raw, schema, records, depth);
    } else if json::is_array(raw) {
        out.begin_array();
        let _ = json::elements(raw, &mut |raw| write_value(out, raw, schema, records, depth + 1));
        out.end_array();
    } else if let Some(string) = json::string(raw) {
        out.string(&string);
    } else if json::is_number(raw) {
        out.raw(&number(raw));
    } else {
        out.raw(raw);
    }
}

/// Writes the members of an object, sorted. A member that is null or read-only is left out, but not if it is there in another case,
/// too: a reader that ignores case takes one of them (D63).
fn write_object(out: &mut Writer, raw: &str, schema: Option<&Schema>, records: Records, depth: usize) {
    let mut members: Vec<(Cow<'_, str>, &str)> = Vec::new();
    if !json::members(raw, &mut |name, raw| members.push((name, raw))) {
        return out.raw(raw);
    }
    let find = |name: &str, any_case| schema.and_then(|schema| schema.find(name, any_case));
    let mut cases = vec![0_usize; schema.map_or(0, |schema| schema.fields.len())];
    for (name, _) in &members {
        if let Some(count) = find(name, true).and_then(|field| cases.get_mut(field.index)) {
            *count += 1;
        }
    }
    let name_at = |position| members.get(position).map(|(name, _)| name);
    out.begin_object();
    for position in sorted_positions(members.len(), &|left, right| name_at(left).cmp(&name_at(right))) {
        let Some((name, raw)) = members.get(position) else { continue };
        let field = find(name, false);
        let is_ignored = field.is_some_and(|field| {
            (*raw == "null" || field.is_read_only()) && cases.get(field.index) == Some(&1)
        });
        if !is_ignored {
            let schema = field.and_then(|field| schema_of(field, records));
            write_value(out.key_of(name), raw, schema, records, depth + 1);
        }
    }
    out.end_object();
}

/// Returns the schema of the records of a member; `None` if it has none, or if they are passed through.
fn schema_of(field: &Field, records: Records) -> Option<&'static Schema> {
    match field.field_type {
        FieldType::Record(schema) | FieldType::List(schema) => {
            (schema.is_published || records == Records::Strict).then_some(schema)
        }
        _ => None,
    }
}

/// Returns a number by value: its digits without zeros at either end, and an [exponent](sum). `-3.50` becomes `-35e9`, and −0 is 0.
fn number(raw: &str) -> String {
    let (sign, unsigned) = raw.strip_prefix('-').map_or(("", raw), |unsigned| ("-", unsigned));
    let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all = [whole, fraction].concat();
    let digits = all.trim_end_matches('0');
    if digits.is_empty() {
        return "0".to_owned();
    }
    let exponent = sum(exponent, whole.len() as i64 - digits.len() as i64);
    [sign, digits.trim_start_matches('0'), "e", &exponent].concat()
}

/// Adds an integer to an exponent of any length. Returns the sum in ten's complement: the digit that all higher digits repeat, 0
/// or 9, and then the other digits, the last one first.
#[expect(clippy::cast_possible_truncation, reason = "the remainder is a digit")]
fn sum(exponent: &str, added: i64) -> String {
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => (-1, digits),
        None => (1, exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    let mut digits = digits.bytes().rev();
    let mut carry = added;
    let mut sum = Vec::new();
    loop {
        match digits.next() {
            Some(digit) => carry += sign * i64::from(digit - b'0'),
            None if carry == 0 || carry == -1 => break,
            None => {}
        }
        sum.push(b'0' + carry.rem_euclid(10) as u8);
        carry = carry.div_euclid(10);
    }
    let higher = if carry == 0 { b'0' } else { b'9' };
    let length = sum.iter().rposition(|digit| *digit != higher).map_or(0, |last| last + 1);
    [higher].iter().chain(sum.iter().take(length)).copied().map(char::from).collect()
}

#[cfg(test)]
mod tests {
    use super::{canonical_text, canonical_text_by_any_rules, canonical_text_of_stored, is_same_order};
    use crate::check::Purpose;
    use crate::options::{Records, RuleOptions};
    use crate::parse::parse;

    const ORDER: &str = r#"{
        "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1501, "EntityId": 2301,
        "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "Notes": "Ring twice", "Extra": { "a": 1, "b": [2, "x"] },
        "Items": [{ "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": 3.5, "SellAtPricePerUnit": 10 }],
        "Discount": { "InvoiceLevel": [{ "Name": "Member", "Value": 10, "ValueType": 2 }] },
        "Taxes": [{ "TaxId": "e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80", "TaxAmount": 2.66 }]
    }"#;

    fn text_of(json: &str) -> String {
        canonical_text_of_stored(json).unwrap()
    }

    fn with(from: &str, to: &str) -> String {
        assert!(ORDER.contains(from), "{from}");
        text_of(&ORDER.replacen(from, to, 1))
    }

    #[test]
    fn the_same_values_written_in_another_way_are_the_same_order() {
        for (from, to) in [
            ("3.5", "\"3.500\""),
            ("10 }", "1e1 }"),
            ("2a8f5d33-eec9-4864-8b49-5636577b40d5", "{2A8F5D33-EEC9-4864-8B49-5636577B40D5}"),
            ("\"Ring twice\"", r#""R\u0069ng twice""#),
            ("\"CompanyId\": 1501, \"EntityId\": 2301", "\"EntityId\": 2301, \"CompanyId\": 1501"),
            ("\"a\": 1, \"b\": [2, \"x\"]", r#""b": [2.0, "\u0078"], "a": 1.00"#),
            ("\"Notes\"", "\"FirstName\": null, \"CustomerId\": null, \"Notes\""),
            ("\"Notes\"", "\"ReceiptNumber\": \"7\", \"OrderSource\": {}, \"Notes\""),
            ("\"ValueType\": 2", "\"ValueType\": 2.0"),
        ] {
            assert_eq!(with(from, to), text_of(ORDER), "{from} as {to}");
        }
    }

    #[test]
    fn a_valid_order_has_the_text_that_it_has_when_it_is_stored() {
        let unread = ORDER.replace("\"ValueType\": 2", "\"ValueType\": []");
        for (json, records) in
            [(ORDER, Records::Strict), (ORDER, Records::Passthrough), (&*unread, Records::Passthrough)]
        {
            let rules = RuleOptions { records, ..RuleOptions::default() };
            let parsed = parse(json);
            assert_eq!(canonical_text_by_any_rules(&parsed, None).unwrap(), text_of(json), "{records}");
            let checked = parsed.check(Purpose::Send, &rules);
            let read = (records == Records::Strict).then(|| text_of(json));
            assert_eq!(canonical_text(&checked), read, "{records}");
            assert_eq!(text_of(&checked.request().unwrap().body), text_of(json), "{records}");
        }
    }

    #[test]
    fn any_other_value_makes_another_order() {
        for (from, to) in [
            ("3.5", "3.51"),
            ("10 }", "-10 }"),
            ("Ring twice", "Ring twice "),
            ("\"Notes\": \"Ring twice\",", ""),
            ("\"a\": 1", "\"a\": \"1\""),
            ("[2, \"x\"]", "[\"x\", 2]"),
            ("\"b\":", "\"B\":"),
            ("\"ValueType\": 2", "\"ValueType\": \"2\""),
            ("2.66", "2.67"),
            ("\"TaxAmount\": 2.66 }", "\"TaxAmount\": 2.66, \"Name\": null }"),
            ("[{ \"TaxId\": \"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80\", \"TaxAmount\": 2.66 }]", "null"),
            ("[{ \"TaxId\": \"e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80\", \"TaxAmount\": 2.66 }]", "[]"),
        ] {
            assert_ne!(with(from, to), text_of(ORDER), "{from} as {to}");
        }
    }
    #[test]
    fn a_name_that_cannot_be_decoded_hides_no_difference() {
        let with = |b: u8| format!(r#"{{"CompanyId":1,"x":{{"\ud800":1,"b":{b}}}}}"#);
        assert!(is_same_order(&with(1), &with(1)));
        assert!(!is_same_order(&with(1), &with(2)));
    }

    #[test]
    fn a_member_in_another_case_is_part_of_the_order() {
        let with = |members: &str| format!(r#"{{"CompanyId":1{members}}}"#);
        for (one, other) in [
            (r#","notes":"a""#, ""),
            (r#","notes":null"#, ""),
            (r#","notes":null"#, r#","Notes":null"#),
            (r#","notes":"a""#, r#","Notes":"a""#),
            (r#","notes":"a","Notes":null"#, r#","notes":"a""#),
            (r#","receiptNumber":"1","ReceiptNumber":"2""#, r#","receiptNumber":"1","ReceiptNumber":"3""#),
            (r#","Notes":"a","notes":"b""#, r#","Notes":"b","notes":"a""#),
        ] {
            assert!(!is_same_order(&with(one), &with(other)), "{one} and {other}");
        }
    }

    #[test]
    fn values_are_compared_however_deep_they_are_nested() {
        let nested = |open: &str, inner: &str, close: &str, times| {
            format!(r#"{{"CompanyId":1,"x":{}{inner}{}}}"#, open.repeat(times), close.repeat(times))
        };
        for (open, close) in [("[", "]"), (r#"{"a":"#, "}")] {
            for times in [10, 63, 64, 65, 66, 67, 100_000] {
                let one = nested(open, "1", close, times);
                assert!(is_same_order(&one, &one), "{open} {times}");
                assert!(!is_same_order(&one, &nested(open, "2", close, times)), "{open} {times}");
            }
            // In a valid order, values are equal by value.
            assert!(is_same_order(&nested(open, "1", close, 64), &nested(open, "1.0", close, 64)), "{open}");
        }
    }
}
