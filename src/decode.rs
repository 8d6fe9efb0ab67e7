//! JSON text → order + issues: reads every member it can and never stops at the first that it can't.
//!
//! Only the types of members are checked here (§2, D1, D4, D8); whether their values make an order is for the rules.

use std::borrow::Cow;

use rust_decimal::Decimal;

use crate::code::Code;
use crate::decimal::{DecimalError, parse_decimal, significant_digits};
use crate::guid::{Guid, GuidError};
use crate::issue::{Issues, Place};
use crate::json::{self, Fault};
use crate::names::{self, Names};
use crate::response::read_date;
use crate::written::{
    List, Member, Other, Records, Text, Value, ValueType, WrittenDiscount, WrittenDiscountEntry, WrittenItem,
    WrittenOrder, WrittenSource, WrittenTax,
};

/// The longest text that is read, in bytes.
const LONGEST: usize = 1 << 25;
/// The most entries of an array that are read.
const MOST_ENTRIES: usize = 100_000;
/// The most members of a record that are read and do not belong to it.
const MOST_OTHERS: usize = 200;

/// What kind of order a text holds, and so what is an issue in it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reading {
    /// A request that is judged as it stands: read-only members are told of (D22).
    AsItStands,
    /// The input of a request: read-only members are dropped and a null Id is as good as none (D3, D22).
    Input,
    /// What a service answered, read with tolerance (D26).
    Response,
}

/// Reads an order; nothing where the text is none at all.
pub(crate) fn read_order<'a>(
    text: &'a str,
    reading: Reading,
    opaque: bool,
    issues: &mut Issues<'a>,
) -> Option<WrittenOrder<'a>> {
    if text.len() > LONGEST {
        issues.at(text, Code::TooLarge);
        return None;
    }
    match json::document(text) {
        Ok(raw) => Decoder { reading, opaque, issues }.order(raw),
        // A response that is no JSON is told of by its reader, whatever it is instead.
        Err(_) if reading == Reading::Response => None,
        Err(error) => {
            issues.at_with_detail(text, Code::NotJson, &error.to_string());
            None
        }
    }
}

struct Decoder<'i, 'a> {
    reading: Reading,
    opaque: bool,
    issues: &'i mut Issues<'a>,
}

