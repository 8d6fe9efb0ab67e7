//! The PUT as a value: version, path, headers and body (§4, D38, D39).

use crate::decimal::push_plain;
use crate::guid::Guid;
use crate::issue::Issue;
use crate::options::Version;
use crate::written::{
    List, Member, Other, Records, Text, Value, WrittenDiscount, WrittenDiscountEntry, WrittenItem,
    WrittenOrder, WrittenSource, WrittenTax,
};
use rust_decimal::Decimal;

/// The headers of every request besides Authorization and Host (§4, D39).
pub const HEADERS: [(&str, &str); 2] = [("Accept", "application/json"), ("Content-Type", "application/json")];

/// A request that is ready to send: add the base URL and the Authorization header.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PreparedRequest {
    /// The operation.
    pub version: Version,
    /// The id in path and body.
    pub order_id: Guid,
    /// The path relative to the base URL, such as `v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)`.
    pub path: String,
    /// The body, every decimal in plain notation with the digits it was given with (D8).
    pub body: String,
    /// Warnings and notices; an order with an error is not prepared.
    pub issues: Vec<Issue>,
}

impl PreparedRequest {
    /// The method: the caller makes the identifier, and the order is created at it (§1).
    pub const METHOD: &'static str = "PUT";
}

/// The path of an order relative to the base URL: the id in the D form, no quotes, nothing escaped (§4, D38).
///
/// ```
/// use sales_order_intake::{Version, request_path};
///
/// let id = "2A8F5D33EEC948648B495636577B40D5".parse()?;
/// assert_eq!(request_path(Version::V3, id), "v3/ServiceOrder(2a8f5d33-eec9-4864-8b49-5636577b40d5)");
/// # Ok::<(), sales_order_intake::GuidError>(())
/// ```
#[must_use]
pub fn request_path(version: Version, order_id: Guid) -> String {
    let mut path = String::with_capacity(55);
    path.push_str(version.name());
    path.push_str("/ServiceOrder(");
    order_id.push_to(&mut path);
    path.push(')');
    path
}

/// What an order is printed for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Form {
    /// The wire: decimals are numbers.
    Body,
    /// A program: decimals are text, since a number would lose digits there.
    Value,
}

/// Prints an order in the order of §2.1, without white space; what is canonical already is copied.
pub(crate) fn print(order: &WrittenOrder<'_>, id: Option<Guid>, form: Form) -> String {
    let mut out = Printer { out: String::with_capacity(order.raw.len() + 64), form };
    out.record(&order.other, |out| {
        match id {
            Some(id) => out.name_and("Id", |out| out.guid(id)),
            None => out.member("Id", &order.id, |out, id| out.guid(*id)),
        }
        out.raw("CompanyId", &order.company_id);
        out.raw("EntityId", &order.entity_id);
        out.raw("WasCreatedWithInventoryHold", &order.was_created_with_inventory_hold);
        out.raw("FirstName", &order.first_name);
        out.raw("LastName", &order.last_name);
        out.member("CustomerId", &order.customer_id, |out, id| out.guid(*id));
        out.member("DateCreatedUtc", &order.date_created_utc, Printer::text);
        out.member("OrderSource", &order.order_source, Printer::source);
        out.raw("OrderNumber", &order.order_number);
        out.member("IntegratorId", &order.integrator_id, |out, id| out.guid(*id));
        out.member("Items", &order.items, |out, items| out.list(items, Printer::item));
        out.records("Discount", &order.discount, Printer::discount);
        out.raw("IsDelivery", &order.is_delivery);
        out.raw("ReceiptNumber", &order.receipt_number);
        out.raw("ExternalOrderId", &order.external_order_id);
        out.records("Taxes", &order.taxes, |out, taxes| out.list(taxes, Printer::tax));
        out.raw("Notes", &order.notes);
        out.raw("TimeSlotDisplayString", &order.time_slot_display_string);
    });
    out.out
}

struct Printer {
    out: String,
    form: Form,
}

