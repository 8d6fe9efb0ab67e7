//! What makes an order valid: one function a rule, in the order of the decisions.
//!
//! | Rule | Source |
//! |---|---|
//! | [`order_id`] | §4 rules 1 and 2, D3 |
//! | [`company_and_location`] | §2.1, D4 |
//! | [`integrator`] | §2.1, §4 rule 3 |
//! | [`items`], [`item_members`], [`item_name`] | §2.1 rule 1, D5 |
//! | [`quantity`] | D6 |
//! | [`price`] | D7 |
//! | [`taxes`], [`tax`] | §2.1 rule 2, D9, D10 |
//! | [`discount`], [`discount_entry`] | D13, D14 |
//! | [`customer_pricing`] | §4, D20 |
//! | [`location_tax_pricing`] | §1, D21 |
//! | [`unused_members`] | §2.1, D23 |
//! | [`texts`] | §2.1, D24 |
//!
//! The types of members (D1, D4, D8), read-only members (D22) and unknown members (D25) are seen while reading.

use std::collections::HashSet;

use rust_decimal::Decimal;

use crate::code::Code;
use crate::issue::{Issues, Place};
use crate::names::{self, Names};
use crate::options::{RuleOptions, TaxPricing, Version};
use crate::written::{
    Member, Other, Records, Text, WrittenDiscountEntry, WrittenItem, WrittenOrder, WrittenTax,
};

/// Holds an order against every rule.
pub(crate) fn check<'a>(
    order: &WrittenOrder<'a>,
    options: &RuleOptions,
    id_is_given: bool,
    issues: &mut Issues<'a>,
) {
    order_id(order, options, id_is_given, issues);
    company_and_location(order, issues);
    integrator(order, issues);
    items(order, issues);
    taxes(order, options, issues);
    discount(order, issues);
    customer_pricing(order, options, issues);
    location_tax_pricing(order, options, issues);
    unused_members(order, issues);
    texts(order, issues);
}

/// The caller makes the id, and it is the one in the path (§4 rules 1 and 2, D3).
fn order_id<'a>(order: &WrittenOrder<'a>, options: &RuleOptions, is_given: bool, issues: &mut Issues<'a>) {
    if !is_given {
        required(&order.id, "Id", order.raw, &names::ORDER, &order.other, issues);
    }
    if let (Some(id), Some(path_id)) = (order.id.get(), options.order_id)
        && *id != path_id
    {
        issues.within("Id", |issues| issues.at(order.id.raw, Code::OrderIdMismatch));
    }
}

/// The order is made at a location of a company (§2.1, D4).
fn company_and_location<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    required(&order.company_id, "CompanyId", order.raw, &names::ORDER, &order.other, issues);
    required(&order.entity_id, "EntityId", order.raw, &names::ORDER, &order.other, issues);
}

/// The integrator is the source of the order (§2.1, §4 rule 3).
fn integrator<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    required(&order.integrator_id, "IntegratorId", order.raw, &names::ORDER, &order.other, issues);
}

/// At least one item (§2.1 rule 1, §4 rule 4).
fn items<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    required(&order.items, "Items", order.raw, &names::ORDER, &order.other, issues);
    let Some(items) = order.items.get() else { return };
    issues.within("Items", |issues| {
        if items.is_empty() {
            issues.at(order.items.raw, Code::ItemsEmpty);
        }
        for (index, item) in items.iter().enumerate() {
            self::item(index, item, issues);
        }
    });
}

/// The rules of one item; the list is what the issues stand in.
pub(crate) fn item<'a>(index: usize, item: &Member<'a, WrittenItem<'a>>, issues: &mut Issues<'a>) {
    let Some(fields) = item.get() else { return };
    issues.within(Place::Index(index), |issues| {
        item_members(fields, item.raw, issues);
        item_name(fields, item.raw, issues);
        quantity(fields, issues);
        price(fields, issues);
    });
}

