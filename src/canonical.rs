//! A text that equal orders share (D28), and only they.
//!
//! Decimals and GUIDs are compared by value, null equals absent, read-only members are ignored, and unknown members are
//! compared as JSON values, and so are records that can't be read. The version of the operation is ignored: an id belongs
//! to one order, in v2 and v3 together.

use crate::check::{CheckedOrder, Purpose};
use crate::decimal::to_plain_string;
use crate::json::{self, Writer};
use crate::options::{Records, RuleOptions};
use crate::order::schema::Field;
use crate::parse::parse;
use crate::record::{Entry, Member, Record, RecordSet, Value};

/// Returns the canonical text of an order; `None` if an issue is an error.
///
/// Equal orders are equal whether their Discount and Taxes records were read or passed through. These are read if that gives a
/// valid order.
#[must_use]
pub fn canonical_text(order: &CheckedOrder<'_>) -> Option<String> {
    let records = order.valid_records()?;
    if order.rules.records == Records::Passthrough
        && let Some(read) =
            parse(records.root().raw()).check(Purpose::Send, &any_taxes(Records::Strict)).valid_records()
    {
        return Some(text_of(read));
    }
    Some(text_of(records))
}

/// Returns the canonical text of an order that was valid when it was stored; `None` if the JSON is not an order.
#[must_use]
pub fn canonical_text_of_stored(json: &str) -> Option<String> {
    let (read, passed) = (any_taxes(Records::Strict), any_taxes(Records::Passthrough));
    let checked = parse(json).check(Purpose::Send, &read);
    if checked.is_ok() {
        return checked.records.as_ref().map(text_of);
    }
    parse(json).check(Purpose::Send, &passed).records.as_ref().map(text_of)
}

/// Returns rules that a valid order obeys, whatever those of its integrator are.
fn any_taxes(records: Records) -> RuleOptions {
    RuleOptions { records, allow_empty_taxes: true, ..RuleOptions::default() }
}

fn text_of(records: &RecordSet<'_>) -> String {
    let order = records.root();
    let mut writer = CanonicalWriter { out: String::with_capacity(order.raw().len()) };
    writer.record(order);
    writer.out
}

/// Writes the canonical text. It is never parsed; it only has to differ if orders differ.
struct CanonicalWriter {
    out: String,
}

impl CanonicalWriter {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Writes known members in the order of the specification, then the others by name.
    fn record(&mut self, record: Record<'_, '_>) {
        self.push("{");
        for (field, member) in record.members().filter(|(field, _)| !field.is_read_only()) {
            if !matches!(member.value, Value::Absent | Value::Null) {
                self.key(field.name);
                self.value(record, field, member);
            }
        }
        let mut others: Vec<(&str, &str)> = record.others().map(|other| (&*other.name, other.raw)).collect();
        others.sort_by_key(|(name, _)| *name);
        for (name, raw) in others {
            self.key(name);
            self.json(raw);
        }
        self.push("}");
    }

    fn key(&mut self, name: &str) {
        self.push(",");
        self.string(name);
        self.push(":");
    }

    fn value(&mut self, record: Record<'_, '_>, field: &Field, member: &Member<'_>) {
        if let Some(guid) = member.guid() {
            return guid.push_to(&mut self.out);
        }
        match member.value {
            Value::Decimal(value) => self.number(&to_plain_string(&value)),
            Value::Record(_) => {
                if let Some(record) = record.record(field) {
                    self.record(record);
                }
            }
            Value::List { .. } => {
                self.push("[");
                for Entry { record, .. } in record.entries(field) {
                    self.push(",");
                    if let Some(record) = record {
                        self.record(record);
                    }
                }
                self.push("]");
            }
            _ => self.json(member.raw),
        }
    }

    fn string(&mut self, text: &str) {
        let mut writer = Writer::default();
        writer.string(text);
        self.push(&writer.into_string());
    }

    /// Writes any JSON value. The depth of the recursion is limited, because a valid order has at most 64 levels.
    fn json(&mut self, raw: &str) {
        if json::is_object(raw) {
            let mut members: Vec<(_, &str)> = Vec::new();
            // The value was parsed before, so it can be read.
            let _ = json::members(raw, &mut |name, raw| members.push((name, raw)));
            members.sort_by(|(name, _), (other, _)| name.cmp(other));
            self.push("{");
            for (name, raw) in members {
                self.key(&name);
                self.json(raw);
            }
            self.push("}");
        } else if json::is_array(raw) {
            self.push("[");
            let _ = json::elements(raw, &mut |raw| {
                self.push(",");
                self.json(raw);
            });
            self.push("]");
        } else if let Some(string) = json::string(raw) {
            self.string(&string);
        } else if json::is_number(raw) {
            self.number(raw);
        } else {
            self.push(raw);
        }
    }

    /// Writes a number by value: its digits and an exponent, without zeros at either end. `-3.50` becomes `-35e-1`, and −0 is 0.
    fn number(&mut self, raw: &str) {
        let (sign, unsigned) = raw.strip_prefix('-').map_or(("", raw), |unsigned| ("-", unsigned));
        let (mantissa, exponent) = unsigned.split_once(['e', 'E']).unwrap_or((unsigned, "0"));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = [whole, fraction].concat();
        let digits = all.trim_end_matches('0');
        if digits.is_empty() {
            return self.push("0");
        }
        self.push(sign);
        self.push(digits.trim_start_matches('0'));
        self.push("e");
        self.push(&sum(exponent, whole.len() as i128 - digits.len() as i128));
    }
}

/// Adds to an exponent of any length.
#[expect(clippy::cast_possible_truncation, reason = "the remainder is a digit")]
fn sum(exponent: &str, added: i128) -> String {
    if let Some(sum) = exponent.parse::<i128>().ok().and_then(|exponent| exponent.checked_add(added)) {
        return sum.to_string();
    }
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ("-", digits),
        None => ("", exponent.strip_prefix('+').unwrap_or(exponent)),
    };
    // What is added is shorter than the digits, so their sign stays.
    let mut carry = if sign.is_empty() { added } else { -added };
    let mut sum = Vec::with_capacity(digits.len() + 1);
    for digit in digits.bytes().rev() {
        carry += i128::from(digit - b'0');
        sum.push(char::from(b'0' + carry.rem_euclid(10) as u8));
        carry = carry.div_euclid(10);
    }
    sum.push(if carry > 0 { '1' } else { '0' });
    let digits: String = sum.into_iter().rev().collect();
    [sign, digits.trim_start_matches('0')].concat()
}

#[cfg(test)]
mod tests {
    use super::{canonical_text, canonical_text_of_stored};
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
            let checked = parse(json).check(Purpose::Send, &rules);
            assert_eq!(canonical_text(&checked).unwrap(), text_of(json), "{records}");
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
}