impl Printer {
    fn record(&mut self, other: &[Other<'_>], members: impl FnOnce(&mut Self)) {
        self.out.push('{');
        members(self);
        for other in other {
            self.comma();
            // A name that has no escapes was borrowed from the text; serde_json prints either.
            self.out.push_str(&serde_json::to_string(&other.name).unwrap_or_default());
            self.out.push(':');
            self.out.push_str(other.raw);
        }
        self.out.push('}');
    }

    fn name_and(&mut self, name: &'static str, value: impl FnOnce(&mut Self)) {
        self.comma();
        self.out.push('"');
        self.out.push_str(name);
        self.out.push_str("\":");
        value(self);
    }

    /// Between members and between elements, not before the first.
    fn comma(&mut self) {
        if !self.out.ends_with(['{', '[']) {
            self.out.push(',');
        }
    }

    fn member<T>(&mut self, name: &'static str, member: &Member<'_, T>, print: impl FnOnce(&mut Self, &T)) {
        if !member.is_absent() {
            self.name_and(name, |out| out.value(&member.value, print));
        }
    }

    fn value<T>(&mut self, value: &Value<T>, print: impl FnOnce(&mut Self, &T)) {
        match value {
            Value::Is(value) => print(self, value),
            _ => self.out.push_str("null"),
        }
    }

    /// A member whose text is canonical as it was written: text, integers, booleans.
    fn raw<T>(&mut self, name: &'static str, member: &Member<'_, T>) {
        self.member(name, member, |out, _| out.out.push_str(member.raw));
    }

    fn guid(&mut self, guid: Guid) {
        self.out.push('"');
        guid.push_to(&mut self.out);
        self.out.push('"');
    }

    fn text(&mut self, text: &Text<'_>) {
        self.out.push_str(&serde_json::to_string(text).unwrap_or_default());
    }

    fn decimal(&mut self, name: &'static str, member: &Member<'_, Decimal>) {
        self.member(name, member, |out, value| {
            let quotes = out.form == Form::Value;
            if quotes {
                out.out.push('"');
            }
            let digits = member.raw.trim_matches('"');
            if digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.') {
                out.out.push_str(digits);
            } else {
                push_plain(&mut out.out, value);
            }
            if quotes {
                out.out.push('"');
            }
        });
    }

    fn list<T>(&mut self, list: &List<'_, T>, mut print: impl FnMut(&mut Self, &T)) {
        self.out.push('[');
        for entry in list {
            self.comma();
            self.value(&entry.value, &mut print);
        }
        self.out.push(']');
    }

    /// Records that were not read are passed on as they are.
    fn records<T>(
        &mut self,
        name: &'static str,
        member: &Member<'_, Records<T>>,
        print: impl FnOnce(&mut Self, &T),
    ) {
        self.member(name, member, |out, records| match records {
            Records::Read(records) => print(out, records),
            Records::Opaque(_) => out.out.push_str(member.raw),
        });
    }

    fn source(&mut self, source: &WrittenSource<'_>) {
        self.record(&source.other, |out| {
            out.member("Id", &source.id, |out, id| out.guid(*id));
            out.raw("Name", &source.name);
        });
    }

    fn item(&mut self, item: &WrittenItem<'_>) {
        self.record(&item.other, |out| {
            out.raw("Name", &item.name);
            out.member("CatalogItemId", &item.catalog_item_id, |out, id| out.guid(*id));
            out.decimal("Quantity", &item.quantity);
            out.decimal("SellAtPricePerUnit", &item.sell_at_price_per_unit);
            out.raw("PackageId", &item.package_id);
            out.raw("Batch", &item.batch);
        });
    }

    fn discount(&mut self, discount: &WrittenDiscount<'_>) {
        self.record(&discount.other, |out| {
            out.member("InvoiceLevel", &discount.invoice_level, |out, entries| {
                out.list(entries, Printer::entry);
            });
        });
    }

    fn entry(&mut self, entry: &WrittenDiscountEntry<'_>) {
        self.record(&entry.other, |out| {
            out.raw("Name", &entry.name);
            out.decimal("Value", &entry.value);
            out.raw("ValueType", &entry.value_type);
        });
    }

    fn tax(&mut self, tax: &WrittenTax<'_>) {
        self.record(&tax.other, |out| {
            out.member("TaxId", &tax.tax_id, |out, id| out.guid(*id));
            out.decimal("TaxAmount", &tax.tax_amount);
        });
    }
}