/// What is sold, how much of it, for how much (D5).
fn item_members<'a>(item: &WrittenItem<'a>, raw: &'a str, issues: &mut Issues<'a>) {
    let (names, other) = (&names::ITEM, &item.other);
    required(&item.catalog_item_id, "CatalogItemId", raw, names, other, issues);
    required(&item.quantity, "Quantity", raw, names, other, issues);
    required(&item.sell_at_price_per_unit, "SellAtPricePerUnit", raw, names, other, issues);
}

/// A cashier wants a name, and a brief one (D5, D24).
fn item_name<'a>(item: &WrittenItem<'a>, raw: &'a str, issues: &mut Issues<'a>) {
    if item.name.is_absent() {
        let hint = misspelt("Name", &names::ITEM, &item.other);
        issues.missing(raw, "Name", Code::ItemNameMissing, hint);
    } else if item.name.get().is_some_and(|name| name.trim().is_empty()) {
        issues.within("Name", |issues| issues.at(item.name.raw, Code::ItemNameMissing));
    }
    displayed(&item.name, "Name", 100, issues);
}

/// Counts and grams are positive; a milligram is finer than scales are (D6).
fn quantity<'a>(item: &WrittenItem<'a>, issues: &mut Issues<'a>) {
    let Some(quantity) = item.quantity.get() else { return };
    issues.within("Quantity", |issues| {
        if *quantity <= Decimal::ZERO {
            issues.at(item.quantity.raw, Code::QuantityNotPositive);
        }
        if quantity.scale() > 3 {
            issues.at(item.quantity.raw, Code::QuantityFractionDigits);
        }
    });
}

/// Prices are not negative, rarely zero, and rarely have half cents (D7).
fn price<'a>(item: &WrittenItem<'a>, issues: &mut Issues<'a>) {
    let member = &item.sell_at_price_per_unit;
    let Some(price) = member.get() else { return };
    issues.within("SellAtPricePerUnit", |issues| {
        if *price < Decimal::ZERO {
            issues.at(member.raw, Code::PriceNegative);
        }
        if price.is_zero() {
            issues.at(member.raw, Code::PriceZero);
        }
        if price.scale() > 2 {
            issues.at(member.raw, Code::PriceFractionDigits);
        }
    });
}

/// An empty list of taxes is an override to nothing, so somebody must mean it (§2.1 rule 2, D9).
fn taxes<'a>(order: &WrittenOrder<'a>, options: &RuleOptions, issues: &mut Issues<'a>) {
    let Some(taxes) = order.taxes.get() else { return };
    let empty = match taxes {
        Records::Read(taxes) => taxes.is_empty(),
        Records::Opaque(count) => *count == 0,
    };
    issues.within("Taxes", |issues| {
        if empty && !options.allow_empty_taxes {
            issues.at(order.taxes.raw, Code::TaxesEmpty);
        }
        let mut seen = HashSet::new();
        for (index, tax) in taxes.read().into_iter().flatten().enumerate() {
            if let Some(fields) = tax.get() {
                issues.within(Place::Index(index), |issues| {
                    self::tax(fields, tax.raw, issues);
                    if fields.tax_id.get().is_some_and(|id| !seen.insert(*id)) {
                        issues.within("TaxId", |issues| {
                            issues.at(fields.tax_id.raw, Code::TaxIdRepeated);
                        });
                    }
                });
            }
        }
    });
}

/// Which tax, and how much of it in the currency (D10).
fn tax<'a>(tax: &WrittenTax<'a>, raw: &'a str, issues: &mut Issues<'a>) {
    required(&tax.tax_id, "TaxId", raw, &names::TAX, &tax.other, issues);
    required(&tax.tax_amount, "TaxAmount", raw, &names::TAX, &tax.other, issues);
    if tax.tax_amount.get().is_some_and(|amount| *amount < Decimal::ZERO) {
        issues.within("TaxAmount", |issues| {
            issues.at(tax.tax_amount.raw, Code::TaxAmountNegative);
        });
    }
}

/// Invoice-level discounts as the sibling operations have them (D13).
fn discount<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    let discount = order.discount.get().and_then(Records::read);
    let Some(entries) = discount.and_then(|discount| discount.invoice_level.get()) else { return };
    issues.within("Discount", |issues| {
        issues.within("InvoiceLevel", |issues| {
            for (index, entry) in entries.iter().enumerate() {
                if let Some(fields) = entry.get() {
                    issues.within(Place::Index(index), |issues| {
                        discount_entry(fields, entry.raw, issues);
                    });
                }
            }
        });
    });
}

