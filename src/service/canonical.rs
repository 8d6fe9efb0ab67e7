//! What makes two orders the same (D28): a text that equal orders share, and its hash.
//!
//! Decimals and GUIDs count by value, null is as good as absent, read-only members do not count, and members that an
//! order does not have are compared as JSON values. The version is no part of it: one id is one order across both.

use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use crate::decimal::{parse_decimal, push_plain};
use crate::json;
use crate::shape::Kind;
use crate::written::{Entry, Member, Record, Value, WrittenOrder};

/// The SHA-256 of what counts in an order.
pub(super) fn digest(order: &WrittenOrder<'_>) -> [u8; 32] {
    Sha256::digest(text(order).as_bytes()).into()
}

fn text(order: &WrittenOrder<'_>) -> String {
    let mut out = Canonical { out: String::with_capacity(order.root().raw().len()), order };
    out.record(order.root());
    out.out
}

struct Canonical<'w, 'a> {
    out: String,
    order: &'w WrittenOrder<'a>,
}

impl<'a> Canonical<'_, 'a> {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Known members in the order of the specification, then the others by name.
    fn record(&mut self, record: Record<'_, 'a>) {
        self.push("{");
        for (shape, member) in record.members().filter(|(shape, _)| !shape.read_only) {
            if !matches!(member.value, Value::Absent | Value::Null | Value::Unreadable) {
                self.name(shape.name);
                self.value(shape.kind, member);
            }
        }
        let mut others: Vec<_> = record.others().map(|other| (&*other.name, other.raw)).collect();
        others.sort_by_key(|(name, _)| *name);
        for (name, raw) in others {
            self.name(name);
            self.json(raw);
        }
        self.push("}");
    }

    /// Every name ends its member before: the text is never parsed, it only has to differ where orders do.
    fn name(&mut self, name: &str) {
        self.push(",");
        self.text(name);
        self.push(":");
    }

    fn value(&mut self, kind: Kind, member: &Member<'a>) {
        match (member.value, kind) {
            (Value::Guid(guid), _) => guid.push_to(&mut self.out),
            (Value::Decimal(value), _) => self.decimal(&value),
            (Value::Record(_), Kind::Record(shape)) => {
                if let Some(record) = self.order.record(member, shape) {
                    self.record(record);
                }
            }
            (Value::List { .. }, Kind::List(shape)) => {
                self.push("[");
                for Entry { record, .. } in self.order.entries(member, shape) {
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

    /// By value: `3.50` is `3.5`, and no zero is negative.
    fn decimal(&mut self, value: &Decimal) {
        let value = value.normalize();
        push_plain(&mut self.out, if value.is_zero() { &Decimal::ZERO } else { &value });
    }

    fn text(&mut self, text: &str) {
        self.push(&serde_json::to_string(text).unwrap_or_default());
    }

    /// A value that no record has a member for; reading has seen to it that it is at most 64 levels deep.
    fn json(&mut self, raw: &str) {
        if json::is_object(raw) {
            let mut members = Vec::new();
            // It was read once already, so it can be read.
            let _ = json::members(raw, &mut |name, raw| members.push((name, raw)));
            members.sort_by(|(name, _), (other, _)| name.cmp(other));
            self.push("{");
            for (name, raw) in members {
                self.name(&name);
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
        } else if json::is_text(raw) {
            let text = json::text(raw).unwrap_or_default();
            self.text(&text);
        } else {
            // A number that is no decimal is the same where its digits are.
            match parse_decimal(raw) {
                Ok(value) => self.decimal(&value),
                Err(_) => self.push(raw),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::digest;
    use crate::decode::{Reading, read_order};
    use crate::issue::Issues;

    const ORDER: &str = r#"{
        "Id": "2a8f5d33-eec9-4864-8b49-5636577b40d5", "CompanyId": 1501, "EntityId": 2301,
        "IntegratorId": "7c9e6679-7425-40de-944b-e07fc1f90ae7", "Notes": "Ring twice", "Extra": { "a": 1, "b": [2, "x"] },
        "Items": [{ "CatalogItemId": "c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e", "Quantity": 3.5, "SellAtPricePerUnit": 10 }],
        "Discount": { "InvoiceLevel": [{ "Name": "Member", "Value": 10, "ValueType": 2 }] },
        "Taxes": [{ "TaxId": "e5c3d2b0-8d74-4f3a-9069-3b4c5d6e7f80", "TaxAmount": 2.66 }]
    }"#;

    fn digest_of(text: &str) -> [u8; 32] {
        let mut issues = Issues::new(text);
        digest(&read_order(text, Reading::Input, false, &mut issues).unwrap())
    }

    fn with(from: &str, to: &str) -> [u8; 32] {
        assert!(ORDER.contains(from), "{from}");
        digest_of(&ORDER.replacen(from, to, 1))
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
            assert_eq!(with(from, to), digest_of(ORDER), "{from} as {to}");
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
            assert_ne!(with(from, to), digest_of(ORDER), "{from} as {to}");
        }
    }
}
