//! What makes two orders the same (D28): a text that equal orders share, and its hash.
//!
//! Decimals and GUIDs count by value, null is as good as absent, read-only members do not count, and members that an
//! order does not have are compared as JSON values. The version is no part of it: one id is one order across both.

use rust_decimal::Decimal;
use sha2::{Digest, Sha256};

use crate::decimal::{parse_decimal, push_plain};
use crate::guid::Guid;
use crate::json;
use crate::written::{
    List, Member, Other, Records, ValueType, WrittenDiscount, WrittenDiscountEntry, WrittenItem,
    WrittenOrder, WrittenTax,
};

/// The SHA-256 of what counts in an order.
pub(super) fn digest(order: &WrittenOrder<'_>) -> [u8; 32] {
    Sha256::digest(text(order).as_bytes()).into()
}

fn text(order: &WrittenOrder<'_>) -> String {
    let mut out = Canonical { out: String::with_capacity(order.raw.len()) };
    out.record(&order.other, |out| {
        out.member("Id", &order.id, |out, id| out.guid(*id));
        out.member("CompanyId", &order.company_id, |out, id| out.push(&id.to_string()));
        out.member("EntityId", &order.entity_id, |out, id| out.push(&id.to_string()));
        out.member("FirstName", &order.first_name, |out, text| out.text(text));
        out.member("LastName", &order.last_name, |out, text| out.text(text));
        out.member("CustomerId", &order.customer_id, |out, id| out.guid(*id));
        out.member("OrderNumber", &order.order_number, |out, text| out.text(text));
        out.member("IntegratorId", &order.integrator_id, |out, id| out.guid(*id));
        out.member("Items", &order.items, |out, items| out.list(items, Canonical::item));
        out.records("Discount", &order.discount, Canonical::discount);
        out.member("IsDelivery", &order.is_delivery, |out, is| out.push(&is.to_string()));
        out.member("ExternalOrderId", &order.external_order_id, |out, text| out.text(text));
        out.records("Taxes", &order.taxes, |out, taxes| out.list(taxes, Canonical::tax));
        out.member("Notes", &order.notes, |out, text| out.text(text));
        out.member("TimeSlotDisplayString", &order.time_slot_display_string, |out, text| out.text(text));
    });
    out.out
}

struct Canonical {
    out: String,
}

impl Canonical {
    fn push(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// Known members in the order they are written here, then the others by name.
    fn record(&mut self, others: &[Other<'_>], known: impl FnOnce(&mut Self)) {
        self.push("{");
        known(self);
        let mut others: Vec<_> = others.iter().map(|other| (&*other.name, other.raw)).collect();
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

    fn member<T>(&mut self, name: &str, member: &Member<'_, T>, write: impl FnOnce(&mut Self, &T)) {
        if let Some(value) = member.get() {
            self.name(name);
            write(self, value);
        }
    }

    fn records<T>(&mut self, name: &str, member: &Member<'_, Records<T>>, write: impl FnOnce(&mut Self, &T)) {
        self.member(name, member, |out, records| match records {
            Records::Read(records) => write(out, records),
            Records::Opaque(_) => out.json(member.raw),
        });
    }

    fn list<T>(&mut self, list: &List<'_, T>, mut write: impl FnMut(&mut Self, &T)) {
        self.push("[");
        for entry in list {
            self.push(",");
            if let Some(entry) = entry.get() {
                write(self, entry);
            }
        }
        self.push("]");
    }

    fn item(&mut self, item: &WrittenItem<'_>) {
        self.record(&item.other, |out| {
            out.member("Name", &item.name, |out, text| out.text(text));
            out.member("CatalogItemId", &item.catalog_item_id, |out, id| out.guid(*id));
            out.member("Quantity", &item.quantity, Self::decimal);
            out.member("SellAtPricePerUnit", &item.sell_at_price_per_unit, Self::decimal);
            out.member("PackageId", &item.package_id, |out, text| out.text(text));
            out.member("Batch", &item.batch, |out, text| out.text(text));
        });
    }

    fn discount(&mut self, discount: &WrittenDiscount<'_>) {
        self.record(&discount.other, |out| {
            out.member("InvoiceLevel", &discount.invoice_level, |out, entries| {
                out.list(entries, Self::entry);
            });
        });
    }

    fn entry(&mut self, entry: &WrittenDiscountEntry<'_>) {
        self.record(&entry.other, |out| {
            out.member("Name", &entry.name, |out, text| out.text(text));
            out.member("Value", &entry.value, Self::decimal);
            out.member("ValueType", &entry.value_type, |out, value_type| match value_type {
                ValueType::Number(number) => out.decimal(number),
                ValueType::Text(text) => out.text(text),
            });
        });
    }

    fn tax(&mut self, tax: &WrittenTax<'_>) {
        self.record(&tax.other, |out| {
            out.member("TaxId", &tax.tax_id, |out, id| out.guid(*id));
            out.member("TaxAmount", &tax.tax_amount, Self::decimal);
        });
    }

    fn guid(&mut self, guid: Guid) {
        guid.push_to(&mut self.out);
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