/// How much, and what kind of value that is; a negative discount would be a surcharge (D13, D14).
fn discount_entry<'a>(entry: &WrittenDiscountEntry<'a>, raw: &'a str, issues: &mut Issues<'a>) {
    let (names, other) = (&names::DISCOUNT_ENTRY, &entry.other);
    required(&entry.value, "Value", raw, names, other, issues);
    required(&entry.value_type, "ValueType", raw, names, other, issues);
    if entry.value.get().is_some_and(|value| *value < Decimal::ZERO) {
        issues.within("Value", |issues| issues.at(entry.value.raw, Code::DiscountValueNegative));
    }
}

/// v2 has no customer pricing; with v3 the price of the order may not be the one given here (§4, D20).
fn customer_pricing<'a>(order: &WrittenOrder<'a>, options: &RuleOptions, issues: &mut Issues<'a>) {
    if order.customer_id.get().is_some() {
        let code = match options.version {
            Version::V2 => Code::CustomerPricingUnsupported,
            Version::V3 => Code::CustomerPricingPossible,
        };
        issues.within("CustomerId", |issues| issues.at(order.customer_id.raw, code));
    }
}

/// These operations are for locations that price tax-exclusive or have no configuration (§1, D21).
fn location_tax_pricing<'a>(order: &WrittenOrder<'a>, options: &RuleOptions, issues: &mut Issues<'a>) {
    if options.location_tax_pricing != Some(TaxPricing::Inclusive) {
        return;
    }
    if order.entity_id.is_absent() {
        issues.missing(order.raw, "EntityId", Code::LocationTaxInclusive, None);
    } else {
        issues.within("EntityId", |issues| {
            issues.at(order.entity_id.raw, Code::LocationTaxInclusive);
        });
    }
}

/// OrderNumber and ExternalOrderId are sent, and lead to nothing (§2.1, D23).
fn unused_members<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    for (name, member) in
        [("OrderNumber", &order.order_number), ("ExternalOrderId", &order.external_order_id)]
    {
        if member.get().is_some() {
            issues.within(name, |issues| issues.at(member.raw, Code::UnusedMember));
        }
    }
}

/// What the point of sale displays should be brief, and printable (§2.1, D24).
fn texts<'a>(order: &WrittenOrder<'a>, issues: &mut Issues<'a>) {
    displayed(&order.first_name, "FirstName", 100, issues);
    displayed(&order.last_name, "LastName", 100, issues);
    displayed(&order.notes, "Notes", 250, issues);
    displayed(&order.time_slot_display_string, "TimeSlotDisplayString", 50, issues);
}

fn displayed<'a>(member: &Member<'a, Text<'a>>, name: &'static str, most: usize, issues: &mut Issues<'a>) {
    let Some(text) = member.get() else { return };
    issues.within(name, |issues| {
        if text.len() > most && text.chars().nth(most).is_some() {
            let hint = ["keep it within ", &most.to_string(), " characters"].concat();
            issues.at_with_hint(member.raw, Code::TextLong, Some(hint));
        }
        if text.chars().any(char::is_control) {
            issues.at(member.raw, Code::ControlCharacter);
        }
    });
}

/// A member that must be there; null has been told of already.
fn required<'a, T>(
    member: &Member<'a, T>,
    name: &'static str,
    parent: &'a str,
    names: &Names,
    other: &[Other<'a>],
    issues: &mut Issues<'a>,
) {
    if member.is_absent() {
        issues.missing(parent, name, Code::Missing, misspelt(name, names, other));
    }
}

/// Where a member is missing and a near miss of its name is there, that is what to mend.
fn misspelt(name: &'static str, names: &Names, other: &[Other<'_>]) -> Option<String> {
    let other = other.iter().find(|other| names.meant_by(&other.name) == Some(name))?;
    Some(["did you mean ", name, " where it says ", &other.name, "?"].concat())
}
