//! Compares the TypeScript types of the npm package with the table of members.
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test fails by panicking")]

use crate::order::{ITEM, ORDER, SOURCE, TAX};

use super::{Field, FieldType, Schema};

const TYPES: &str = include_str!("../../pkg-template/src/types.ts");

/// One member of a TypeScript interface: `Name?: type;`.
struct Member {
    name: &'static str,
    type_name: &'static str,
    is_nullable: bool,
}

fn members(interface: &str) -> Vec<Member> {
    let start = format!("export interface {interface} {{\n");
    let (_, body) = TYPES.split_once(&start).unwrap_or_else(|| panic!("types.ts has no {interface}"));
    let (body, _) = body.split_once("\n}\n").unwrap();
    let lines = body.lines().filter_map(|line| line.strip_prefix("  ")).filter(|line| !line.starts_with(' '));
    let members = lines.filter_map(|line| line.strip_suffix(';')?.split_once(": "));
    let members = members.filter(|(name, _)| name.starts_with(|first: char| first.is_ascii_uppercase()));
    let member = |(name, of): (&'static str, &'static str)| Member {
        name: name.trim_end_matches('?'),
        type_name: of.split(" | ").next().unwrap(),
        is_nullable: of.ends_with(" | null"),
    };
    members.map(member).collect()
}

fn input_type(field: &Field) -> &'static [&'static str] {
    match field.field_type {
        FieldType::Guid | FieldType::String | FieldType::Date => &["string"],
        FieldType::Integer { .. } => &["number"],
        FieldType::Boolean => &["boolean"],
        FieldType::Decimal => &["DecimalInput"],
        FieldType::ValueType => &["number"],
        FieldType::Record(_) => &["SalesOrderDiscount"],
        FieldType::List(_) => &["SalesOrderItemInput[]", "SalesOrderTaxInput[]"],
    }
}

fn output_type(field: &Field) -> &'static [&'static str] {
    match field.field_type {
        FieldType::Guid => &["Guid"],
        FieldType::String | FieldType::Date => &["string"],
        FieldType::Integer { .. } => &["number"],
        FieldType::Boolean => &["boolean"],
        FieldType::Decimal => &["DecimalText"],
        FieldType::ValueType => &["number"],
        FieldType::Record(_) => &["SalesOrderV2V3PutOrderSource", "SalesOrderV2V3PutOrderDiscount"],
        FieldType::List(_) => &["(SalesOrderV2V3PutOrderItem", "(SalesOrderV2V3PutOrderTax"],
    }
}

#[test]
fn the_input_types_have_the_members_that_a_caller_can_send() {
    for (interface, schema) in
        [("SalesOrderInput", &ORDER), ("SalesOrderItemInput", &ITEM), ("SalesOrderTaxInput", &TAX)]
    {
        let schema: &Schema = schema;
        let members = members(interface);
        let sent = schema.fields.iter().filter(|field| !field.read_only);
        assert_eq!(members.len(), sent.clone().count(), "{interface}");
        for field in sent {
            let member = members.iter().find(|member| member.name == field.name);
            let member = member.unwrap_or_else(|| panic!("{interface} has no {}", field.name));
            assert_eq!(member.is_nullable, field.nullable, "{interface}.{}", field.name);
            assert!(input_type(field).contains(&member.type_name), "{interface}.{}", field.name);
        }
    }
}

#[test]
fn the_output_types_have_all_members_in_the_order_of_the_specification() {
    for (interface, schema) in [
        ("SalesOrderV2V3Put", &ORDER),
        ("SalesOrderV2V3PutOrderSource", &SOURCE),
        ("SalesOrderV2V3PutOrderItem", &ITEM),
        ("SalesOrderV2V3PutOrderTax", &TAX),
    ] {
        let schema: &Schema = schema;
        let members = members(interface);
        let names: Vec<_> = members.iter().map(|member| member.name).collect();
        assert_eq!(names, schema.fields.iter().map(|field| field.name).collect::<Vec<_>>(), "{interface}");
        for (field, member) in schema.fields.iter().zip(&members) {
            assert!(output_type(field).contains(&member.type_name), "{interface}.{}", field.name);
        }
    }
}
