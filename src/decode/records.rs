//! Reading the records of an order, member by member (§2).

use crate::code::Code;
use crate::json;
use crate::names;
use crate::written::{
    List, Records, WrittenDiscount, WrittenDiscountEntry, WrittenItem, WrittenOrder, WrittenSource,
    WrittenTax,
};

use super::Name::{Known, Unknown};
use super::{Decoder, Reading};

impl<'a> Decoder<'_, 'a> {
    pub(super) fn order(&mut self, raw: &'a str) -> Option<WrittenOrder<'a>> {
        let mut order = WrittenOrder { raw, ..WrittenOrder::default() };
        let read = self.record(raw, &names::ORDER, |decoder, name, raw| {
            let o = &mut order;
            match name {
                Known("Id") => decoder.id(&mut o.id, raw),
                Known(n @ "CompanyId") => decoder.member(&mut o.company_id, n, raw, Self::integer),
                Known(n @ "EntityId") => decoder.member(&mut o.entity_id, n, raw, Self::integer),
                Known(n @ "FirstName") => decoder.nullable(&mut o.first_name, n, raw, Self::text),
                Known(n @ "LastName") => decoder.nullable(&mut o.last_name, n, raw, Self::text),
                Known(n @ "CustomerId") => decoder.nullable(&mut o.customer_id, n, raw, Self::guid),
                Known(n @ "OrderNumber") => decoder.member(&mut o.order_number, n, raw, Self::text),
                Known(n @ "IntegratorId") => decoder.member(&mut o.integrator_id, n, raw, Self::guid),
                Known(n @ "Items") => decoder.member(&mut o.items, n, raw, Self::items),
                Known(n @ "Discount") => decoder.nullable(&mut o.discount, n, raw, Self::discount),
                Known(n @ "IsDelivery") => decoder.member(&mut o.is_delivery, n, raw, Self::boolean),
                Known(n @ "ExternalOrderId") => {
                    decoder.member(&mut o.external_order_id, n, raw, Self::text);
                }
                Known(n @ "Taxes") => decoder.nullable(&mut o.taxes, n, raw, Self::taxes),
                Known(n @ "Notes") => decoder.member(&mut o.notes, n, raw, Self::text),
                Known(n @ "TimeSlotDisplayString") => {
                    decoder.member(&mut o.time_slot_display_string, n, raw, Self::text);
                }
                Known(name) => decoder.read_only(o, name, raw),
                Unknown(name) => decoder.other(&mut o.other, &names::ORDER, name, raw),
            }
        });
        read.then_some(order)
    }

    /// The members that the service fills (§2.1 rule 4): of interest in a response only.
    fn read_only(&mut self, o: &mut WrittenOrder<'a>, name: &'static str, raw: &'a str) {
        match (self.reading, name) {
            (Reading::Input, _) => {}
            (Reading::AsItStands, _) => {
                self.issues.within(name, |issues| issues.at(raw, Code::ReadOnlyMember));
            }
            (_, "WasCreatedWithInventoryHold") => {
                self.member(&mut o.was_created_with_inventory_hold, name, raw, Self::boolean);
            }
            (_, "DateCreatedUtc") => self.member(&mut o.date_created_utc, name, raw, Self::date),
            (_, "OrderSource") => self.member(&mut o.order_source, name, raw, Self::source),
            _ => self.member(&mut o.receipt_number, name, raw, Self::text),
        }
    }

    fn source(&mut self, raw: &'a str) -> Option<WrittenSource<'a>> {
        let mut source = WrittenSource::default();
        self.record(raw, &names::SOURCE, |decoder, name, raw| match name {
            Known(n @ "Id") => decoder.member(&mut source.id, n, raw, Self::guid),
            Known(n) => decoder.member(&mut source.name, n, raw, Self::text),
            Unknown(name) => decoder.other(&mut source.other, &names::SOURCE, name, raw),
        })
        .then_some(source)
    }

    fn items(&mut self, raw: &'a str) -> Option<List<'a, WrittenItem<'a>>> {
        self.list(raw, Self::item)
    }

    pub(super) fn item(&mut self, raw: &'a str) -> Option<WrittenItem<'a>> {
        let mut item = WrittenItem::default();
        let i = &mut item;
        self.record(raw, &names::ITEM, |decoder, name, raw| match name {
            Known(n @ "Name") => decoder.member(&mut i.name, n, raw, Self::text),
            Known(n @ "CatalogItemId") => decoder.member(&mut i.catalog_item_id, n, raw, Self::guid),
            Known(n @ "Quantity") => decoder.member(&mut i.quantity, n, raw, Self::decimal),
            Known(n @ "SellAtPricePerUnit") => {
                decoder.member(&mut i.sell_at_price_per_unit, n, raw, Self::decimal);
            }
            Known(n @ "PackageId") => decoder.member(&mut i.package_id, n, raw, Self::text),
            Known(n) => decoder.member(&mut i.batch, n, raw, Self::text),
            Unknown(name) => decoder.other(&mut i.other, &names::ITEM, name, raw),
        })
        .then_some(item)
    }

    fn taxes(&mut self, raw: &'a str) -> Option<Records<List<'a, WrittenTax<'a>>>> {
        if self.opaque {
            return self.opaque_list(raw);
        }
        self.list(raw, Self::tax).map(Records::Read)
    }

    fn tax(&mut self, raw: &'a str) -> Option<WrittenTax<'a>> {
        let mut tax = WrittenTax::default();
        self.record(raw, &names::TAX, |decoder, name, raw| match name {
            Known(n @ "TaxId") => decoder.member(&mut tax.tax_id, n, raw, Self::guid),
            Known(n) => decoder.member(&mut tax.tax_amount, n, raw, Self::decimal),
            Unknown(name) => decoder.other(&mut tax.other, &names::TAX, name, raw),
        })
        .then_some(tax)
    }

    fn discount(&mut self, raw: &'a str) -> Option<Records<WrittenDiscount<'a>>> {
        if self.opaque {
            let object = json::is_object(raw);
            if !object {
                self.say(raw, Code::NotAnObject);
            }
            return (object && self.passes(raw)).then_some(Records::Opaque(1));
        }
        let mut discount = WrittenDiscount::default();
        self.record(raw, &names::DISCOUNT, |decoder, name, raw| match name {
            Known(n) => decoder.nullable(&mut discount.invoice_level, n, raw, Self::entries),
            Unknown(name) => decoder.other(&mut discount.other, &names::DISCOUNT, name, raw),
        })
        .then_some(Records::Read(discount))
    }

    fn entries(&mut self, raw: &'a str) -> Option<List<'a, WrittenDiscountEntry<'a>>> {
        self.list(raw, Self::entry)
    }

    fn entry(&mut self, raw: &'a str) -> Option<WrittenDiscountEntry<'a>> {
        let mut entry = WrittenDiscountEntry::default();
        let e = &mut entry;
        self.record(raw, &names::DISCOUNT_ENTRY, |decoder, name, raw| match name {
            Known(n @ "Name") => decoder.member(&mut e.name, n, raw, Self::text),
            Known(n @ "Value") => decoder.member(&mut e.value, n, raw, Self::decimal),
            Known(n) => decoder.member(&mut e.value_type, n, raw, Self::value_type),
            Unknown(name) => decoder.other(&mut e.other, &names::DISCOUNT_ENTRY, name, raw),
        })
        .then_some(entry)
    }
}
