//! Generates the TypeScript types of orders, and lists of members by their type, from the table of members.

use std::collections::HashSet;
use std::fmt::Write as _;

use sales_order_intake::internals::{
    DISCOUNT, DISCOUNT_ENTRY, Field, FieldType, ITEM, ORDER, Presence, SENT, SOURCE, Schema, TAX, member_docs,
};

use crate::TYPESCRIPT_HEADER;

/// The record types of TypeScript, which differ in what they promise.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    /// What a caller writes.
    Input,
    /// A valid order.
    Valid,
    /// What a service returned, read tolerantly.
    Received,
}

impl Role {
    fn type_name(self, schema: &Schema) -> &'static str {
        let names = [
            (&ORDER, ["SalesOrderInput", "SalesOrder", "ReceivedOrder"]),
            (&ITEM, ["SalesOrderItemInput", "SalesOrderItem", "ReceivedItem"]),
            (&TAX, ["SalesOrderTaxInput", "SalesOrderTax", "ReceivedTax"]),
            (&DISCOUNT, ["SalesOrderDiscountInput", "SalesOrderDiscount", "ReceivedDiscount"]),
            (&DISCOUNT_ENTRY, ["InvoiceDiscountInput", "InvoiceDiscount", "ReceivedInvoiceDiscount"]),
            (&SOURCE, ["", "", "ReceivedOrderSource"]),
        ];
        let names = names.into_iter().find(|(known, _)| std::ptr::eq(*known, schema)).unwrap().1;
        names[self as usize]
    }

    fn about(self, schema: &Schema) -> String {
        let (name, received) = (self.type_name(schema), Self::Received.type_name(schema));
        let what = match received {
            "ReceivedOrder" => "a sales order (§2.1)",
            "ReceivedItem" => "a line item (§2.3)",
            "ReceivedTax" => "a supplied tax, as sibling operations have it (§2.5, D10)",
            "ReceivedDiscount" => "the discount record, as sibling operations have it (§2.4, D13)",
            "ReceivedInvoiceDiscount" => "one discount on the whole invoice (D13, D14)",
            "ReceivedOrderSource" => "the integrator that created an order (§2.2)",
            _ => panic!("{name} has no description"),
        };
        match self {
            Self::Input if name == "SalesOrderInput" => {
                "What a caller writes as a sales order (§2.1). Read-only members of an earlier response may be present; they are never sent (D22)".into()
            }
            Self::Valid if name == "SalesOrder" => {
                "A valid order (type SalesOrderV2V3Put): required members are present, GUIDs are normalised, decimals are strings".into()
            }
            Self::Received if name == "ReceivedOrder" => {
                "What a service returned as a sales order, read tolerantly: any member may be absent, and a member that can't be read is null. Other members are preserved (D26)".into()
            }
            Self::Input => format!("What a caller writes as {what}"),
            Self::Valid => format!("In a valid order: {what}"),
            Self::Received => format!("In a response: {what}"),
        }
    }

    fn interface(self, schema: &Schema) -> String {
        let name = self.type_name(schema);
        let mut out = format!("\n/** {}. */\nexport interface {name} {{\n", self.about(schema));
        let members = schema.fields.iter().zip(member_docs(schema));
        for (field, docs) in members.filter(|(field, _)| self == Self::Received || !field.is_read_only()) {
            let absent = if self.is_required(schema, field) { "" } else { "?" };
            let _ = writeln!(out, "  /** {} */", docs.trim().replace("`None`", "null"));
            let _ = writeln!(out, "  {}{absent}: {};", field.name, self.member_type(schema, field));
        }
        // No rule reports a misspelt member of a discount entry, so the type does.
        let is_entry = self == Self::Input && std::ptr::eq(schema, &DISCOUNT_ENTRY);
        if self == Self::Received || !schema.is_published && !is_entry {
            let (readonly, cases) = match self {
                Self::Input => ("readonly ", " A member that is there in two cases is an error (D63)."),
                _ => ("", ""),
            };
            let _ = writeln!(
                out,
                "  /** Members that the specification does not have are preserved.{cases} */\n  {readonly}[member: string]: unknown;"
            );
        }
        out + "}\n"
    }

    fn is_required(self, schema: &Schema, field: &Field) -> bool {
        // `buildOrder` makes an Id.
        let is_made = self == Self::Input && std::ptr::eq(schema, &ORDER) && field.name == "Id";
        self != Self::Received && field.presence == Presence::Required && !is_made
    }

    fn member_type(self, schema: &Schema, field: &Field) -> String {
        let mut of = match field.field_type {
            FieldType::Guid if self == Self::Input => "string".to_owned(),
            FieldType::Guid => "Guid".into(),
            FieldType::String | FieldType::Date => "string".into(),
            FieldType::Integer { .. } => "number".into(),
            FieldType::Boolean => "boolean".into(),
            FieldType::Decimal if self == Self::Input => "DecimalInput".into(),
            FieldType::Decimal => "DecimalString".into(),
            FieldType::ValueType => "number | string".into(),
            FieldType::Record(record) => self.type_name(record).to_owned(),
            FieldType::List(entry) => {
                let entry = self.type_name(entry);
                match self {
                    Self::Input => format!("readonly {entry}[]"),
                    Self::Valid if field.name == "Items" => format!("[{entry}, ...{entry}[]]"),
                    Self::Valid => format!("{entry}[]"),
                    Self::Received => format!("({entry} | null)[]"),
                }
            }
        };
        if field.nullable || self == Self::Received {
            of += " | null";
        }
        if self == Self::Input && !self.is_required(schema, field) {
            of += " | undefined";
        }
        of
    }
}

/// Returns `pkg-template/src/order-types.ts`.
pub(crate) fn order_types() -> String {
    let mut out = format!(
        "{TYPESCRIPT_HEADER}import type {{ DecimalInput, DecimalString, Guid }} from './values.js';\n"
    );
    for role in [Role::Input, Role::Valid, Role::Received] {
        for schema in [&ORDER, &ITEM, &DISCOUNT, &DISCOUNT_ENTRY, &TAX] {
            out += &role.interface(schema);
        }
    }
    out + &Role::Received.interface(&SOURCE)
}

/// Returns `pkg-template/src/decimal-members.ts`. A file of its own, because everything in `order-types.ts` is public.
pub(crate) fn decimal_members() -> String {
    [TYPESCRIPT_HEADER, &decimals()].concat()
}

fn decimals() -> String {
    names_by_type("DECIMALS", "decimals", |of| matches!(of, FieldType::Decimal))
}

/// Returns a constant with the names of the members that a caller can send of some types, each name once.
fn names_by_type(constant: &str, what: &str, is_of: impl Fn(FieldType) -> bool) -> String {
    let fields = SENT.into_iter().flat_map(|schema| schema.fields);
    let mut names: Vec<_> = fields
        .filter(|field| is_of(field.field_type) && !field.is_read_only())
        .map(|field| format!("'{}'", field.name))
        .collect();
    let mut seen = HashSet::new();
    names.retain(|name| seen.insert(name.clone()));
    format!(
        "\n/** The members of all records that are {what}. */\nexport const {constant}: readonly string[] = [{}];\n",
        names.join(", ")
    )
}

/// Returns `cli/files/member-types.ts`: the members that the command line converts by their type.
pub(crate) fn member_types() -> String {
    let integers = names_by_type("INTEGERS", "integers", |of| matches!(of, FieldType::Integer { .. }));
    let booleans = names_by_type("BOOLEANS", "true or false", |of| matches!(of, FieldType::Boolean));
    [TYPESCRIPT_HEADER, &integers, &booleans, &decimals()].concat()
}