impl<'a> Decoder<'_, 'a> {
    fn order(&mut self, raw: &'a str) -> Option<WrittenOrder<'a>> {
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

    fn item(&mut self, raw: &'a str) -> Option<WrittenItem<'a>> {
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

    /// Reads the members of a record; false where the value is none.
    fn record(
        &mut self,
        raw: &'a str,
        names: &Names,
        mut each: impl FnMut(&mut Self, Name<'a>, &'a str),
    ) -> bool {
        if !json::is_object(raw) || json::fault(raw).is_some() {
            self.say(raw, if raw == "null" { Code::NullNotAllowed } else { Code::NotAnObject });
            return false;
        }
        let any_case = self.reading == Reading::Response;
        let read = json::members(raw, &mut |name, raw| {
            let name = names.find(&name, any_case).map_or(Unknown(name), Known);
            each(self, name, raw);
        });
        if read.is_err() {
            // All else was checked with the document as a whole: a name is not Unicode.
            self.say(raw, Code::TextNotUnicode);
        }
        read.is_ok()
    }

    fn list<T>(
        &mut self,
        raw: &'a str,
        mut read: impl FnMut(&mut Self, &'a str) -> Option<T>,
    ) -> Option<List<'a, T>> {
        if !json::is_array(raw) {
            self.say(raw, Code::NotAnArray);
            return None;
        }
        let mut list = Vec::new();
        let mut index = 0;
        let result = json::elements(raw, &mut |raw| {
            if index < MOST_ENTRIES {
                let value = self.within(Place::Index(index), |decoder| read(decoder, raw));
                list.push(Member { raw, value: value.map_or(Value::Unreadable, Value::Is) });
            }
            index += 1;
        });
        if index > MOST_ENTRIES {
            self.say(raw, Code::TooManyEntries);
        }
        result.is_ok().then_some(list)
    }

    fn opaque_list<T>(&mut self, raw: &'a str) -> Option<Records<T>> {
        if !json::is_array(raw) {
            self.say(raw, Code::NotAnArray);
            return None;
        }
        let mut count = 0;
        let counted = json::elements(raw, &mut |_| count += 1).is_ok();
        (counted && self.passes(raw)).then_some(Records::Opaque(count))
    }

    fn member<T>(
        &mut self,
        member: &mut Member<'a, T>,
        name: &'static str,
        raw: &'a str,
        read: fn(&mut Self, &'a str) -> Option<T>,
    ) {
        self.read_member(member, name, raw, false, read);
    }

    fn nullable<T>(
        &mut self,
        member: &mut Member<'a, T>,
        name: &'static str,
        raw: &'a str,
        read: fn(&mut Self, &'a str) -> Option<T>,
    ) {
        self.read_member(member, name, raw, true, read);
    }

    /// A null Id of an input is as good as none: one will be minted (D3).
    fn id(&mut self, member: &mut Member<'a, Guid>, raw: &'a str) {
        self.read_member(member, "Id", raw, self.reading == Reading::Input, Self::guid);
    }

    fn read_member<T>(
        &mut self,
        member: &mut Member<'a, T>,
        name: &'static str,
        raw: &'a str,
        nullable: bool,
        read: fn(&mut Self, &'a str) -> Option<T>,
    ) {
        self.within(name, |decoder| {
            let response = decoder.reading == Reading::Response;
            if !member.is_absent() {
                let twice = if response { Code::MemberRepeated } else { Code::DuplicateMember };
                decoder.say(raw, twice);
                return;
            }
            member.value = if raw != "null" {
                read(decoder, raw).map_or(Value::Unreadable, Value::Is)
            } else if response {
                // Null is as good as absent (D26).
                return;
            } else {
                if !nullable {
                    decoder.say(raw, Code::NullNotAllowed);
                }
                Value::Null
            };
            member.raw = raw;
        });
    }

    /// A member that the record does not have is kept (D10, D13, D25).
    fn other(&mut self, others: &mut Vec<Other<'a>>, names: &Names, name: Text<'a>, raw: &'a str) {
        if others.len() >= MOST_OTHERS {
            if others.len() == MOST_OTHERS {
                others.push(Other { name, raw });
                self.say(raw, Code::TooManyMembers);
            }
            return;
        }
        let twice = others.iter().any(|other| other.name == name);
        self.within(Place::Member(name.clone()), |decoder| {
            if decoder.reading == Reading::Response {
                if twice {
                    decoder.say(raw, Code::MemberRepeated);
                }
                return;
            }
            if twice {
                decoder.say(raw, Code::DuplicateMember);
            } else if names.is_line_level(&name) {
                decoder.say(raw, Code::LineLevelPricing);
            } else if let Some(hint) = names.unknown_member_hint(&name) {
                decoder.issues.at_with_hint(raw, Code::UnknownMember, hint);
            }
            decoder.passes(raw);
        });
        if !twice {
            others.push(Other { name, raw });
        }
    }

    /// Whether a value that is passed on unread can be; says so where it can't.
    fn passes(&mut self, raw: &'a str) -> bool {
        let fault = json::inspect(raw);
        if let Some(fault) = fault {
            self.issues.at(raw, fault_code(fault));
        }
        fault.is_none()
    }

    fn guid(&mut self, raw: &'a str) -> Option<Guid> {
        let text = if json::is_text(raw) { self.text(raw)? } else { Cow::Borrowed("") };
        match Guid::parse(&text) {
            Ok(guid) => Some(guid),
            Err(GuidError::AllZero) => self.wrong(raw, Code::GuidAllZero),
            Err(GuidError::Form) => self.wrong(raw, Code::NotAGuid),
        }
    }

    fn integer(&mut self, raw: &'a str) -> Option<u32> {
        let digits = raw.strip_prefix('-').unwrap_or(raw);
        if digits.is_empty() || !digits.bytes().all(|digit| digit.is_ascii_digit()) {
            return self.wrong(raw, Code::NotAnInteger);
        }
        match raw.parse() {
            Ok(value @ 1..=0x7FFF_FFFF) => Some(value),
            _ => self.wrong(raw, Code::IntegerOutOfRange),
        }
    }

    fn boolean(&mut self, raw: &'a str) -> Option<bool> {
        match raw {
            "true" => Some(true),
            "false" => Some(false),
            _ => self.wrong(raw, Code::NotABoolean),
        }
    }

    fn text(&mut self, raw: &'a str) -> Option<Text<'a>> {
        if !json::is_text(raw) {
            return self.wrong(raw, Code::NotText);
        }
        let text = json::text(raw);
        text.or_else(|| self.wrong(raw, Code::TextNotUnicode))
    }

    fn date(&mut self, raw: &'a str) -> Option<Text<'a>> {
        let text = self.text(raw)?;
        match read_date(text) {
            Some((date, true)) => Some(date),
            Some((date, false)) => {
                self.issues.at(raw, Code::DateWithoutOffset);
                Some(date)
            }
            None => self.wrong(raw, Code::MemberNotReadable),
        }
    }

    fn decimal(&mut self, raw: &'a str) -> Option<Decimal> {
        let number = json::is_number(raw);
        let digits = match json::text(raw) {
            _ if number => Cow::Borrowed(raw),
            Some(text) if json::is_text(raw) => text,
            _ => return self.wrong(raw, Code::NotADecimal),
        };
        match parse_decimal(&digits) {
            Ok(value) => {
                // Shortest texts of doubles have at most 17 digits; text was written by somebody who meant it (D8).
                if number
                    && raw.len() > 15
                    && significant_digits(&value) > 15
                    && self.reading != Reading::Response
                {
                    self.issues.at(raw, Code::DecimalFromFloat);
                }
                Some(value)
            }
            Err(DecimalError::Range) => self.wrong(raw, Code::DecimalOutOfRange),
            Err(DecimalError::Form) => self.wrong(raw, Code::NotADecimal),
        }
    }

    fn value_type(&mut self, raw: &'a str) -> Option<ValueType> {
        if json::is_number(raw) {
            return self.decimal(raw).map(ValueType::Number);
        }
        if json::is_text(raw) {
            return self.text(raw).map(|text| ValueType::Text(text.into_owned()));
        }
        self.wrong(raw, Code::NotNumberOrText)
    }

    /// Says what is wrong with the value here, which reads as nothing.
    fn wrong<T>(&mut self, raw: &'a str, code: Code) -> Option<T> {
        self.say(raw, code);
        None
    }

    fn say(&mut self, raw: &'a str, code: Code) {
        let code = match (self.reading, json::fault(raw)) {
            (Reading::Response, _) if code != Code::MemberRepeated => Code::MemberNotReadable,
            (_, Some(fault)) => fault_code(fault),
            _ => code,
        };
        self.issues.at(raw, code);
    }

    fn within<T>(&mut self, place: impl Into<Place<'a>>, body: impl FnOnce(&mut Self) -> T) -> T {
        self.issues.enter(place);
        let result = body(self);
        self.issues.leave();
        result
    }
}

/// The name of a member: one that the record has, or another.
enum Name<'a> {
    Known(&'static str),
    Unknown(Text<'a>),
}
use Name::{Known, Unknown};

fn fault_code(fault: Fault) -> Code {
    match fault {
        Fault::NotFinite => Code::NotFinite,
        Fault::NotJson => Code::NotAJsonValue,
        Fault::TooDeep => Code::TooDeep,
        Fault::TooLarge => Code::TooLarge,
        Fault::NotUnicode => Code::TextNotUnicode,
    }
}
